import type { ComponentProps, ReactNode } from 'react';
import * as z from 'zod/mini';
import { openInvoiceSortFields } from '#shared/contracts/lists/list-values';
import { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import type { ListSource } from '../lists/use-list.ts';
import type { MailButton } from '../mail/MailButton.tsx';
import type { MailKind } from '../mail/mail.ts';

export const openInvoiceSource: ListSource<OpenInvoiceItem> = {
  path: '/api/invoices/getOpenInvoices',
  readRows: readWith(z.array(OpenInvoiceItem)),
  // What is owed first, the longest due at its head.
  sort: 'status',
  sorts: openInvoiceSortFields,
  filters: ['status', 'due_date'],
  // As the ages write it; the server looks closer.
  canFilter: (name, value) => name !== 'due_date' || /^[\d-]*\.\.[\d-]+$/.test(value),
};

export const nameOf = ({ crm_id, invoice_number }: OpenInvoiceItem): string => invoice_number || `Invoice ${crm_id}`;

export const customerOf = ({ customer }: OpenInvoiceItem): string =>
  `${customer.first_name} ${customer.last_name}`.trim();

/** What comes to the rows with the code of mailings. */
export type RowMarks = {
  tick(invoice: OpenInvoiceItem): ReactNode;
  /** In the head: picks all rows of the page. */
  pickPage: ReactNode;
  /** Of a tab that has no rows. */
  empty: ReactNode;
  /** What its mails came to, or what a mailing does about it now. */
  lastEmail(invoice: OpenInvoiceItem): ReactNode;
  /** The button of an address at which mail may not arrive; null: nothing speaks against it. */
  careful(invoice: OpenInvoiceItem, button: ComponentProps<typeof MailButton>): ReactNode;
};

/** What our own calls tell of a row before it is read again. */
export type Known = Partial<Pick<OpenInvoiceItem, 'id' | 'last_email' | 'link_ends_at'>>;

export type RowWays = {
  /** Id of the invoice whose mail is being sent. */
  sending: string | null;
  mail(invoice: OpenInvoiceItem, kind: MailKind): void;
  /** Shows what outlives the menu of a row, such as a dialog. */
  show(part: ReactNode): void;
  know(id: string, part: Known): void;
  marks: RowMarks | null;
};

const readLink = readWith(PayLinkReply);

const address = (invoiceId: string) => `/api/invoices/${encodeURIComponent(invoiceId)}/link`;

/** The live link; makes one if there is none. */
export const makeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'POST' });

/** Asks for the link to be revoked and replaced, UNDO_MS later. */
export const revokeLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(address(invoiceId), readLink, { method: 'DELETE' });

/** Takes that back. */
export const keepLink = (invoiceId: string): Promise<Answer<PayLinkReply>> =>
  api.call(`${address(invoiceId)}/revocation`, readLink, { method: 'DELETE' });
