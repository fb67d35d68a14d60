import { type LeftOutWhy, type Mailing, type MailingInvoice, MailingReply } from '#shared/contracts/mailings';
import type { MailingBody } from '#shared/contracts/mailings-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import { api, sendJson } from '../api/api.ts';

const read = readWith(MailingReply);

export const fetchMailing = () => api.call('/api/mailings', read);
/** The same id again is the same mailing. */
export const askForMailing = (id: string, invoices: string[]) =>
  api.call('/api/mailings', read, sendJson<MailingBody>('POST', { id, invoices }));
export const stopMailing = (id: string) => api.call(`/api/mailings/${id}`, read, { method: 'DELETE' });

const WHY: Record<LeftOutWhy, string> = {
  paid: 'it is paid',
  submitted: 'a bank payment is on its way',
  'not-payable-online': 'it cannot be paid online',
  'nothing-to-pay': 'it has no amount to pay',
  'amount-unreadable': 'its amount in HubSpot cannot be read',
  'amount-changed': 'its amount has changed in HubSpot',
  'being-revoked': 'its link is just being replaced',
  paying: 'it is just being paid',
  released: 'an earlier payment may still arrive',
  'not-now': 'no payment can be taken online at present',
  'no-address': 'no email address',
  'bad-address': 'its email address is not valid',
  bounced: 'its address came back',
  suppressed: 'its address came back',
  complained: 'its owner reported spam',
  'just-mailed': 'emailed within the hour',
  'invoice-full': 'emailed too often today',
  'day-full': 'no more emails can be sent today',
  gone: 'it is not in HubSpot',
  refused: 'the mail service refused it',
  stopped: 'stopped',
  'too-late': 'it waited too long',
};

export const whyOf = ({ why }: MailingInvoice): string => (why ? WHY[why] : '');

/** What the row of an invoice says while its mailing goes on, and after. */
export function rowWords(invoice: MailingInvoice): string {
  switch (invoice.state) {
    case 'waiting':
      return 'waiting';
    case 'sending':
      return 'Sending';
    case 'sent':
      return `Sent ${formatWhen(invoice.at)}`;
    case 'left-out':
      return `Not sent: ${whyOf(invoice)}`;
  }
}

export const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);

type Progress = { all: number; sent: number; leftOut: MailingInvoice[]; done: number };

export function progressOf({ invoices }: Mailing): Progress {
  const leftOut = invoices.filter(({ state }) => state === 'left-out');
  const sent = invoices.filter(({ state }) => state === 'sent').length;
  return { all: invoices.length, sent, leftOut, done: sent + leftOut.length };
}
