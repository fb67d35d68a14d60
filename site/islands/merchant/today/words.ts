import type { Today, TodayMovement, TodayNeed } from '#shared/contracts/payments/today';
import { formatMoney, parseCents } from '#shared/money';
import { partners } from '#shared/partners';
import { formatCount } from '#shared/text/format-count';
import { formatDayWith, formatSince, formatTime } from '#site/islands/ui/format-moment.ts';
import { otherPayer } from '../common/other-payer.ts';

export const centsOf = (amount: string): number => parseCents(amount) ?? 0;
export const formatDollars = (amount: string): string => formatMoney(centsOf(amount), 'USD');

/** Returns for example "W". */
export const dayLetter = (day: string): string => formatDayWith(day, { weekday: 'narrow' });
/** Returns for example "Nov 11". */
export const shortDay = (day: string): string => formatDayWith(day, { month: 'short', day: 'numeric' });
/** Returns for example "Wednesday, Nov 11". */
export const longDay = (day: string): string => formatDayWith(day, { weekday: 'long', month: 'short', day: 'numeric' });

const timeOf = ({ at }: Pick<Today, 'at'>) => formatTime(new Date(at));
/** Returns for example "last Tuesday by 2:18 PM". */
export const describeLastWeek = (today: Pick<Today, 'at' | 'day'>): string =>
  `last ${formatDayWith(today.day, { weekday: 'long' })} by ${timeOf(today)}`;

/** Returns for example "12 payments, 1 refund of $38.40". */
export function describeActivity({ payments, refunds }: Pick<Today, 'payments' | 'refunds'>): string {
  const total = payments === 0 ? 'No payments yet today' : formatCount(payments, 'payment');
  if (refunds.count === 0) return total;
  return `${total}, ${formatCount(refunds.count, 'refund')} of ${formatDollars(refunds.amount)}${refunds.count === 1 ? '' : ' in all'}`;
}

export type Comparison = { direction: 'more' | 'less' | null; lead: string; text: string };

/** Compares the day with the same weekday last week. Null if the takings of that day are unknown. */
export function compareWithLastWeek(today: Today): Comparison | null {
  if (today.before === null) return null;
  const [takenCents, lastWeekCents] = [centsOf(today.taken), centsOf(today.before)];
  const weekday = formatDayWith(today.day, { weekday: 'long' });
  if (today.payments === 0 && today.refunds.count === 0) {
    return {
      direction: null,
      lead: '',
      text: `Last ${weekday} had ${formatMoney(lastWeekCents, 'USD')} by ${timeOf(today)}`,
    };
  }
  if (takenCents === lastWeekCents)
    return { direction: null, lead: '', text: `The same as ${describeLastWeek(today)}` };
  const direction = takenCents > lastWeekCents ? 'more' : 'less';
  return {
    direction,
    lead: `${formatMoney(Math.abs(takenCents - lastWeekCents), 'USD')} ${direction}`,
    text: `than ${describeLastWeek(today)}`,
  };
}

const countInvoices = (count: number) => formatCount(count, 'invoice');
export const describeOverdue = ({ count, oldest_days: days }: Today['overdue']): string =>
  days === null ? countInvoices(count) : `${countInvoices(count)}, oldest ${formatCount(days, 'day')}`;
export const describeToCheck = ({ count }: Today['to_check']): string =>
  count === 0 ? 'nothing to check' : `${formatCount(count, 'payment')} to check`;
export const describeOwed = ({ count }: Today['owed']): string => countInvoices(count);

const KIND_NAMES = { payment: 'Payment', refund: 'Refund', void: 'Void', return: 'Return' };

const describePayer = (payer: string) => payer && `paid by ${payer}`;

/** Returns for example "Payment, $647.20, Ivy Whitfield". */
export const describeMovement = ({ kind, amount, customer }: TodayMovement): string =>
  [KIND_NAMES[kind], formatDollars(amount.replace('-', '')), customer].filter(Boolean).join(', ');

/** Returns for example "INV-1129, paid by Marta Nunez, online, Visa 1111". Omits a payer who is the customer. */
export const describeDetails = ({ kind, invoice, customer, payer, terminal, card }: TodayMovement): string =>
  [
    invoice.number,
    describePayer(otherPayer(customer, payer)),
    ...(kind === 'payment' ? [terminal ?? 'online', card] : [kind]),
  ]
    .filter(Boolean)
    .join(', ');

export type AttentionText = { lead: string; line: string; act: string };

const NUMBER_WORDS = ['Two', 'Three', 'Four', 'Five'];

/** Describes an item that needs attention, and its action. */
export function describeAttention({ kind, amount, invoice, customer, card, terminal, at }: TodayNeed): AttentionText {
  const money = amount === null ? 'An unknown amount' : formatDollars(amount);
  const [firstAt] = at;
  const since = firstAt ? formatSince(firstAt) : '';
  const timeText = since && `${/^\d/.test(since) ? 'at' : 'on'} ${since}`;
  const joinParts = (...values: (string | undefined)[]) => values.filter(Boolean).join(', ');
  const source = `${terminal ? `on ${terminal.name}` : 'online'} ${timeText}`.trim();
  switch (kind) {
    case 'unknown': {
      const line = `${joinParts(invoice?.number, customer, source)}. Do not take it again.`;
      return { lead: `${money} is not known yet`, line, act: 'Check payment' };
    }
    case 'undecided': {
      const line = `${joinParts(invoice?.number, customer, source)}. Please decide if it was charged.`;
      return { lead: `${money} is not known yet`, line, act: 'Check payment' };
    }
    case 'reversal': {
      const line = joinParts(invoice?.number, customer, `asked for ${timeText}`);
      return { lead: `It is not known whether ${money} was refunded`, line, act: 'Check refund' };
    }
    case 'alike': {
      const times = at.map((moment) => formatTime(new Date(moment)));
      const line = `${card} ${terminal ? `on ${terminal.name}` : 'online'}, ${times.slice(0, -1).join(', ')} and ${times.at(-1)}`;
      const count = NUMBER_WORDS[at.length - 2] ?? String(at.length);
      return { lead: `${count} payments look alike: ${money}`, line, act: 'Compare' };
    }
    case 'no-invoice':
      return { lead: `${money} matches no invoice`, line: joinParts(card, customer, since), act: 'Find invoice' };
    case 'differs': {
      const line = joinParts(invoice?.number, customer, since);
      return { lead: `${money} differs from our books`, line, act: 'Check payment' };
    }
    case 'returned': {
      const line = `${joinParts(invoice?.number, customer, `returned ${timeText}`.trim())}. The invoice is open again.`;
      return { lead: `The bank did not pay ${money}`, line, act: 'View invoice' };
    }
    case 'frozen': {
      const line = joinParts(invoice?.number, customer, `changed in ${partners.crm} ${timeText}`.trim());
      return { lead: `Partial payments of ${money}: the amount has changed`, line, act: 'Decide' };
    }
    case 'unreadable': {
      const line = `${joinParts(invoice?.number, customer)}. It cannot be collected until the amount is corrected in ${partners.crm}.`;
      return { lead: 'An amount cannot be read', line, act: 'View invoice' };
    }
    case 'approval': {
      const line = joinParts(invoice?.number, customer, `asked for ${timeText}`);
      return { lead: `A refund or void of ${money} is waiting for approval`, line, act: 'Decide' };
    }
  }
}

/** Describes the pay links whose emails bounced by their count and the first invoice. */
export function describeBounces({ count, first }: NonNullable<Today['came_back']>): AttentionText {
  const moreCount = count - 1;
  const line = `${first.number}${moreCount > 0 ? ` and ${moreCount} more` : ''}: emails to this address are not delivered.`;
  return moreCount > 0
    ? { lead: `${count} payment links came back`, line, act: 'Fix first address' }
    : { lead: '1 payment link came back', line, act: 'Fix address' };
}
