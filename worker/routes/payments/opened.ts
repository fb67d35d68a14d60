import type { Context } from 'hono';
import { OpenedBody } from '#shared/contracts/opened-request';
import { ofCapability } from '#worker/clinic/of-clinic';
import { noteOpening } from '#worker/data/pay-links/openings';
import type { Deps, Env } from '#worker/deps';
import { sessionIfAny } from '#worker/http/guards/browser-session';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';

/**
 * A pay page tells that somebody looks at it. The answer is the same whether that counted, so that it tells nothing of
 * the invoice. Staff of the business that bills do not count.
 */
export async function postOpened(c: Context<{ Bindings: Env }>, asked: Deps): Promise<Response> {
  const payId = c.req.param('payId') ?? '';
  const deps = ofCapability(asked, payId);
  if (!deps) return apiError(c, 404, 'not-found', 'No invoice found');
  const read = await readJson(c, OpenedBody);
  if ('refusal' in read) return read.refusal;
  const staff = await sessionIfAny(c, asked);
  await noteOpening(deps.db, { payId, loadId: read.data.load, except: staff?.accountId ?? null }, deps.now());
  return c.body(null, 204);
}
