import type { Context } from 'hono';
import { PaymentNoticesBody } from '#shared/contracts/payment-notices-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

const PATH = '/api/payment-notices';
/** Loaded on demand: most calls of staff are of other things. */
const notices = () => import('#worker/domain/mail/notices');

/** Whether who is logged in gets a mail when a pay link is paid. */
export function noticeRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    PATH,
    limitBody(1000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, PATH, {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await (await notices()).viewPaymentNotices(deps, you))),
    PUT: merchantOnly(depsOf, putNotices),
  });
}

async function putNotices(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, PaymentNoticesBody);
  if ('refusal' in body) return body.refusal;
  const view = await (await notices()).choosePaymentNotices(deps, you, body.data.how);
  return view ? c.json(view) : apiError(c, 422, 'invalid', 'No email can be sent to your own address.');
}
