import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addEntry, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { readDay } from './day.ts';

const HOUR = 3_600_000;
const DAY = '2026-03-09';
const MIDNIGHT = Date.parse(DAY);
/** The start of the day in a time zone five hours behind UTC (UTC ms). */
const FROM = MIDNIGHT + 5 * HOUR;
const TO = FROM + 24 * HOUR - 1;

const readFigures = (from = FROM, to = TO) =>
  readDay(db, { accountId: ACCOUNT, day: DAY, weekBefore: '2026-03-02', from, to });

beforeEach(() => addClinic({ name: 'Maple Street Dental', address: '1 Elm St' }));

it('shows the business and empty figures for a day without activity', async () => {
  expect(await readFigures()).toEqual({
    business: { name: 'Maple Street Dental', address: '1 Elm St' },
    booked: [],
    undecided: [],
    declined: 0,
    weekBeforeCents: null,
    closed: null,
    paidElsewhere: { count: 0, cents: null },
  });
});

describe('the entries of the day', () => {
  const addDayEntry = (id: string, overrides: Record<string, unknown> = {}) =>
    addEntry(id, { at: FROM, day: DAY, ...overrides });

  it('are those with that day only, earliest first', async () => {
    for (const id of ['p1', 'p2', 'p3', 'p4']) await addPayment(id);
    await addDayEntry('p1', { at: FROM + 2 });
    await addDayEntry('p2', { at: MIDNIGHT - 15 * HOUR, amount_cents: 200 });
    await addDayEntry('p3', { at: FROM + 1, day: '2026-03-08' });
    await addDayEntry('p4', { at: MIDNIGHT + 39 * HOUR, amount_cents: 400 });
    const { booked } = await readFigures();
    expect(booked.map(({ amountCents }) => amountCents)).toEqual([200, 10_000, 400]);
  });

  it('show a payment with its own method and card, and returned money without a method', async () => {
    await addPayment('p1', { card_last_four: '1111', invoice_number: 'INV-1' });
    await addPayment('p2', { invoice_number: 'INV-2' });
    await addDayEntry('p1', { provider_txn_id: 'g1' });
    await addDayEntry('p2', { provider_txn_id: 'g1', method: 'ach', at: FROM + 1 });
    await addDayEntry('p1', { provider_txn_id: 'r1', kind: 'refund', amount_cents: -50, at: FROM + 2 });
    const place = { terminal: '', customer: '' };
    expect((await readFigures()).booked).toMatchObject([
      { ...place, isPayment: true, method: 'Visa', brand: 'VISA', lastFour: '1111', invoiceNumber: 'INV-1', at: FROM },
      { ...place, isPayment: true, method: 'Bank account', lastFour: '', invoiceNumber: 'INV-2' },
      { ...place, isPayment: false, method: '', amountCents: -50, invoiceNumber: 'INV-1' },
    ]);
  });

  it('have their invoice, and show whether any of the payment was kept', async () => {
    await addPayment('p1', { state: 'refunded' });
    await addPayment('p2', { refunded_cents: 9_999 });
    await addDayEntry('p1');
    await addDayEntry('p2', { at: FROM + 1 });
    expect((await readFigures()).booked).toMatchObject([
      { invoiceId: 'p1', isKept: false },
      { invoiceId: 'p2', isKept: true },
    ]);
  });

  it('exclude a voided payment', async () => {
    await addPayment('p1');
    await addDayEntry('p1');
    await addDayEntry('p1', { provider_txn_id: 'v1', kind: 'void', amount_cents: -10_000 });
    expect((await readFigures()).booked).toEqual([]);
  });

  it('name their terminal and customer', async () => {
    await add('terminals', { terminal_id: 't1', name: 'Front desk' }, { terminal_id: 't2', name: 'Back' });
    await add('invoices', { invoice_id: 'p1', contact_first_name: 'Marta', company_name: 'X' });
    await add('invoices', { invoice_id: 'p2', company_name: 'Núñez Studio' }, { invoice_id: 'p9', company_name: 'Y' });
    await addPayment('p1', { channel: 'terminal', terminal_id: 't1' });
    await addPayment('p2', { channel: 'terminal', terminal_id: 't9' });
    await addPayment('p3', { channel: 'link', terminal_id: 't1' });
    for (const [at, id] of ['p1', 'p2', 'p3'].entries()) await addDayEntry(id, { at: FROM + at });
    expect((await readFigures()).booked).toMatchObject([
      { terminal: 'Front desk', customer: 'Marta' },
      { terminal: 't9', customer: 'Núñez Studio' },
      { terminal: '', customer: '' },
    ]);
  });
});

it('lists the day’s unknown outcomes, earliest first', async () => {
  await add('terminals', { terminal_id: 't1', name: 'Front desk' });
  const open = { channel: 'terminal', terminal_id: 't1', day: DAY };
  await addPayment('p1', { ...open, state: 'needs_human', created_at: 3, invoice_number: 'INV-1' });
  await addPayment('p2', { ...open, state: 'unknown', created_at: 2 });
  await addPayment('p3', { ...open, state: 'unknown', created_at: 2, day: '2026-03-08' });
  await addPayment('p4', { ...open, state: 'pending' });
  await add('payment_attempts', {
    ...open,
    id: 'p5',
    receipt_id: 'p5',
    invoice_id: 'p5',
    state: 'sent',
    created_at: 1,
  });
  const { undecided } = await readFigures();
  expect(undecided.map(({ at }) => at)).toEqual([1, 2, 3]);
  expect(undecided[2]).toMatchObject({ amountCents: 10_000, invoiceNumber: 'INV-1', terminal: 'Front desk' });
});

it('shows the day’s declines and the total of a week earlier', async () => {
  await add('daily_totals', { day: DAY, net_cents: 5, statuses: '{"declined":3}' });
  await add('daily_totals', { day: '2026-03-02', net_cents: 700, statuses: '{"declined":9}' });
  await add('daily_totals', { day: '2026-03-03', net_cents: 800 });
  expect(await readFigures()).toMatchObject({ declined: 3, weekBeforeCents: 700 });
});

describe('the close of the day', () => {
  const addClose = (batch_id: string, ended_at: number, overrides: Record<string, unknown> = {}) =>
    add('batch_closes', { terminal_id: 't1', batch_id, state: 'closed', ended_at, requested_by: 1, ...overrides });
  beforeEach(async () => {
    await add('terminals', { terminal_id: 't1' });
    await add('users', { user_id: 1, name: 'Ana', email: 'ana@x.example' }, { user_id: 2, email: 'ben@x.example' });
  });

  it.each([
    ['its last moment', TO, { at: TO, by: 'Ana' }],
    ['its first moment', FROM, { at: FROM, by: 'Ana' }],
    ['the moment before', FROM - 1, null],
    ['the moment after', TO + 1, null],
  ])('counts only if it ended within the day: at %s', async (_title, ended_at, closed) => {
    await addClose('1', ended_at);
    expect((await readFigures()).closed).toEqual(closed);
  });

  it('is the last successful close of any terminal', async () => {
    await add('terminals', { terminal_id: 't2' });
    await addClose('1', FROM + 1);
    await addClose('1', FROM + 2, { terminal_id: 't2', requested_by: 2 });
    await addClose('2', FROM + 3, { state: 'failed' });
    expect((await readFigures()).closed).toEqual({ at: FROM + 2, by: 'ben@x.example' });
    await addClose('3', FROM + 4, { requested_by: 9 });
    expect((await readFigures()).closed).toEqual({ at: FROM + 4, by: '' });
  });
});

it('a payment leaves the sums of its day once, even if the gateway reports its void under two numbers', async () => {
  await addPayment('p1');
  await addEntry('p1', { day: DAY });
  await addPayment('p2');
  await addEntry('p2', { day: DAY, amount_cents: 700 });
  const sums = () => rowsOf('SELECT net_cents, methods FROM daily_totals WHERE day = ?', DAY);
  for (const number of ['v1', 'v2']) {
    await addEntry('p1', { provider_txn_id: number, kind: 'void', amount_cents: -10_000, day: DAY });
    expect(await sums()).toEqual([{ net_cents: 700, methods: '{"Visa":1}' }]);
  }
});
