import * as z from 'zod/mini';
import { CustomerReply, CustomersError, InvoiceCustomerReply } from '#shared/contracts/lists/customers';
import { customerRules, invoiceRules, openInvoiceRules } from '#shared/contracts/lists/list-request';
import { CustomersReply, InvoiceItem, OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { findInvoiceCustomer } from '#worker/data/invoices/invoices';
import { customerList } from '#worker/data/lists/customers';
import { invoiceList } from '#worker/data/lists/invoices';
import {
  customerColumns,
  exportList,
  invoiceColumns,
  openInvoiceColumns,
  openInvoiceExport,
} from '#worker/domain/lists/export';
import { presentCustomer, presentInvoice, presentListedCustomer } from '#worker/domain/lists/present';
import { addToday, readList } from '#worker/domain/lists/read-list';
import { viewCustomer } from '#worker/domain/lists/view-customer';
import { listOpenInvoices } from '#worker/domain/pay-links/open-invoices';
import { nextReminderOf } from '#worker/domain/reminders/next';
import { refuseUnauthorized } from '#worker/http/guards/require-merchant';
import { apiError, type Refuse } from '#worker/http/reply/errors';
import { readFreshList, sendCsv, sendList } from '#worker/http/reply/list';
import { type ClaimRequest, csv, type Routes, route } from '#worker/http/routes';

/** Sends a list error in both the standard body and the CRM's envelope. */
const refuse: Refuse = (c, status, code, message, extra) =>
  apiError(c, status, code, message, { status: 'error', data: { message }, ...extra });

/** Routes for a merchant's customers. */
export const customerRoutes: Routes = {
  'GET /api/customers': route({
    access: 'staff',
    summary: 'List customers',
    session: 'deferred',
    refuse,
    query: customerRules,
    isList: true,
    answers: { 200: [CustomersReply, csv] },
    errorBody: CustomersError,
    errors: [401, 422],
    handle: getCustomers,
  }),
  'GET /api/customers/:id': route({
    access: 'staff',
    summary: 'Show a customer',
    session: 'deferred',
    answers: { 200: CustomerReply },
    handle: getCustomer,
  }),
};

async function getCustomers({ c, deps, claim, query }: ClaimRequest<unknown, typeof customerRules>): Promise<Response> {
  const request = await addToday(deps, claim.accountId, query);
  const list =
    request.format === 'csv'
      ? await exportList(deps, customerList, claim, request, customerColumns)
      : await readFreshList(c, deps, claim.accountId, () =>
          readList(deps, customerList, claim, request, presentListedCustomer),
        );
  if (!list) return refuseUnauthorized(c, refuse);
  if ('pieces' in list) return sendCsv(c, list, 'customers');
  return sendList(c, list, { data: { results: list.items } } satisfies CustomersReply);
}

async function getCustomer({ c, deps, claim }: ClaimRequest): Promise<Response> {
  const view = await viewCustomer(deps, claim, c.req.param('id') ?? '');
  switch (view.kind) {
    case 'no-session':
      return refuseUnauthorized(c);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No customer found');
    case 'customer':
      return c.json(view.customer);
  }
}

/** Routes for a merchant's invoices. */
export const invoiceRoutes: Routes = {
  'GET /api/invoices': route({
    access: 'staff',
    summary: 'List invoices',
    session: 'deferred',
    query: invoiceRules,
    isList: true,
    answers: { 200: [z.array(InvoiceItem), csv] },
    handle: getInvoices,
  }),
  'GET /api/invoices/getOpenInvoices': route({
    access: 'staff',
    summary: 'List open invoices',
    session: 'deferred',
    query: openInvoiceRules,
    isList: true,
    answers: { 200: [z.array(OpenInvoiceItem), csv] },
    handle: getOpenInvoices,
  }),
  'GET /api/invoices/getCustomer/:id': route({
    access: 'staff',
    summary: 'Show the customer of an invoice',
    session: 'deferred',
    answers: { 200: InvoiceCustomerReply },
    handle: getInvoiceCustomer,
  }),
};

async function getInvoices({ c, deps, claim, query }: ClaimRequest<unknown, typeof invoiceRules>): Promise<Response> {
  const request = await addToday(deps, claim.accountId, query);
  const list =
    request.format === 'csv'
      ? await exportList(deps, invoiceList, claim, request, invoiceColumns)
      : await readFreshList(c, deps, claim.accountId, () =>
          readList(deps, invoiceList, claim, request, presentInvoice),
        );
  if (!list) return refuseUnauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'invoices');
  return sendList(c, list, list.items satisfies InvoiceItem[]);
}

async function getOpenInvoices({
  c,
  deps,
  claim,
  query,
}: ClaimRequest<unknown, typeof openInvoiceRules>): Promise<Response> {
  const request = await addToday(deps, claim.accountId, query);
  const next = nextReminderOf(deps);
  const list =
    request.format === 'csv'
      ? await exportList(deps, openInvoiceExport, claim, request, openInvoiceColumns(deps.now(), next))
      : await readFreshList(c, deps, claim.accountId, () => listOpenInvoices(deps, claim, request, next));
  if (!list) return refuseUnauthorized(c);
  if ('pieces' in list) return sendCsv(c, list, 'open-invoices');
  return sendList(c, list, list.items satisfies OpenInvoiceItem[]);
}

async function getInvoiceCustomer({ c, deps, claim }: ClaimRequest): Promise<Response> {
  const row = await findInvoiceCustomer(deps.db, claim, deps.now(), c.req.param('id') ?? '');
  if (row === null) return refuseUnauthorized(c);
  if (row === undefined) return apiError(c, 404, 'not-found', 'No invoice found');
  const customer = presentCustomer(row);
  const { firstname, lastname, email } = customer.properties;
  const isKnown = customer.id !== '' || `${firstname}${lastname}${email}` !== '';
  return c.json({ results: isKnown ? [customer] : [] } satisfies InvoiceCustomerReply);
}
