import type { SaleState, TerminalSale } from '#shared/contracts/payments/terminals';
import { formatMoney, parseCents } from '#shared/money';
import type { Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { formatInZone, formatTime, formatWhen } from '#site/islands/ui/format-moment.ts';

// The texts about a sale state what happened, what it means for the money, and what to do next.

/** The text if the connection is lost during a sale, since the card reader continues without us. */
export const MAY_STILL_CHARGE = 'The card reader may still charge. Do not start it again.';

/** True if the sale may still be charged, so that no other one may start for its invoice. */
export const isRunning = ({ state }: Pick<TerminalSale, 'state'>): boolean =>
  state === 'waiting' || state === 'unknown';

/** True if the sale ended without payment, so that the customer can pay in another way. */
export const hasEndedUnpaid = ({ state }: Pick<TerminalSale, 'state'>): boolean =>
  ['declined', 'cancelled', 'timed-out', 'offline', 'busy', 'refused', 'not-charged'].includes(state);

/** Returns for example "10:42:07 AM". */
const clockTime = (iso: string): string => formatInZone(new Date(iso), { timeStyle: 'medium' });

export const moneyOf = (amount: string, currency: string): string => formatMoney(parseCents(amount) ?? 0, currency);

/** The appearance of a sale from two meters away. `ended` means that it was neither paid nor failed. */
export type Face = 'waiting' | 'paid' | 'declined' | 'unknown' | 'timed-out' | 'ended';

/** Returns for example "INV-1042, Marta Núñez". */
export const subjectOf = (sale: TerminalSale): string =>
  [sale.invoice_number, sale.customer].filter(Boolean).join(', ');

type StateTexts = { name: string; stop: Stop['state']; face: Face };

const stateTexts: Record<SaleState, StateTexts> = {
  waiting: { name: 'Paid', stop: 'ahead', face: 'waiting' },
  unknown: { name: 'Not known yet', stop: 'unknown', face: 'unknown' },
  'needs-a-person': { name: 'Not clear', stop: 'unknown', face: 'unknown' },
  approved: { name: 'Paid', stop: 'done', face: 'paid' },
  voided: { name: 'Voided', stop: 'ended', face: 'ended' },
  refunded: { name: 'Refunded', stop: 'ended', face: 'ended' },
  declined: { name: 'Declined', stop: 'failed', face: 'declined' },
  cancelled: { name: 'Cancelled', stop: 'ended', face: 'ended' },
  'timed-out': { name: 'Timed out', stop: 'ended', face: 'timed-out' },
  offline: { name: 'Offline', stop: 'failed', face: 'declined' },
  busy: { name: 'Busy', stop: 'failed', face: 'ended' },
  refused: { name: 'Refused', stop: 'failed', face: 'declined' },
  'not-charged': { name: 'Not charged', stop: 'ended', face: 'ended' },
};

export const faceOf = ({ state }: Pick<TerminalSale, 'state'>): Face => stateTexts[state].face;

/** Returns the name of the outcome as in the last stop of the timeline, for example "Declined". */
export const outcomeOf = ({ state }: Pick<TerminalSale, 'state'>): string =>
  state === 'waiting' ? 'Waiting for card' : stateTexts[state].name;

/** In these states, the reader was never reached, so it did not wait for a card. */
const UNREACHED_STATES: SaleState[] = ['offline', 'busy', 'refused'];

export function stopsOf({ state, started_at, ends_by, ended_at, asked_at }: TerminalSale): Stop[] {
  const { name, stop } = stateTexts[state];
  const isUnreached = UNREACHED_STATES.includes(state);
  const isWaiting = state === 'waiting';
  const lastChecked = asked_at ? `last checked ${clockTime(asked_at)}` : undefined;
  return [
    { name: 'Sent', state: 'done', time: clockTime(started_at) },
    {
      name: 'Waiting for card',
      state: isWaiting ? 'now' : isUnreached ? 'ahead' : 'done',
      time: isWaiting ? `until ${formatTime(new Date(ends_by))}` : undefined,
    },
    { name, state: stop, time: state === 'unknown' ? lastChecked : ended_at ? clockTime(ended_at) : undefined },
  ];
}

type SaleTexts = { lead: string; text: string };

/** Returns the texts about a sale, which both the customer and staff read. */
export function describeSale(sale: TerminalSale): SaleTexts {
  const { terminal_name: device, provider, message, ends_by, ended_at } = sale;
  switch (sale.state) {
    case 'waiting':
      return { lead: 'Please tap, insert or swipe', text: 'The card reader on the desk is waiting for your card.' };
    case 'approved':
      return { lead: 'Paid. Thank you', text: [describeCard(sale), describeReceipt(sale)].filter(Boolean).join(' ') };
    case 'voided':
      return { lead: 'Voided', text: 'The payment was voided before it was settled.' };
    case 'refunded':
      return { lead: 'Refunded', text: 'The payment was refunded.' };
    case 'declined':
      return {
        lead: 'Declined. Not charged',
        text: 'Nothing was taken from this card. Another card may work.',
      };
    case 'cancelled':
      return { lead: 'Cancelled. Nothing was charged.', text: `It was cancelled on ${device}.` };
    case 'timed-out':
      return {
        lead: `No card by ${formatWhen(ended_at ?? ends_by)}. Nothing was charged.`,
        text: 'The card reader has stopped waiting.',
      };
    case 'offline':
      return {
        lead: `${device} is offline. Not charged`,
        text: `${describeLastContact(sale)} Check its power and network, then try again.`,
      };
    case 'busy':
      return {
        lead: `${device} is busy. Not charged`,
        text: 'It has a sale that was not started here. Finish or cancel it on the card reader, then try again.',
      };
    case 'refused':
      return {
        lead: 'Not accepted. Not charged',
        text: `${provider} did not accept the sale. ${asSentence(message, 'Please contact support.')}`,
      };
    case 'unknown':
      return {
        lead: 'Not known yet',
        text: `Please do not pay again. We are asking ${provider}, and this page shows the answer.`,
      };
    case 'not-charged':
      return { lead: 'Nothing was charged.', text: `${provider} has no record of this sale.` };
    case 'needs-a-person':
      return {
        lead: 'Not clear',
        text: `Please do not pay again. The answers about this sale contradict each other: compare it with ${provider} and contact support. The invoice stays closed until then.`,
      };
  }
}

/** Returns for example "Visa 1111." */
const describeCard = ({ transaction }: TerminalSale): string =>
  transaction?.card
    ? `${transaction.card.replace(/ ?•+/, '').replace(/\B\p{L}+/gu, (rest) => rest.toLowerCase())}.`
    : '';

const describeReceipt = ({ receipt_to }: TerminalSale): string =>
  receipt_to ? `Your receipt is on its way to ${receipt_to}.` : '';

const describeLastContact = ({ last_heard }: TerminalSale) =>
  last_heard ? `Last seen ${formatWhen(last_heard)}.` : 'It has not been reached yet.';

const asSentence = (text: string, fallback: string): string =>
  text === '' ? fallback : /[.!?]$/.test(text) ? text : `${text}.`;

/** Returns for example "Front counter 1 has been busy since 10:42 AM: ana@maple.example, INV-1042, $184.00." */
export function describeBusy({
  terminal_name,
  started_at,
  started_by,
  invoice_number,
  amount,
  currency,
}: TerminalSale) {
  const facts = [started_by, invoice_number, moneyOf(amount, currency)].filter(Boolean).join(', ');
  return `${terminal_name} has been busy since ${formatWhen(started_at)}: ${facts}.`;
}

/**
 * Returns for example "Front counter 1 is waiting for a card:", or "Front counter 1 may still charge:" if the reader
 * does not answer.
 */
export const describeWait = ({ state, terminal_name }: Pick<TerminalSale, 'state' | 'terminal_name'>): string =>
  `${terminal_name} ${state === 'unknown' ? 'may still charge' : 'is waiting for a card'}:`;
