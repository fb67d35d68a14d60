import { useState } from 'react';
import { SendMailReply } from '#shared/contracts/lists/lists';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';

export type MailKind = 'pay-link' | 'receipt';

type Words = { button: string; sent: string; failed: string; path: string };

export const words: Record<MailKind, Words> = {
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

/** A paid invoice gets its receipt, any other the pay link. */
export const kindFor = (status: string): MailKind => (status === 'paid' ? 'receipt' : 'pay-link');

export const readSent = readWith(SendMailReply);

/** `id`: the CRM's id or a pay id. */
export const sendMail = (kind: MailKind, id: string): Promise<Answer<SendMailReply>> =>
  api.call(`/api/invoices/${words[kind].path}/${encodeURIComponent(id)}`, readSent, { method: 'POST' });

/** The invoice of a mail. */
export type Mailable = { id: string; number: string };

export type MailOutcome = { of: Mailable; kind: MailKind } & (
  | { ok: true; reply: SendMailReply }
  | { ok: false; reason: string }
);

/** Sends one mail at a time and keeps the last outcome until it is dismissed. */
export function useMail(onSent: (of: Mailable, kind: MailKind, reply: SendMailReply) => void) {
  const [sending, setSending] = useState<string | null>(null);
  const [outcome, setOutcome] = useState<MailOutcome | null>(null);
  const send = async (of: Mailable, kind: MailKind) => {
    if (sending !== null) return;
    setSending(of.id);
    setOutcome(null);
    const answer = await sendMail(kind, of.id);
    setSending(null);
    if (answer.ok) onSent(of, kind, answer.value);
    setOutcome(
      answer.ok ? { of, kind, ok: true, reply: answer.value } : { of, kind, ok: false, reason: answer.error.message },
    );
  };
  return { sending, outcome, send, close: () => setOutcome(null) };
}
