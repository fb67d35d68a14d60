import type { SaleState, TerminalSale } from '../../../../shared/contracts/terminals.ts';
import { formatMoney, parseCents } from '../../../../shared/money.ts';
import type { Stop } from '../../ui/feedback/StatusSteps.tsx';
import { formatTime, formatWhen, write } from '../../ui/format-moment.ts';

/** Texts about a sale: what happened, what it means for the money, what to do. */

/** Of a sale under way when the line to us is lost: the card reader does not need us. */
export const MAY_STILL_CHARGE = 'The terminal may still charge. Do not start it again.';

/** The sale may still be charged, so no other may start for its invoice. */
export const isRunning = ({ state }: Pick<TerminalSale, 'state'>): boolean =>
  state === 'waiting' || state === 'unknown';

/** The card reader may be waiting for a card. An unclear sale does not block the device any longer than that. */
export const isAtTheDevice = (sale: Pick<TerminalSale, 'state' | 'ends_by'>, now = Date.now()): boolean =>
  isRunning(sale) && now < Date.parse(sale.ends_by);

/** It ended without money, so the customer can pay in another way. */
export const isFree = ({ state }: Pick<TerminalSale, 'state'>): boolean =>
  ['declined', 'cancelled', 'timed-out', 'offline', 'busy', 'refused', 'not-charged'].includes(state);

/** "10:42:07 AM" */
const clock = (iso: string): string => write(new Date(iso), { timeStyle: 'medium' });

export const moneyOf = (amount: string, currency: string): string => formatMoney(parseCents(amount) ?? 0, currency);

type Ending = { name: string; stop: Stop['state'] };

const endings: Record<SaleState, Ending> = {
  waiting: { name: 'Approved', stop: 'ahead' },
  unknown: { name: 'Being confirmed', stop: 'unknown' },
  'needs-a-person': { name: 'Not clear', stop: 'unknown' },
  approved: { name: 'Approved', stop: 'done' },
  voided: { name: 'Voided', stop: 'ended' },
  refunded: { name: 'Refunded', stop: 'ended' },
  declined: { name: 'Declined', stop: 'failed' },
  cancelled: { name: 'Cancelled', stop: 'ended' },
  'timed-out': { name: 'Timed out', stop: 'ended' },
  offline: { name: 'Offline', stop: 'failed' },
  busy: { name: 'Busy', stop: 'failed' },
  refused: { name: 'Refused', stop: 'failed' },
  'not-charged': { name: 'Not charged', stop: 'ended' },
};

/** The reader was never reached, so it did not wait for a card. */
const UNREACHED: SaleState[] = ['offline', 'busy', 'refused'];

export function stopsOf({ state, started_at, ended_at }: TerminalSale): Stop[] {
  const ending = endings[state];
  const isUnreached = UNREACHED.includes(state);
  const waiting: Stop['state'] = state === 'waiting' ? 'now' : isUnreached ? 'ahead' : 'done';
  return [
    { name: 'Sent', state: 'done', time: clock(started_at) },
    { name: 'Waiting for card', state: waiting },
    {
      name: ending.name,
      state: ending.stop,
      time: ended_at && state !== 'unknown' ? clock(ended_at) : undefined,
    },
  ];
}

export type Said = { tone: 'ok' | 'note' | 'warn' | 'bad'; lead: string; text: string };

export function wordsFor(sale: TerminalSale): Said {
  const { terminal_name: device, provider, message, ends_by, ended_at, asked_at } = sale;
  const ended = ended_at ? ` at ${formatWhen(ended_at)}` : '';
  switch (sale.state) {
    case 'waiting':
      return {
        tone: 'note',
        lead: 'Ask the customer to tap or insert the card.',
        text: `To stop, press cancel on ${device}. It ends by itself by ${formatTime(new Date(ends_by))}.`,
      };
    case 'approved':
      return { tone: 'ok', lead: 'Approved.', text: `${moneyOf(sale.amount, sale.currency)} was charged.` };
    case 'voided':
      return { tone: 'note', lead: 'Voided.', text: 'The payment was taken back before it was settled.' };
    case 'refunded':
      return { tone: 'note', lead: 'Refunded.', text: 'The payment was given back.' };
    case 'declined':
      return {
        tone: 'bad',
        lead: `${sentence(message, 'The card was declined.')} Nothing was charged.`,
        text: 'Another card may work.',
      };
    case 'cancelled':
      return { tone: 'warn', lead: `Cancelled on ${device}${ended}.`, text: 'Nothing was charged.' };
    case 'timed-out':
      return { tone: 'warn', lead: `No card by ${formatWhen(ended_at ?? ends_by)}.`, text: 'Nothing was charged.' };
    case 'offline':
      return {
        tone: 'bad',
        lead: `${device} is offline. ${lastSeen(sale)}`,
        text: 'Nothing was charged. Check its power and network, then try again.',
      };
    case 'busy':
      return {
        tone: 'warn',
        lead: `${device} is busy with a sale that was not started here.`,
        text: 'Nothing was charged. Finish or cancel it on the card reader, then try again.',
      };
    case 'refused':
      return {
        tone: 'bad',
        lead: `${provider} did not accept the sale. Nothing was charged.`,
        text: sentence(message, 'Please contact support.'),
      };
    case 'unknown':
      return {
        tone: 'warn',
        lead: 'We do not know yet whether this was charged. Do not start it again.',
        text: `We are asking ${provider}.${asked_at ? ` Last asked at ${clock(asked_at)}.` : ''} This screen turns by itself.`,
      };
    case 'not-charged':
      return { tone: 'warn', lead: `${provider} has no trace of this sale.`, text: 'Nothing was charged.' };
    case 'needs-a-person':
      return {
        tone: 'bad',
        lead: 'The answers about this sale contradict each other. Do not start it again.',
        text: `Compare it with ${provider} and contact support. The invoice stays closed until then.`,
      };
  }
}

const lastSeen = ({ last_heard }: TerminalSale) =>
  last_heard ? `Last seen ${formatWhen(last_heard)}.` : 'It has not answered here before.';

const sentence = (text: string, otherwise: string): string =>
  text === '' ? otherwise : /[.!?]$/.test(text) ? text : `${text}.`;

/** "Front counter 1 is busy since 10:42 AM: ana@maple.example, INV-1042, $184.00." */
export function busyWords({ terminal_name, started_at, started_by, invoice_number, amount, currency }: TerminalSale) {
  const facts = [started_by, invoice_number, moneyOf(amount, currency)].filter(Boolean).join(', ');
  return `${terminal_name} is busy since ${formatWhen(started_at)}: ${facts}.`;
}
