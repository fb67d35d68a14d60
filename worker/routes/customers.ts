import type { Context } from 'hono';
import { customerRules } from '#shared/contracts/list-request';
import type { CustomersReply } from '#shared/contracts/lists';
import { customerList } from '../data/list-customers.ts';
import type { SessionClaim } from '../data/session-claim.ts';
import type { Deps, Env } from '../deps.ts';
import { exportList } from '../domain/export-list.ts';
import { customerColumns } from '../domain/list-columns.ts';
import { readList } from '../domain/read-list.ts';
import { showCustomer } from '../domain/show-list.ts';
import { apiError, type Refuse } from '../middleware/errors.ts';
import { freshList } from '../middleware/fresh-list.ts';
import { listRequestOf, sendCsv, tellFacts } from '../middleware/list-answer.ts';
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
  if (request.format === 'csv') {
    const file = await exportList(deps, customerList, claim, request, customerColumns);
    return file ? sendCsv(c, file, 'customers', deps.now()) : refuse401(c);
  }
  const listed = await freshList(c, deps, claim.hubId, () =>
    readList(deps, customerList, claim, request, showCustomer),
  );
  if (!listed) return refuse401(c);
  tellFacts(c, listed.facts);
  return c.json({ data: { results: listed.items } } satisfies CustomersReply);
}
