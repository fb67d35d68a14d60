import type { Context } from 'hono';
import { BillLinesBody } from '#shared/contracts/bill-lines-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { setBillLines, viewBillLines } from '#worker/domain/pay-page/bill-lines';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Whether payers see what is on their bill. */
export function billLineRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/bill-lines',
    limitBody(4000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/bill-lines', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewBillLines(deps, you))),
    PUT: merchantOnly(depsOf, putBillLines),
  });
}

async function putBillLines(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, BillLinesBody);
  if ('refusal' in body) return body.refusal;
  return c.json(await setBillLines(deps, you, body.data.is_on));
}
