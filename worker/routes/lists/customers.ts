import type { Context } from 'hono';
import { customerRules } from '#shared/contracts/list-request';
import type { CustomersReply } from '#shared/contracts/lists';
import { customerList } from '#worker/data/lists/customers';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps, Env } from '#worker/deps';
import { customerColumns } from '#worker/domain/lists/csv-columns';
import { exportList } from '#worker/domain/lists/export';
import { readList, withToday } from '#worker/domain/lists/page';
import { presentListedCustomer } from '#worker/domain/lists/present';
import { viewCustomer } from '#worker/domain/lists/view-customer';
import { merchantReads, unauthorized } from '#worker/http/guards/require-merchant';
import { listRequestOf } from '#worker/http/read/list-request';
import { apiError, type Refuse } from '#worker/http/reply/errors';
import { freshList } from '#worker/http/reply/fresh-list';
import { sendCsv, sendList } from '#worker/http/reply/list';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** A merchant's customers. */
export function customerRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/customers', { GET: merchantReads(depsOf, getCustomers, refuse401) });
  route(app, '/api/customers/:id', { GET: merchantReads(depsOf, getCustomer) });
}

/** Errors of this call carry the CRM's envelope too. */
const refuse: Refuse = (c, status, code, message, more) =>
  apiError(c, status, code, message, { status: 'error', data: { message }, ...more });

const refuse401 = (c: Context) => unauthorized(c, refuse);

async function getCustomers(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const asked = listRequestOf(c, customerRules, refuse);
  if (asked instanceof Response) return asked;
  const request = await withToday(deps, claim.accountId, asked);
  const list =
    request.format === 'csv'
      ? await exportList(deps, customerList, claim, request, customerColumns)
      : await freshList(c, deps, claim.accountId, () =>
          readList(deps, customerList, claim, request, presentListedCustomer),
        );
  if (!list) return refuse401(c);
  if ('pieces' in list) return sendCsv(c, list, 'customers', deps.now());
  return sendList(c, list, { data: { results: list.items } } satisfies CustomersReply);
}

async function getCustomer(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const view = await viewCustomer(deps, claim, c.req.param('id') ?? '');
  switch (view.kind) {
    case 'no-session':
      return unauthorized(c);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No customer found');
    case 'customer':
      return c.json(view.customer);
  }
}
