import type { Context } from 'hono';
import { invoiceRules, openInvoiceRules } from '#shared/contracts/list-request';
import type { InvoiceCustomerReply, InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists';
import { findInvoiceCustomer } from '../data/invoice-customer.ts';
import { invoiceList, openInvoiceList } from '../data/lists/invoices.ts';
import type { SessionClaim } from '../data/session-claim.ts';
import type { Deps, Env } from '../deps.ts';
import { invoiceColumns, openInvoiceColumns } from '../domain/lists/csv-columns.ts';
import { exportList } from '../domain/lists/export.ts';
import { readList } from '../domain/lists/page.ts';
import { presentCustomer, presentInvoice } from '../domain/lists/present.ts';
import { listOpenInvoices } from '../domain/pay-links/list-open-invoices.ts';
import { listRequestOf } from '../http/read/list-request.ts';
import { freshList } from '../http/reply/fresh-list.ts';
import { sendCsv, sendList } from '../http/reply/list.ts';
import { apiError } from '../middleware/errors.ts';
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
  const list =
    request.format === 'csv'
      ? await exportList(deps, invoiceList, claim, request, invoiceColumns)
      : await freshList(c, deps, claim.hubId, () => readList(deps, invoiceList, claim, request, presentInvoice));
  if (!list) return unauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'invoices', deps.now());
  return sendList(c, list, list.items satisfies InvoiceItem[]);
}

async function getOpenInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const request = listRequestOf(c, openInvoiceRules);
  if (request instanceof Response) return request;
  const list =
    request.format === 'csv'
      ? await exportList(deps, openInvoiceList, claim, request, openInvoiceColumns)
      : await freshList(c, deps, claim.hubId, () => listOpenInvoices(deps, claim, request));
  if (!list) return unauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'open-invoices', deps.now());
  return sendList(c, list, list.items satisfies OpenInvoiceItem[]);
}

async function getCustomer(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const row = await findInvoiceCustomer(deps.db, claim, deps.now(), c.req.param('id') ?? '');
  if (row === null) return unauthorized(c);
  if (row === undefined) return apiError(c, 404, 'not-found', 'No invoice found');
  const customer = presentCustomer(row);
  const { firstname, lastname, email } = customer.properties;
  const isKnown = customer.id !== '' || `${firstname}${lastname}${email}` !== '';
  return c.json({ results: isKnown ? [customer] : [] } satisfies InvoiceCustomerReply);
}
