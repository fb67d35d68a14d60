import type { Context } from 'hono';
import { invoiceRules, openInvoiceRules } from '#shared/contracts/list-request';
import type { InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists';
import type { InvoiceCustomerReply } from '#shared/contracts/lists-answers';
import { findInvoiceCustomer } from '#worker/data/invoices/customer';
import { invoiceList, openInvoiceList } from '#worker/data/lists/invoices';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps, Env } from '#worker/deps';
import { invoiceColumns, openInvoiceColumns } from '#worker/domain/lists/csv-columns';
import { exportList } from '#worker/domain/lists/export';
import { readList, withToday } from '#worker/domain/lists/page';
import { presentCustomer, presentInvoice } from '#worker/domain/lists/present';
import { listOpenInvoices } from '#worker/domain/pay-links/list-open-invoices';
import { nextReminderOf } from '#worker/domain/reminders/next-of-row';
import { merchantReads, unauthorized } from '#worker/http/guards/require-merchant';
import { listRequestOf } from '#worker/http/read/list-request';
import { apiError } from '#worker/http/reply/errors';
import { freshList } from '#worker/http/reply/fresh-list';
import { sendCsv, sendList } from '#worker/http/reply/list';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** A merchant's invoices. */
export function invoiceRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/invoices', { GET: merchantReads(depsOf, getInvoices) });
  route(app, '/api/invoices/getOpenInvoices', { GET: merchantReads(depsOf, getOpenInvoices) });
  route(app, '/api/invoices/getCustomer/:id', { GET: merchantReads(depsOf, getCustomer) });
}

async function getInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const asked = listRequestOf(c, invoiceRules);
  if (asked instanceof Response) return asked;
  const request = await withToday(deps, claim.accountId, asked);
  const list =
    request.format === 'csv'
      ? await exportList(deps, invoiceList, claim, request, invoiceColumns)
      : await freshList(c, deps, claim.accountId, () => readList(deps, invoiceList, claim, request, presentInvoice));
  if (!list) return unauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'invoices', deps.now());
  return sendList(c, list, list.items satisfies InvoiceItem[]);
}

async function getOpenInvoices(c: C, deps: Deps, claim: SessionClaim): Promise<Response> {
  const asked = listRequestOf(c, openInvoiceRules);
  if (asked instanceof Response) return asked;
  const request = await withToday(deps, claim.accountId, asked);
  const next = nextReminderOf(deps);
  const list =
    request.format === 'csv'
      ? await exportList(deps, openInvoiceList, claim, request, openInvoiceColumns(deps.now(), next))
      : await freshList(c, deps, claim.accountId, () => listOpenInvoices(deps, claim, request, next));
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
