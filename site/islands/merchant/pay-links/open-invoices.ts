import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { openInvoiceSortFields } from '#shared/contracts/lists/list-values';
import { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import type { ListSource } from '../lists/use-list.ts';
import type { MailKind } from '../mail/mail.ts';

export const openInvoiceSource: ListSource<OpenInvoiceItem> = {
  path: '/api/invoices/getOpenInvoices',
  readRows: readWith(z.array(OpenInvoiceItem)),
  // Unpaid invoices first, the oldest due date at the top.
  sort: 'status',
  sorts: openInvoiceSortFields,
  filters: ['status', 'due_date'],
  // Only the shape of a range; the server validates the dates.
  canFilter: (name, value) => name !== 'due_date' || /^[\d-]*\.\.[\d-]+$/.test(value),
};

export const nameOf = ({ crm_id, invoice_number }: Pick<OpenInvoiceItem, 'crm_id' | 'invoice_number'>): string =>
  invoice_number || `Invoice ${crm_id}`;

export const customerOf = ({ customer }: OpenInvoiceItem): string =>
  `${customer.first_name} ${customer.last_name}`.trim();

/** The additions to the rows that are loaded with the code of mailings. */
export type RowMarks = {
  tick(invoice: OpenInvoiceItem): ReactNode;
  /** The checkbox in the table header that selects all rows of the page. */
  pickPage: ReactNode;
  /** Shown in a tab without rows. */
  empty: ReactNode;
  /** The invoice's state in a running mailing; undefined if it is in none. */
  mailingState(invoice: OpenInvoiceItem): string | undefined;
};

/** Changes of a row from our own calls, until it is reloaded. */
export type RowUpdate = Partial<Pick<OpenInvoiceItem, 'id' | 'last_email' | 'link_ends_at'>>;

export type RowHandlers = {
  /** Id of the invoice whose email is being sent. */
  sending: string | null;
  /** Asks for confirmation, then sends the email. `isElsewhere`: to another address. */
  mail(invoice: OpenInvoiceItem, kind: MailKind, options?: { isElsewhere: true }): void;
  /** Shows an element that outlives the row's menu, such as a dialog. */
  show(overlay: ReactNode): void;
  update(id: string, change: RowUpdate): void;
  marks: RowMarks | null;
};

const readLink = readWith(PayLinkReply);

const linkPath = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** Returns the live link; creates one if there is none. */
export const makeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(linkPath(invoiceId), readLink, { method: 'POST' });

/** Requests that the link be revoked and replaced after UNDO_MS. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(linkPath(invoiceId), readLink, { method: 'DELETE' });

/** Cancels a pending revocation. */
export const keepLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(`${linkPath(invoiceId)}/revocation`, readLink, { method: 'DELETE' });
