import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { openInvoiceSortFields } from '#shared/contracts/lists/list-values';
import { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import type { ListSource } from '../lists/use-list.ts';
import type { MailKind } from '../mail/pay-link-or-receipt.ts';

export const openInvoiceSource: ListSource<OpenInvoiceItem> = {
  path: '/api/invoices/getOpenInvoices',
  readRows: readWith(z.array(OpenInvoiceItem)),
  // Unpaid invoices come first, with the oldest due date at the top.
  sort: 'status',
  sorts: openInvoiceSortFields,
  filters: ['status', 'due_date'],
  // This checks only the form of a range. The server validates the dates.
  canFilter: (name, value) => name !== 'due_date' || /^[\d-]*\.\.[\d-]+$/.test(value),
};

export const nameOf = ({ crm_id, invoice_number }: Pick<OpenInvoiceItem, 'crm_id' | 'invoice_number'>): string =>
  invoice_number || `Invoice ${crm_id}`;

export const customerOf = ({ customer }: OpenInvoiceItem): string =>
  `${customer.first_name} ${customer.last_name}`.trim();

/** Additions to the rows, whose code loads with that of mailings. */
export type RowExtras = {
  renderCheckbox(invoice: OpenInvoiceItem): ReactNode;
  /** The checkbox in the table header, which selects all rows of the page. */
  pickPage: ReactNode;
  /** The text for a tab without rows. */
  empty: ReactNode;
  /** Returns the invoice's state in a running mailing, or undefined if it is not in one. */
  mailingState(invoice: OpenInvoiceItem): string | undefined;
};

/** Changes of a row that this page made, until the row is reloaded. */
export type RowUpdate = Partial<Pick<OpenInvoiceItem, 'id' | 'last_email' | 'link_ends_at'>>;

export type RowHandlers = {
  /** The id of the invoice whose email is being sent. */
  sending: string | null;
  /** Asks for confirmation, and then sends the email. `isElsewhere` lets the user enter another address. */
  mail(invoice: OpenInvoiceItem, kind: MailKind, options?: { isElsewhere: true }): void;
  /** Shows an element, such as a dialog, that stays after the row's menu has closed. */
  show(overlay: ReactNode): void;
  update(id: string, change: RowUpdate): void;
  extras: RowExtras | null;
};

const readLink = readWith(PayLinkReply);

const linkPath = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** Returns the live link, after creating it if there was none. */
export const createLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(linkPath(invoiceId), readLink, { method: 'POST' });

/** Schedules the link to be revoked and replaced after UNDO_MS. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(linkPath(invoiceId), readLink, { method: 'DELETE' });

/** Cancels a pending revocation. */
export const cancelRevocation = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(`${linkPath(invoiceId)}/revocation`, readLink, { method: 'DELETE' });
