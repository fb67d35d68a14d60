import type { Context } from 'hono';
import { customerRules } from '#shared/contracts/list-request';
import type { CustomersReply } from '#shared/contracts/lists';
import { customerList } from '../data/lists/customers.ts';
import type { SessionClaim } from '../data/session-claim.ts';
import type { Deps, Env } from '../deps.ts';
import { customerColumns } from '../domain/lists/csv-columns.ts';
import { exportList } from '../domain/lists/export.ts';
import { readList } from '../domain/lists/page.ts';
import { presentCustomer } from '../domain/lists/present.ts';
import { listRequestOf } from '../http/read/list-request.ts';
import { freshList } from '../http/reply/fresh-list.ts';
import { sendCsv, sendList } from '../http/reply/list.ts';
import { apiError, type Refuse } from '../middleware/errors.ts';
import { type App, route } from '../middleware/methods.ts';
import { merchantReads, unauthorized } from '../middleware/require-merchant.ts';

type C = Context<{ Bindings: Env }>;

/** A merchant's customers. */
export function customerRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/customers', { GET: merchantReads(depsOf, getCustomers, refuse401) });
}

/** Errors of this call carry the CRM's envelope, too. */
const refuse: Refuse = (c, status, code, message, more) =>
  apiError(c, status, code, message, { status: 'error', data: { message }, ...more });

const refuse401 = (c: Context) => unauthorized(c, refuse);

async function getCustomers(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const request = listRequestOf(c, customerRules, refuse);
  if (request instanceof Response) return request;
  const list =
    request.format === 'csv'
      ? await exportList(deps, customerList, claim, request, customerColumns)
      : await freshList(c, deps, claim.hubId, () => readList(deps, customerList, claim, request, presentCustomer));
  if (!list) return refuse401(c);
  if ('pieces' in list) return sendCsv(c, list, 'customers', deps.now());
  return sendList(c, list, { data: { results: list.items } } satisfies CustomersReply);
}
