import type { LeftOutWhy, MailingInvoice } from '#shared/contracts/payments/pay-links';
import { ONLINE_CURRENCY } from '#shared/money';

/** Each stands after "Not sent:" and after a number: "2 without an address". */
const WHY: Record<LeftOutWhy, string> = {
  paid: 'paid',
  submitted: 'with a bank payment on its way',
  'not-payable-online': 'not payable online',
  'nothing-to-pay': 'without an amount to pay',
  'amount-unreadable': 'with an unreadable amount in HubSpot',
  'amount-changed': 'with a changed amount in HubSpot',
  'being-revoked': 'with a link that is just being replaced',
  paying: 'just being paid',
  released: 'with an earlier payment that may still arrive',
  closing: 'while the account is closing',
  'not-now': 'while no payment can be taken online',
  'no-address': 'without an address',
  'bad-address': 'with an invalid address',
  bounced: 'with an address that came back',
  suppressed: 'with an address that came back',
  complained: 'reported as spam',
  'just-mailed': 'emailed within the hour',
  'invoice-full': 'emailed too often today',
  'day-full': 'above the daily limit of emails',
  gone: 'not in HubSpot',
  refused: 'refused by the mail service',
  stopped: 'stopped by you',
  'too-late': 'given up after twelve hours',
};

/** "euros", "Canadian dollars"; the code itself if it is not known. */
function currencyName(code: string): string {
  try {
    const parts = new Intl.NumberFormat('en-US', {
      style: 'currency',
      currency: code,
      currencyDisplay: 'name',
    }).formatToParts(2);
    return parts.find(({ type }) => type === 'currency')?.value ?? code;
  } catch {
    return code;
  }
}

/** The reason why an invoice gets no mail, in words for a row and for a count. */
export const leftOutWords = (why: LeftOutWhy, currency: string): string =>
  why === 'not-payable-online' && currency !== ONLINE_CURRENCY && currency !== ''
    ? `in ${currencyName(currency)}`
    : WHY[why];

export const whyOf = ({ why, currency }: MailingInvoice): string => (why ? leftOutWords(why, currency) : '');

/** Groups by reason, the most frequent first. */
export function byReason<T>(all: readonly T[], reasonOf: (one: T) => string): [reason: string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(reasonOf(one), [...(groups.get(reasonOf(one)) ?? []), one]);
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** "2 without an address, 1 in euros" */
export const countReasons = (reasons: readonly string[]): string =>
  byReason(reasons, (reason) => reason)
    .map(([reason, of]) => `${of.length} ${reason}`)
    .join(', ');

export const links = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
