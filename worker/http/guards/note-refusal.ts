import type { Context } from 'hono';
import { routePath } from 'hono/route';
import type { Deps, Env } from '#worker/deps';
import { countStranger, recordRefusal } from '#worker/domain/audit/refusals';

type C = Context<{ Bindings: Env }>;

/** Count an answer that refuses a person who is logged in what they asked for. */
export async function noteRefusal(c: C, deps: Deps, accountId: number, response: Response): Promise<Response> {
  if (response.status === 403) await recordRefusal(deps, accountId, routePath(c));
  return response;
}

/** Count a bearer that opens nothing; a request without one is nobody's try. */
export async function turnedAway(c: C, deps: Deps, bearer: string | null, response: Response): Promise<Response> {
  if (bearer) await countStranger(deps, 'access.refused', routePath(c));
  return response;
}
