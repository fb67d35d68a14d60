import { type Treatment, treatments } from '#sandbox/seed/catalogue';
import { decimalFromCents, parseCents } from '#shared/money';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';

/** Plans a clinic's last 90 days: the same on each machine, shifted to end today. Writes nothing. */

const DAYS = 90;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const OPENS = 8.5 * HOUR;
const OPEN_FOR = 8.5 * HOUR;
/** Time at which batches are closed and the bookkeeper records payments in the CRM, on all days but today. */
const CLOSES = 18 * HOUR;
const SEED = 20_261_123;
/** Number of seeded contacts in the simulated CRM. */
const CUSTOMERS = 50;
/** Cards of two simultaneous payers; never the same, or their payments could be mistaken for duplicates. */
const CARDS = [
  ['4111111111111111', '4111111111111111', '378282246310005'],
  ['5555555555554444', '5555555555554444', '6011111111111117'],
] as const;

export type Bill = { number: string; customer: number; lines: Treatment[]; cents: number; dueDate: string };

export type Step = { at: number } & (
  | { do: 'close' }
  | ({ bill: number } & (
      | { do: 'bill'; isMailed: boolean }
      | { do: 'pay'; card: string; isDeclined: boolean }
      | { do: 'sell'; reader: 0 | 1; card: string; isDeclined: boolean }
      | { do: 'refund'; cents: number; reason: string }
      | { do: 'void'; reason: string }
      | { do: 'record' }
    ))
);

export type History = { bills: Bill[]; steps: Step[] };

/** Minimum and maximum of visits per weekday, from Sunday on. On Sundays there is at most an online payment. */
const VISITS = [
  [0, 1],
  [1, 3],
  [2, 3],
  [2, 4],
  [2, 3],
  [1, 2],
  [0, 1],
] as const;
/** Age in days of each unpaid bill; a bill is due two weeks after its creation. */
const UNPAID = [47, 33, 22, 5];

export function planHistory(now: number, timeZone: string): History {
  const draw = numbersFrom(SEED);
  const between = (from: number, to: number) => from + Math.floor(draw() * (to - from + 1));
  const bills: Bill[] = [];
  const steps: Step[] = [];
  const today = localDay(now, timeZone);
  const midnight = startOfDay(today, timeZone);
  const begin = startOfDay(addDays(today, -DAYS), timeZone);
  const add = (step: Step) => {
    if (step.at <= now - 2 * MINUTE) steps.push(step);
  };

  const newBill = (at: number, isMailed: boolean): number => {
    const lines = linesOf(between);
    const cents = lines.reduce((sum, { price }) => sum + (parseCents(price) ?? 0), 0);
    const bill = bills.length;
    const number = `INV-${String(600 + bill).padStart(4, '0')}`;
    bills.push({ number, customer: between(0, CUSTOMERS - 1), lines, cents, dueDate: dayOf(at + 14 * DAY) });
    add({ at, do: 'bill', bill, isMailed });
    return bill;
  };

  /** `part`: fraction of the opening hours, 0 to 1. `side`: one of two simultaneous payers; each has a reader. */
  const visit = (start: number, part: number, side: 0 | 1, isOnline: boolean) => {
    const at = start + OPENS + Math.floor((part * OPEN_FOR) / MINUTE) * MINUTE;
    // The random draws do not depend on the current time, so that earlier days stay the same.
    const sentAt = Math.max(begin + OPENS, at - between(4, 70) * HOUR);
    const billedAt = isOnline ? Math.min(sentAt, at - 2 * MINUTE) : at - 2 * MINUTE;
    const bill = newBill(billedAt, isOnline);
    const card = CARDS[side][between(0, 2)] ?? '';
    const isDeclined = draw() < 0.06;
    const addPayment = (when: number, declined: boolean) =>
      add({ at: when, bill, card, isDeclined: declined, ...(isOnline ? { do: 'pay' } : { do: 'sell', reader: side }) });
    if (isDeclined) addPayment(at, true);
    const paidAt = isDeclined ? at + 3 * MINUTE : at;
    addPayment(paidAt, false);
    const { cents } = bills[bill] as Bill;
    // Refunds happen after their batch is closed; a void happens minutes after the payment.
    if (bill % 29 === 11) add({ at: start + 2 * DAY + 11 * HOUR, do: 'refund', bill, ...refundOf(bill, cents) });
    else if (bill % 97 === 40)
      add({ at: paidAt + 9 * MINUTE, do: 'void', bill, reason: 'Charged to the wrong person' });
    else if (start < midnight) add({ at: start + CLOSES, do: 'record', bill });
  };

  for (let daysAgo = DAYS; daysAgo >= 0; daysAgo--) {
    const day = addDays(today, -daysAgo);
    const start = startOfDay(day, timeZone);
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    const [min, max] = VISITS[weekday] ?? [0, 0];
    // Spread over the hours, so that today has some payments by noon.
    const visits = daysAgo === 0 ? max + 2 : between(min, max);
    // Visits come in pairs: simultaneous steps are written in parallel, which halves the duration of a first start.
    for (let at = 0, part = 0; at < visits; at++) {
      if (at % 2 === 0) part = (at + draw()) / visits;
      visit(start, part, (at % 2) as 0 | 1, weekday === 0 || draw() < 0.35);
    }
    if (UNPAID.includes(daysAgo)) newBill(start + 10 * HOUR, true);
    // Today's batches stay open until a user closes them.
    if (daysAgo > 0) add({ at: start + CLOSES, do: 'close' });
  }
  return { bills, steps: steps.sort((a, b) => a.at - b.at) };
}

/** One to three different treatments. */
function linesOf(between: (from: number, to: number) => number): Treatment[] {
  const offered = treatments.dental;
  const first = between(0, offered.length - 1);
  return Array.from({ length: between(1, 3) }, (_, at) => offered[(first + at * 2) % offered.length] ?? offered[0]);
}

const refundOf = (bill: number, cents: number) =>
  bill % 2 === 0
    ? { cents, reason: 'Appointment cancelled' }
    : { cents: Math.ceil(cents / 4), reason: 'Insurance paid a part' };

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

export const amountOf = ({ cents }: Bill): string => decimalFromCents(cents);

/** Uniform random numbers from 0 to below 1, deterministic by seed (mulberry32). */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Path of the history call in the seed's Worker, and the age of its clinic. */
export const HISTORY_PATH = '/history';
export const HISTORY_MS = 92 * 86_400_000;
