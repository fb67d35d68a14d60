import { SendMailReply } from '#shared/contracts/lists';
import { readWith } from '#site/islands/ui/api/read-with.ts';
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
