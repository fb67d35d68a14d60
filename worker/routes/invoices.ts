import type { Context } from 'hono';
import { invoiceRules, type ListRequest, type ListRules, readListRequest } from '#shared/contracts/list-request';
import type { InvoiceItem } from '#shared/contracts/lists';
import { invoiceList } from '../data/list-invoices.ts';
import type { SessionClaim } from '../data/sessions.ts';
import type { Deps, Env } from '../deps.ts';
import { exportList } from '../domain/export-list.ts';
import { invoiceColumns } from '../domain/list-columns.ts';
import { readList } from '../domain/read-list.ts';
import { showInvoice } from '../domain/show-list.ts';
import { apiError } from '../middleware/errors.ts';
import { sendCsv, tellFacts } from '../middleware/list-answer.ts';
import { type App, route } from '../middleware/methods.ts';
import { merchantReads, unauthorized } from '../middleware/require-merchant.ts';

type C = Context<{ Bindings: Env }>;

/** A merchant's invoices. */
export function invoiceRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/invoices', { GET: merchantReads(depsOf, getInvoices) });
}

/** What a list is asked for, or the answer that says which parameters make no sense. */
function requestOf(c: C, rules: ListRules): ListRequest | Response {
  const request = readListRequest(rules, new URL(c.req.url).searchParams);
  if (!('fields' in request)) return request;
  return apiError(c, 422, 'invalid', 'The list cannot be shown in this way.', request);
}

async function getInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const request = requestOf(c, invoiceRules);
  if (request instanceof Response) return request;
  if (request.format === 'csv') {
    const file = await exportList(deps, invoiceList, claim, request, invoiceColumns);
    return file ? sendCsv(c, file, `invoices-${today(deps)}.csv`) : unauthorized(c);
  }
  const listed = await readList(deps, invoiceList, claim, request, showInvoice);
  if (!listed) return unauthorized(c);
  tellFacts(c, listed.facts);
  return c.json(listed.items satisfies InvoiceItem[]);
}

const today = ({ now }: Deps) => new Date(now()).toISOString().slice(0, 10);
