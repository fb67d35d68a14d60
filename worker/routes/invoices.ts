import type { Context } from 'hono';
import { invoiceRules, openInvoiceRules } from '#shared/contracts/list-request';
import type { InvoiceCustomerReply, InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists';
import { findInvoiceCustomer } from '../data/invoice-customer.ts';
import { invoiceList, openInvoiceList } from '../data/list-invoices.ts';
import type { SessionClaim } from '../data/session-claim.ts';
import type { Deps, Env } from '../deps.ts';
import { exportList } from '../domain/export-list.ts';
import { invoiceColumns, openInvoiceColumns } from '../domain/list-columns.ts';
import { listOpenInvoices } from '../domain/list-open-invoices.ts';
import { readList } from '../domain/read-list.ts';
import { showCustomer, showInvoice } from '../domain/show-list.ts';
import { apiError } from '../middleware/errors.ts';
import { freshList } from '../middleware/fresh-list.ts';
import { listRequestOf, sendCsv, tellFacts } from '../middleware/list-answer.ts';
import { type App, route } from '../middleware/methods.ts';
import { merchantReads, unauthorized } from '../middleware/require-merchant.ts';

type C = Context<{ Bindings: Env }>;

/** A merchant's invoices. */
export function invoiceRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/invoices', { GET: merchantReads(depsOf, getInvoices) });
  route(app, '/api/invoices/getOpenInvoices', { GET: merchantReads(depsOf, getOpenInvoices) });
  route(app, '/api/invoices/getCustomer/:id', { GET: merchantReads(depsOf, getCustomer) });
}

async function getInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const request = listRequestOf(c, invoiceRules);
  if (request instanceof Response) return request;
  if (request.format === 'csv') {
    const file = await exportList(deps, invoiceList, claim, request, invoiceColumns);
    return file ? sendCsv(c, file, 'invoices', deps.now()) : unauthorized(c);
  }
  const listed = await freshList(c, deps, claim.hubId, () => readList(deps, invoiceList, claim, request, showInvoice));
  if (!listed) return unauthorized(c);
  tellFacts(c, listed.facts);
  return c.json(listed.items satisfies InvoiceItem[]);
}

async function getOpenInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const request = listRequestOf(c, openInvoiceRules);
  if (request instanceof Response) return request;
  if (request.format === 'csv') {
    const file = await exportList(deps, openInvoiceList, claim, request, openInvoiceColumns);
    return file ? sendCsv(c, file, 'open-invoices', deps.now()) : unauthorized(c);
  }
  const listed = await freshList(c, deps, claim.hubId, () => listOpenInvoices(deps, claim, request));
  if (!listed) return unauthorized(c);
  tellFacts(c, listed.facts);
  return c.json(listed.items satisfies OpenInvoiceItem[]);
}

async function getCustomer(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const row = await findInvoiceCustomer(deps.db, claim, deps.now(), c.req.param('id') ?? '');
  if (row === null) return unauthorized(c);
  if (row === undefined) return apiError(c, 404, 'not-found', 'No invoice found');
  const customer = showCustomer(row);
  const { firstname, lastname, email } = customer.properties;
  const isKnown = customer.id !== '' || `${firstname}${lastname}${email}` !== '';
  return c.json({ results: isKnown ? [customer] : [] } satisfies InvoiceCustomerReply);
}
