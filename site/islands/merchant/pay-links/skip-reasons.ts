import type { MailingInvoice, SkipReason } from '#shared/contracts/payments/pay-links';
import { ONLINE_CURRENCY } from '#shared/money';

/** These texts follow "Not sent:" or a number, as in "2 without an address". */
const skipTexts: Record<SkipReason, string> = {
  paid: 'paid',
  submitted: 'with a bank payment on its way',
  'not-payable-online': 'not payable online',
  'nothing-to-pay': 'without an amount to pay',
  'amount-unreadable': 'with an unreadable amount in HubSpot',
  'amount-changed': 'with a changed amount in HubSpot',
  'being-revoked': 'with a link that is just being replaced',
  paying: 'just being paid',
  released: 'with an earlier payment that may still go through',
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

/** Returns for example "euros" or "Canadian dollars", or the code itself if it is unknown. */
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

/** Describes why an invoice gets no email, in words that fit a row and a count. */
export const describeSkip = (reason: SkipReason, currency: string): string =>
  reason === 'not-payable-online' && currency !== ONLINE_CURRENCY && currency !== ''
    ? `in ${currencyName(currency)}`
    : skipTexts[reason];

export const skipReasonOf = ({ why, currency }: MailingInvoice): string => (why ? describeSkip(why, currency) : '');

/** Groups items by reason, the most frequent reason first. */
export function groupByReason<T>(items: readonly T[], reasonOf: (item: T) => string): [reason: string, T[]][] {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(reasonOf(item), [...(groups.get(reasonOf(item)) ?? []), item]);
  return [...groups].sort(([, a], [, b]) => b.length - a.length);
}

/** Returns for example "2 without an address, 1 in euros". */
export const countReasons = (reasons: readonly string[]): string =>
  groupByReason(reasons, (reason) => reason)
    .map(([reason, items]) => `${items.length} ${reason}`)
    .join(', ');

export const countLinks = (count: number): string => (count === 1 ? '1 link' : `${count} links`);
