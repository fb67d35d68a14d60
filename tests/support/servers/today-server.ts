import { hubs } from '#sandbox/credentials';
import type { Batch } from '#shared/contracts/payments/batches';
import type { Today, TodayMovement } from '#shared/contracts/payments/today';
import { addDays } from '#shared/text/local-day';
import { answerCalls, type Caller } from './answer-calls.ts';

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
/** The day this many days ago in the clinic's time zone. */
export const dayBefore = (days: number) =>
  addDays(new Intl.DateTimeFormat('en-CA', { timeZone: hubs[0].timeZone }).format(), -days);
const AMOUNTS = [870, 720, 640, 205, 0, 1010, 820, 800, 980, 570, 160, 0, 1070, 753.35].map((amount) =>
  amount.toFixed(2),
);

type MovementFields = Partial<TodayMovement>;
export const movement = (
  id: string,
  minutes: number,
  amount: string,
  customer: string,
  fields: MovementFields = {},
): TodayMovement => ({
  id,
  kind: 'payment',
  amount,
  invoice: { id, number: `INV-${id}` },
  customer,
  payer: '',
  card: 'Visa 1111',
  terminal: null,
  at: minutesAgo(minutes),
  ...fields,
});

/** The dashboard of a busy day. */
export const busyToday = (): Today => ({
  at: new Date().toISOString(),
  day: dayBefore(0),
  taken: '753.35',
  payments: 12,
  refunds: { count: 1, amount: '38.40' },
  before: '331.70',
  came_back: { count: 2, first: { id: '9', number: 'INV-9' } },
  days: AMOUNTS.map((amount, at) => ({ day: dayBefore(13 - at), amount })),
  owed: { count: 96, amount: '54214.25' },
  overdue: { count: 23, amount: '9846.20', oldest_days: 74 },
  to_check: { count: 3, amount: '801.80' },
  needs: [
    {
      kind: 'unknown',
      amount: '588.50',
      invoice: { id: '1121', number: 'INV-1121' },
      customer: 'Owen Hartley',
      card: 'Visa 1111',
      terminal: null,
      at: [minutesAgo(2)],
    },
    {
      kind: 'alike',
      amount: '71.10',
      invoice: { id: '7', number: 'INV-7' },
      customer: 'Ada',
      card: 'Visa 1111',
      terminal: { id: '42', name: 'Front desk 1' },
      at: [minutesAgo(129), minutesAgo(125)],
    },
    {
      kind: 'no-invoice',
      amount: '142.20',
      invoice: null,
      customer: '',
      card: 'XXXX4242',
      terminal: null,
      at: [minutesAgo(6000)],
    },
    {
      kind: 'approval',
      amount: '20.00',
      invoice: { id: '8', number: 'INV-8' },
      customer: 'Ada',
      card: '',
      terminal: null,
      at: [minutesAgo(3)],
    },
  ],
  latest: [
    movement('1129', 6, '147.20', 'Ivy Whitfield'),
    movement('1127', 11, '104.40', 'Samuel Maddox', { terminal: 'Front desk 2' }),
    movement('1122', 24, '115.90', 'Renée Delacroix', { terminal: 'Front desk 1' }),
    movement('1071', 41, '-38.40', 'Daniel Raman', { kind: 'refund', terminal: 'Front desk 1' }),
    movement('1099', 52, '71.20', 'Priya Raman', { card: 'Mastercard 8812' }),
  ],
});

/** Figures that need the most space. */
export const largeToday = (): Today => ({
  ...busyToday(),
  taken: '1112184.50',
  owed: { count: 12_096, amount: '54054214.25' },
  overdue: { count: 1023, amount: '9029846.20', oldest_days: 1174 },
  latest: [
    movement('1129', 6, '112184.50', 'Wilhelmina Featherstonehaugh'),
    movement('1071', 41, '-112184.50', 'Wilhelmina Featherstonehaugh', { kind: 'refund', terminal: 'Front desk 1' }),
  ],
});

/** The dashboard of a new clinic. */
export const newClinicToday = (): Today => ({
  ...busyToday(),
  taken: '0.00',
  payments: 0,
  refunds: { count: 0, amount: '0.00' },
  before: null,
  came_back: undefined,
  needs: [],
  latest: [],
  days: AMOUNTS.map((_, at) => ({ day: dayBefore(13 - at), amount: '0.00' })),
  owed: { count: 0, amount: '0.00' },
  overdue: { count: 0, amount: '0.00', oldest_days: null },
  to_check: { count: 0, amount: '0.00' },
});

/** Answers with the current `state.today`; null: with status 503. */
export async function serveToday(caller: Caller, today: Today | null) {
  const state = { today };
  await answerCalls(
    caller,
    ({ pathname }) => pathname === '/api/today',
    ({ fulfill }) => fulfill(state.today ? { json: state.today } : { status: 503, json: {} }),
  );
  return state;
}

type Till = { name: string; sales: [count: number, cents: number]; refunds: [count: number, cents: number] };
const dollars = (cents: number) => (cents / 100).toFixed(2);

/** Answers with open batches that add up to the day's takings; a new clinic has none. */
export async function serveBatches(caller: Caller, state: { today: Today | null }) {
  const desks: Till[] = [
    { name: 'Front desk 1', sales: [5, 331_40], refunds: [1, 38_40] },
    { name: 'Front desk 2', sales: [3, 241_95], refunds: [0, 0] },
  ];
  const tills = (): Till[] => {
    const takenCents = Math.round(Number(state.today?.taken ?? 0) * 100);
    const online = takenCents - desks.reduce((sum, { sales, refunds }) => sum + sales[1] - refunds[1], 0);
    return [...desks, { name: 'Online payments', sales: [(state.today?.payments ?? 0) - 8, online], refunds: [0, 0] }];
  };
  const batchOf = ({ name, sales, refunds }: Till, at: number): Batch => ({
    id: String(at + 5),
    status: 'OPEN',
    terminal_name: name,
    'terminal-id': `7014${at + 1}`,
    'date-opened': minutesAgo(420),
    settled: null,
    'confirmation-code': null,
    'sales-count': String(sales[0]),
    'sales-total': dollars(sales[1]),
    'refund-count': String(refunds[0]),
    'refund-total': dollars(refunds[1]),
    'net-amount': dollars(sales[1] - refunds[1]),
  });
  await answerCalls(
    caller,
    ({ pathname }) => /^\/api\/terminals(\/\d+\/batches)?$/.test(pathname),
    ({ url, fulfill }) => {
      const at = /7014(\d)/.exec(url.pathname)?.[1];
      const allTills = tills();
      if (at === undefined)
        return fulfill({ json: allTills.map(({ name }, n) => ({ terminal_id: `7014${n + 1}`, terminal_name: name })) });
      const till = allTills[Number(at) - 1];
      return fulfill({ json: { batch: till && state.today?.payments ? [batchOf(till, Number(at) - 1)] : [] } });
    },
  );
}
