import type { Context } from 'hono';
import type { StaffSessions } from '#shared/contracts/team';
import type { EndedSessionsReply } from '#shared/contracts/team-answers';
import type { Deps, Env } from '#worker/deps';
import { endEverySession, endOwnSession, viewOwnSessions } from '#worker/domain/merchants/own-sessions';
import type { Merchant } from '#worker/domain/merchants/session';
import { clearSession } from '#worker/http/cookies/session-cookies';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Where a person is logged in, and the end of that. */
export function ownSessionRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/sessions', { GET: merchantOnly(depsOf, getSessions), DELETE: merchantOnly(depsOf, deleteAll) });
  route(app, '/api/sessions/:id', { DELETE: merchantOnly(depsOf, deleteOne) });
}

const getSessions = async (c: C, deps: Deps, you: Merchant): Promise<Response> =>
  c.json({ sessions: await viewOwnSessions(deps, you) } satisfies StaffSessions);

async function deleteAll(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const ended = await endEverySession(deps, you);
  clearSession(c, deps);
  return c.json({ ended } satisfies EndedSessionsReply);
}

async function deleteOne(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const id = c.req.param('id') ?? '';
  if (!(await endOwnSession(deps, you, id))) return apiError(c, 404, 'not-found', 'There is no such session of yours.');
  if (id === you.sessionId) clearSession(c, deps);
  return c.json({ ended: 1 } satisfies EndedSessionsReply);
}
