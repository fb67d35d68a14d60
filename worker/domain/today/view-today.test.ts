import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { localDay } from '#shared/text/local-day';
import { insertRow } from '#tests/support/unit/insert-row';
import { freshId, makeWorld, type World } from '#tests/support/unit/world';
import { approvals } from '#worker/data/schema/proofs';
import { type AttemptState, accounts, invoices, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { viewToday } from './view-today.ts';

const ZONE = 'America/New_York';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Tuesday, 24 November 2026, 2:18 PM in New York. */
const NOW = Date.UTC(2026, 10, 24, 19, 18);

type PaymentFields = {
  at: number;
  cents: number;
  state?: AttemptState;
  brand?: string;
  lastFour?: string;
  channel?: 'link' | 'terminal';
  payer?: [string, string];
};

async function makeWorldIn(zone = ZONE): Promise<World> {
  const world = await makeWorld();
  await world.db.update(accounts).set({ timeZone: zone }).where(eq(accounts.accountId, world.accountId));
  return world;
}

/** Adds a payment to our books, without a ledger entry if no money is known to have moved. */
async function addPayment(world: World, payment: PaymentFields, zone = ZONE): Promise<string> {
  const { at, cents, state = 'approved', brand = 'VISA', channel = 'link', payer = ['Ivy', 'Whitfield'] } = payment;
  const id = `a${freshId()}`;
  const day = localDay(at, zone);
  const commonFields = {
    accountId: world.accountId,
    invoiceId: id,
    amountCents: cents,
    currency: 'USD',
    channel,
    day,
  } as const;
  await world.db.insert(paymentAttempts).values({
    ...commonFields,
    id,
    collection: 1,
    terminalId: `T${world.accountId}`,
    method: 'card',
    invoiceNumber: `INV-${id}`,
    state,
    dedupeKey: id,
    receiptId: id,
    holdUntil: at,
    createdAt: at,
    cardBrand: brand,
    cardLastFour: payment.lastFour ?? id.slice(-4),
    payerFirstName: payer[0],
    payerLastName: payer[1],
  });
  if (!['unknown', 'needs_human', 'sent', 'declined'].includes(state)) {
    const entry = { ...commonFields, attemptId: id, kind: 'payment', method: 'card', brand, at } as const;
    await world.db.insert(ledger).values({ ...entry, providerTxnId: `g${id}` });
  }
  return id;
}

async function addReversal(world: World, id: string, cents: number, at: number, kind: 'refund' | 'void' = 'refund') {
  await world.db.insert(ledger).values({
    accountId: world.accountId,
    providerTxnId: `r${freshId()}`,
    attemptId: id,
    invoiceId: id,
    kind,
    amountCents: -cents,
    currency: 'USD',
    channel: 'link',
    method: 'card',
    brand: 'VISA',
    at,
    day: localDay(at, ZONE),
  });
  const state = kind === 'void' ? 'voided' : 'approved';
  await world.db.update(paymentAttempts).set({ state }).where(eq(paymentAttempts.id, id));
}

const view = (world: World, now = NOW) => viewToday({ db: world.db, now: () => now }, world.accountId);

/** Makes the given invoices the only open ones. */
async function setOpenInvoices(
  world: World,
  rows: { cents: number; due: string | null; currency?: string }[],
): Promise<string[]> {
  await world.db.update(invoices).set({ status: 'paid' }).where(eq(invoices.accountId, world.accountId));
  const ids = rows.map(() => String(freshId()));
  for (const [index, { cents, due, currency = 'USD' }] of rows.entries()) {
    await world.db.insert(invoices).values({
      accountId: world.accountId,
      invoiceId: ids[index] ?? '',
      number: `INV-${ids[index]}`,
      status: 'open',
      currency,
      balanceCents: cents,
      billedCents: cents,
      dueDate: due,
      readAt: 0,
    });
  }
  return ids;
}

describe('the money taken today', () => {
  it('is everything approved since local midnight, less today’s refunds', async () => {
    const world = await makeWorldIn();
    const midnight = Date.UTC(2026, 10, 24, 5);
    const yesterday = await addPayment(world, { at: midnight - 1, cents: 90_000 });
    await addPayment(world, { at: midnight, cents: 10_000 });
    await addPayment(world, { at: NOW - MINUTE, cents: 2_550 });
    await addReversal(world, yesterday, 3_840, NOW - HOUR);
    const { taken, payments, refunds, days, day } = await view(world);
    expect({ taken, payments, refunds, day }).toEqual({
      taken: '87.10',
      payments: 2,
      refunds: { count: 1, amount: '38.40' },
      day: '2026-11-24',
    });
    expect(days).toHaveLength(14);
    expect([days[0]?.day, days.at(-2), days.at(-1)]).toEqual([
      '2026-11-11',
      { day: '2026-11-23', amount: '900.00' },
      { day: '2026-11-24', amount: '87.10' },
    ]);
  });

  it('excludes unknown, declined and pending payments', async () => {
    const world = await makeWorldIn();
    await addPayment(world, { at: NOW - HOUR, cents: 58_850, state: 'unknown' });
    await addPayment(world, { at: NOW - HOUR, cents: 100, state: 'declined' });
    await addPayment(world, { at: NOW - MINUTE, cents: 200, state: 'sent' });
    const today = await view(world);
    expect(today).toMatchObject({ taken: '0.00', payments: 0, latest: [], to_check: { count: 1, amount: '588.50' } });
  });

  it('excludes a voided payment, as analytics do, and lists both movements', async () => {
    const world = await makeWorldIn();
    const oldPaymentId = await addPayment(world, { at: NOW - DAY, cents: 5_000 });
    const id = await addPayment(world, { at: NOW - 3 * HOUR, cents: 7_110 });
    await addPayment(world, { at: NOW - 2 * HOUR, cents: 1_000 });
    await addReversal(world, id, 7_110, NOW - HOUR, 'void');
    await addReversal(world, oldPaymentId, 5_000, NOW - HOUR + 1, 'void');
    const { taken, payments, refunds, latest, days } = await view(world);
    expect({ taken, payments, refunds }).toEqual({
      taken: '10.00',
      payments: 1,
      refunds: { count: 0, amount: '0.00' },
    });
    expect(latest.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual([
      ...['void -50.00', 'void -71.10', 'payment 10.00', 'payment 71.10'],
    ]);
    expect(days.at(-2)).toEqual({ day: '2026-11-23', amount: '0.00' });
  });

  it('is compared with the same weekday of last week, up to the same local time', async () => {
    const world = await makeWorldIn();
    await addPayment(world, { at: NOW - 8 * DAY, cents: 1 });
    await addPayment(world, { at: NOW - 7 * DAY, cents: 30_000 });
    await addPayment(world, { at: NOW - 7 * DAY + MINUTE, cents: 50_000 });
    const today = await view(world);
    expect(today.before).toBe('300.00');
    expect(today.days.at(-8)).toEqual({ day: '2026-11-17', amount: '800.00' });
  });

  it.each([
    // The clocks of New York went back on Sunday, 1 November 2026, and forward on Sunday, 8 March.
    ['back', Date.UTC(2026, 10, 3, 15), Date.UTC(2026, 9, 27, 14)],
    ['forward', Date.UTC(2026, 2, 10, 14), Date.UTC(2026, 2, 3, 15)],
  ])('is compared by local time in the week in which the clocks went %s', async (_title, now, sameTimeLastWeek) => {
    const world = await makeWorldIn();
    await addPayment(world, { at: sameTimeLastWeek - DAY, cents: 1 });
    await addPayment(world, { at: sameTimeLastWeek, cents: 1_000 });
    await addPayment(world, { at: sameTimeLastWeek + MINUTE, cents: 2_000 });
    expect((await view(world, now)).before).toBe('10.00');
  });

  it.each([
    ['25 hours', '2026-11-01', Date.UTC(2026, 10, 1, 4), Date.UTC(2026, 10, 2, 5)],
    ['23 hours', '2026-03-08', Date.UTC(2026, 2, 8, 5), Date.UTC(2026, 2, 9, 4)],
  ])('runs from midnight to midnight on a day of %s', async (_title, day, midnight, next) => {
    const world = await makeWorldIn();
    await addPayment(world, { at: midnight - 1, cents: 10_000 });
    await addPayment(world, { at: midnight, cents: 100 });
    await addPayment(world, { at: next - 1, cents: 20 });
    expect(await view(world, next - 1)).toMatchObject({ day, taken: '1.20', payments: 2 });
    expect(await view(world, next)).toMatchObject({ taken: '0.00', payments: 0 });
  });

  it('has no comparison until the clinic has taken payments for a week', async () => {
    const world = await makeWorldIn();
    expect((await view(world)).before).toBeNull();
    await addPayment(world, { at: NOW - 6 * DAY, cents: 100 });
    expect((await view(world)).before).toBeNull();
    await addPayment(world, { at: NOW - 7 * DAY + HOUR, cents: 100 });
    expect((await view(world)).before).toBe('0.00');
  });
});

describe('the amount owed', () => {
  it('counts the open invoices in all currencies, sums those in dollars, and shows the overdue part', async () => {
    const world = await makeWorldIn();
    await setOpenInvoices(world, [
      { cents: 10_000, due: '2026-09-11' },
      { cents: 5_000, due: '2026-11-23' },
      { cents: 700, due: '2026-11-24' },
      { cents: 80, due: null },
      { cents: 9_999_999, due: '2026-01-01', currency: 'EUR' },
    ]);
    expect(await view(world)).toMatchObject({
      owed: { count: 5, amount: '157.80' },
      overdue: { count: 3, amount: '150.00', oldest_days: 327 },
    });
  });

  it('follows every change of an invoice and keeps no row for a due date without open amounts', async () => {
    const world = await makeWorldIn();
    const [first = '', second = ''] = await setOpenInvoices(world, [
      { cents: 10_000, due: '2026-12-01' },
      { cents: 5_000, due: '2026-12-01' },
    ]);
    const updateInvoice = async (id: string, columns: Partial<typeof invoices.$inferInsert>) => {
      await world.db.update(invoices).set(columns).where(eq(invoices.invoiceId, id));
      return (await view(world)).owed;
    };
    expect(await updateInvoice(first, { balanceCents: 4_000 })).toEqual({ count: 2, amount: '90.00' });
    expect(await updateInvoice(first, { dueDate: '2026-12-02' })).toEqual({ count: 2, amount: '90.00' });
    expect(await updateInvoice(first, { localStatus: 'paid' })).toEqual({ count: 1, amount: '50.00' });
    expect(await updateInvoice(first, { localStatus: 'none' })).toEqual({ count: 2, amount: '90.00' });
    expect(await updateInvoice(second, { status: 'voided' })).toEqual({ count: 1, amount: '40.00' });
    expect(await updateInvoice(second, { status: 'open', balanceCents: null })).toEqual({ count: 1, amount: '40.00' });
    expect(await updateInvoice(second, { balanceCents: 0 })).toEqual({ count: 1, amount: '40.00' });
    expect(await updateInvoice(second, { balanceCents: 100 })).toEqual({ count: 2, amount: '41.00' });
    expect(await updateInvoice(second, { balanceCents: 0 })).toEqual({ count: 1, amount: '40.00' });
    expect(await updateInvoice(first, { deletedAt: NOW })).toEqual({ count: 0, amount: '0.00' });
    await world.db.delete(invoices).where(eq(invoices.invoiceId, second));
    const remainingRows = await env.DB.prepare('SELECT * FROM owed_totals WHERE account_id = ?')
      .bind(world.accountId)
      .all();
    expect(remainingRows.results).toEqual([]);
  });
});

describe('the items to check', () => {
  it('include unknown payments, look-alikes, charges without an invoice and waiting refunds', async () => {
    const world = await makeWorldIn();
    const terminal = { id: `T${world.accountId}`, name: 'Web' };
    await addPayment(world, { at: NOW - 4 * HOUR, cents: 58_850, state: 'unknown', payer: ['Owen', 'Hartley'] });
    await addPayment(world, { at: NOW - 5 * HOUR, cents: 100, state: 'needs_human' });
    const sameFacts = { cents: 7_110, lastFour: '1111', channel: 'terminal' } as const;
    await addPayment(world, { ...sameFacts, at: NOW - 3 * HOUR });
    const second = await addPayment(world, { ...sameFacts, at: NOW - 3 * HOUR + 4 * MINUTE });
    await insertRow(env.DB, 'gateway_transactions', {
      account_id: world.accountId,
      provider_txn_id: `x${freshId()}`,
      verdict: 'only-gateway',
      state: 'approved',
      amount_cents: 14_220,
      net_cents: 14_220,
      at: NOW - DAY,
      kind: 'SALE',
      method: 'card',
      dedupe_key: 'none',
    });
    const waitingApproval = {
      id: `p${freshId()}`,
      accountId: world.accountId,
      attemptId: second,
      kind: 'refund',
    } as const;
    const request = {
      amountCents: 7_110,
      reason: 'Twice',
      requestKey: 'k',
      requestedBy: 1,
      requestedAt: NOW - 1,
      endsAt: NOW + 1,
    };
    await world.db.insert(approvals).values({ ...waitingApproval, ...request });

    const { needs, to_check } = await view(world);
    expect(to_check).toEqual({ count: 4, amount: '802.80' });
    expect(needs).toMatchObject([
      { kind: 'undecided', amount: '1.00' },
      { kind: 'unknown', amount: '588.50', customer: 'Owen Hartley', terminal: null },
      { kind: 'alike', amount: '71.10', card: 'Visa 1111', terminal, at: [{}, {}] },
      { kind: 'no-invoice', amount: '142.20', invoice: null },
      { kind: 'approval', amount: '71.10', invoice: { id: second } },
    ]);
    await addReversal(world, second, 7_110, NOW - 1, 'void');
    expect((await view(world)).to_check).toEqual({ count: 3, amount: '731.70' });
    await world.db.update(approvals).set({ state: 'refused' }).where(eq(approvals.id, waitingApproval.id));
    expect((await view(world)).needs.map(({ kind }) => kind)).toEqual(['undecided', 'unknown', 'no-invoice']);
  });

  it.each([
    ['refunded', 0],
    ['returned', 0],
    ['approved', 1],
  ] as const)(
    'include look-alike payments unless one of them was refunded or returned, here %s: %i',
    async (state, count) => {
      const world = await makeWorldIn();
      for (const attemptState of ['approved', state] as const)
        await addPayment(world, { at: NOW - HOUR, cents: 7_110, lastFour: '1111', state: attemptState });
      expect((await view(world)).to_check.count).toBe(count);
    },
  );

  it('include open invoices with an unreadable amount, but no other invoice without an amount', async () => {
    const world = await makeWorldIn();
    const [unreadable = '', draft = '', euros = '', deletedInvoice = ''] = await setOpenInvoices(
      world,
      ['USD', 'USD', 'EUR', 'USD', 'USD'].map((currency) => ({ cents: 100, due: null, currency })),
    );
    const updateInvoice = (id: string, values: Partial<typeof invoices.$inferInsert>) =>
      world.db.update(invoices).set(values).where(eq(invoices.invoiceId, id));
    await updateInvoice(unreadable, { balanceCents: null, contactFirstName: 'Ivy', modifiedAt: NOW - DAY });
    await updateInvoice(draft, { balanceCents: null, status: 'draft' });
    await updateInvoice(euros, { balanceCents: null });
    await updateInvoice(deletedInvoice, { balanceCents: null, deletedAt: NOW });
    const { needs, to_check } = await view(world);
    expect(needs).toEqual([
      {
        kind: 'unreadable',
        amount: null,
        invoice: { id: unreadable, number: `INV-${unreadable}` },
        customer: 'Ivy',
        card: '',
        terminal: null,
        at: [new Date(NOW - DAY).toISOString()],
      },
    ]);
    expect(to_check.count).toBe(0);
    await updateInvoice(unreadable, { balanceCents: 8000 });
    expect((await view(world)).needs).toEqual([]);
  });

  it('are all counted, but only five of each kind are shown', async () => {
    const world = await makeWorldIn();
    for (let n = 0; n < 7; n++) await addPayment(world, { at: NOW - n * HOUR, cents: 100, state: 'unknown' });
    const { needs, to_check } = await view(world);
    expect([needs.length, to_check]).toEqual([5, { count: 7, amount: '7.00' }]);
    expect(needs[0]?.at).toEqual([new Date(NOW - 6 * HOUR).toISOString()]);
  });
});

describe('the dashboard header', () => {
  it('never shows data of another clinic', async () => {
    const [world, otherWorld] = [await makeWorldIn(), await makeWorldIn()];
    await setOpenInvoices(world, []);
    await setOpenInvoices(otherWorld, [{ cents: 100, due: '2026-01-01' }]);
    await addPayment(otherWorld, { at: NOW - MINUTE, cents: 5_000 });
    await addPayment(otherWorld, { at: NOW - MINUTE, cents: 6_000, state: 'unknown' });
    await addPayment(otherWorld, { at: NOW - 7 * DAY, cents: 7_000 });
    expect(await view(world)).toMatchObject({
      taken: '0.00',
      payments: 0,
      before: null,
      latest: [],
      needs: [],
      owed: { count: 0 },
      overdue: { count: 0, oldest_days: null },
      to_check: { count: 0, amount: '0.00' },
    });
  });

  it('lists the last five movements of today, newest first, with the payer and the method of each', async () => {
    const world = await makeWorldIn();
    for (let n = 1; n <= 6; n++)
      await addPayment(world, { at: NOW - n * MINUTE, cents: n * 100, channel: n === 2 ? 'terminal' : 'link' });
    const { latest } = await view(world);
    expect(latest.map(({ amount }) => amount)).toEqual(['1.00', '2.00', '3.00', '4.00', '5.00']);
    expect(latest[0]).toMatchObject({ kind: 'payment', customer: 'Ivy Whitfield', terminal: null });
    expect(latest[1]).toMatchObject({ terminal: 'Web', card: expect.stringMatching(/^Visa .{4}$/) });
  });

  it('names the customer of the invoice, and the payer separately', async () => {
    const world = await makeWorldIn();
    const id = await addPayment(world, { at: NOW - 2 * MINUTE, cents: 100, payer: ['Marta', 'Nunez'] });
    const bill = { accountId: world.accountId, number: '', status: 'open', currency: 'USD', readAt: 0 };
    await world.db
      .insert(invoices)
      .values({ ...bill, invoiceId: id, contactFirstName: 'Renée', contactLastName: 'Bello' });
    await addReversal(world, id, 100, NOW - MINUTE);
    const { latest } = await view(world);
    expect(latest).toMatchObject([
      { kind: 'refund', customer: 'Renée Bello', payer: 'Marta Nunez' },
      { kind: 'payment', customer: 'Renée Bello', payer: 'Marta Nunez' },
    ]);
  });
});

describe('a bounced payment link', () => {
  it('is reported while its invoice is open and its contact has that address', async () => {
    const world = await makeWorldIn();
    const [id = '', otherInvoice = '', paidInvoice = ''] = await setOpenInvoices(world, [
      { cents: 100, due: null },
      { cents: 200, due: null },
      { cents: 300, due: null },
    ]);
    for (const [at, invoiceId] of [otherInvoice, id, paidInvoice].entries()) {
      const address = `p${at}@payer.example`;
      await world.db
        .update(invoices)
        .set({ contactEmail: `P${at}@Payer.example ` })
        .where(eq(invoices.invoiceId, invoiceId));
      const mail = { id: `m-${invoiceId}`, account_id: world.accountId, kind: 'pay-link', invoice_id: invoiceId };
      await insertRow(env.DB, 'outbox', { ...mail, state: 'sent', recipient: address });
      await insertRow(env.DB, 'mail_addresses', {
        account_id: world.accountId,
        address,
        mail_id: mail.id,
        why: 'bounced',
        at,
      });
    }
    await world.db.update(invoices).set({ status: 'paid' }).where(eq(invoices.invoiceId, paidInvoice));
    expect((await view(world)).came_back).toEqual({
      count: 2,
      first: { id: otherInvoice, number: `INV-${otherInvoice}` },
    });
    await world.db
      .update(invoices)
      .set({ contactEmail: 'new@payer.example' })
      .where(eq(invoices.invoiceId, otherInvoice));
    expect((await view(world)).came_back).toEqual({ count: 1, first: { id, number: `INV-${id}` } });
    await world.db.update(invoices).set({ deletedAt: 1 }).where(eq(invoices.invoiceId, id));
    expect(await view(world)).not.toHaveProperty('came_back');
  });
});
