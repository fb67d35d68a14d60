import { useState } from 'react';
import { SendMailReply } from '#shared/contracts/lists/lists';
import type { MailElsewhereBody } from '#shared/contracts/lists/mail-request';
import type { Delivery } from '#shared/contracts/lists/mail-values';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api, sendJson } from '../api/api.ts';

export type MailKind = 'pay-link' | 'receipt';

type Texts = { button: string; sent: string; failed: string; path: string };

export const mailTexts: Record<MailKind, Texts> = {
  'pay-link': {
    button: 'Email Payment Link',
    sent: 'Payment link sent',
    failed: 'Error sending payment link',
    path: 'sendPaymentLink',
  },
  receipt: {
    button: 'Email Receipt',
    sent: 'Payment success email sent',
    failed: 'Error sending payment success email',
    path: 'sendPaymentSuccessEmail',
  },
};

/** Returns the kind of email for an invoice: the receipt if it is paid, otherwise the pay link. */
export const mailKindFor = (status: string): MailKind => (status === 'paid' ? 'receipt' : 'pay-link');

/** Returns why an invoice with this status gets no email now, or null if it may get one. */
export const statusBlockReason = (status: string): string | null =>
  status === 'submitted' ? 'A bank payment is on its way.' : null;

export const readSendReply = readWith(SendMailReply);

/** `id` is the CRM's id or a pay id. `to` is an entered address. Without it, the email goes to the one in the CRM. */
export const sendMail = (kind: MailKind, id: string, to?: string): Promise<Answer<SendMailReply>> =>
  to === undefined
    ? api.call(`/api/invoices/${mailTexts[kind].path}/${encodeURIComponent(id)}`, readSendReply, { method: 'POST' })
    : api.call(
        `/api/invoices/${encodeURIComponent(id)}/emails`,
        readSendReply,
        sendJson<MailElsewhereBody>('POST', { kind, to }),
      );

/** The invoice that an email is about. */
export type MailedInvoice = { id: string; number: string };

export type MailOutcome = { invoice: MailedInvoice; kind: MailKind } & (
  | { ok: true; reply: SendMailReply }
  | { ok: false; reason: string }
);

/** An email whose recipient is shown before it is sent. */
export type MailRequest = {
  invoice: MailedInvoice;
  kind: MailKind;
  /** The address in the CRM, or '' if there is none. */
  email: string;
  /** The result of the last email to this address. */
  delivery: Delivery | null;
  /** Set if the dialog should open with the field for another address. */
  isElsewhere?: true;
};

/** Sends emails, one at a time, and keeps the last outcome until it is dismissed. A dialog can show the recipient. */
export function useMail(onSent: (invoice: MailedInvoice, kind: MailKind, reply: SendMailReply) => void) {
  const [request, setRequest] = useState<MailRequest | null>(null);
  const [sendingId, setSendingId] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<MailOutcome | null>(null);
  const send = async ({ invoice, kind }: MailRequest, to?: string) => {
    if (sendingId !== null) return;
    setRequest(null);
    setSendingId(invoice.id);
    setOutcome(null);
    const answer = await sendMail(kind, invoice.id, to);
    setSendingId(null);
    if (answer.ok) onSent(invoice, kind, answer.value);
    setOutcome(
      answer.ok
        ? { invoice, kind, ok: true, reply: answer.value }
        : { invoice, kind, ok: false, reason: answer.error.message },
    );
  };
  return {
    sending: sendingId,
    openDialog: setRequest,
    /** Sends without a dialog, for a screen that already shows the recipient. */
    send,
    /** The props of the dialog, or null if it is not open. */
    dialog: request && { request, onSend: (to?: string) => void send(request, to), onCancel: () => setRequest(null) },
    outcome,
    close: () => setOutcome(null),
  };
}
