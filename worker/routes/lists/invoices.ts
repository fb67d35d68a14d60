import * as z from 'zod/mini';
import { invoiceRules, openInvoiceRules } from '#shared/contracts/list-request';
import { InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists';
import { InvoiceCustomerReply } from '#shared/contracts/lists-answers';
import { findInvoiceCustomer } from '#worker/data/invoices/customer';
import { invoiceList, openInvoiceList } from '#worker/data/lists/invoices';
import { invoiceColumns, openInvoiceColumns } from '#worker/domain/lists/csv-columns';
import { exportList } from '#worker/domain/lists/export';
import { readList, withToday } from '#worker/domain/lists/page';
import { presentCustomer, presentInvoice } from '#worker/domain/lists/present';
import { listOpenInvoices } from '#worker/domain/pay-links/list-open-invoices';
import { nextReminderOf } from '#worker/domain/reminders/next-of-row';
import { unauthorized } from '#worker/http/guards/require-merchant';
import { apiError } from '#worker/http/reply/errors';
import { freshList } from '#worker/http/reply/fresh-list';
import { sendCsv, sendList } from '#worker/http/reply/list';
import { type ClaimRequest, csv, type Routes, route } from '#worker/http/routes';

/** A merchant's invoices. */
export const invoiceRoutes: Routes = {
  'GET /api/invoices': route({
    who: 'staff',
    summary: 'List invoices',
    session: 'deferred',
    query: invoiceRules,
    isList: true,
    answers: { 200: [z.array(InvoiceItem), csv] },
    handle: getInvoices,
  }),
  'GET /api/invoices/getOpenInvoices': route({
    who: 'staff',
    summary: 'List open invoices',
    session: 'deferred',
    query: openInvoiceRules,
    isList: true,
    answers: { 200: [z.array(OpenInvoiceItem), csv] },
    handle: getOpenInvoices,
  }),
  'GET /api/invoices/getCustomer/:id': route({
    who: 'staff',
    summary: 'Show the customer of an invoice',
    session: 'deferred',
    answers: { 200: InvoiceCustomerReply },
    handle: getCustomer,
  }),
};

async function getInvoices({
  c,
  deps,
  claim,
  query: asked,
}: ClaimRequest<unknown, typeof invoiceRules>): Promise<Response> {
  const request = await withToday(deps, claim.accountId, asked);
  const list =
    request.format === 'csv'
      ? await exportList(deps, invoiceList, claim, request, invoiceColumns)
      : await freshList(c, deps, claim.accountId, () => readList(deps, invoiceList, claim, request, presentInvoice));
  if (!list) return unauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'invoices', deps.now());
  return sendList(c, list, list.items satisfies InvoiceItem[]);
}

async function getOpenInvoices({
  c,
  deps,
  claim,
  query: asked,
}: ClaimRequest<unknown, typeof openInvoiceRules>): Promise<Response> {
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

async function getCustomer({ c, deps, claim }: ClaimRequest): Promise<Response> {
  const row = await findInvoiceCustomer(deps.db, claim, deps.now(), c.req.param('id') ?? '');
  if (row === null) return unauthorized(c);
  if (row === undefined) return apiError(c, 404, 'not-found', 'No invoice found');
  const customer = presentCustomer(row);
  const { firstname, lastname, email } = customer.properties;
  const isKnown = customer.id !== '' || `${firstname}${lastname}${email}` !== '';
  return c.json({ results: isKnown ? [customer] : [] } satisfies InvoiceCustomerReply);
}
