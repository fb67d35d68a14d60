import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { paidWorld } from '#tests/support/unit/paid-world';
import { transaction } from '#tests/support/unit/scripted-gateway';
import { submittedDebit } from '#tests/support/unit/submitted-debit';
import { freshId, lostOutcome, makeWorld } from '#tests/support/unit/world';
import { customerList } from '#worker/data/lists/customers';
import { contacts, invoices, ledger, outbox, paymentAttempts, sessions, users } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import { presentListedCustomer } from './present.ts';
import { viewCustomer } from './view-customer.ts';

type World = Pick<Awaited<ReturnType<typeof makeWorld>>, 'db' | 'accountId' | 'invoiceId' | 'clock'>;

/** Adds a session of the world's account and the customer of its invoice. */
async function addCustomer({ db, accountId, invoiceId, clock }: World) {
  const [invoice] = await db.select().from(invoices).where(eq(invoices.invoiceId, invoiceId));
  const contactId = invoice?.contactId ?? '';
  const sessionId = `s${accountId}`;
  const userId = freshId();
  await db.insert(users).values({ accountId, userId, email: 'a@hub.example', lastLoginAt: 0 });
  await db.insert(sessions).values({
    id: sessionId,
    accountId,
    userId,
    refreshTokenHash: sessionId,
    createdAt: 0,
    seenAt: 0,
    endsAt: clock.now + 86_400_000,
  });
  await db
    .insert(contacts)
    .values({ accountId, contactId, firstName: 'Marta', address: '1 Elm St', city: 'Carmel', state: 'IN', readAt: 1 })
    .onConflictDoNothing();
  return { contactId, claim: { sessionId, accountId } };
}

async function customerOf(world: World & { deps: Parameters<typeof viewCustomer>[0] }) {
  const { contactId, claim } = await addCustomer(world);
  const view = await viewCustomer(world.deps, claim, contactId);
  if (view.kind !== 'customer') throw new Error(view.kind);
  return view.customer;
}

describe('a customer', () => {
  it('owes the readable amounts; open invoices with an unreadable amount are counted separately', async () => {
    const world = await makeWorld();
    const { contactId, claim } = await addCustomer(world);
    const [invoice] = await world.db.select().from(invoices).where(eq(invoices.invoiceId, world.invoiceId));
    if (!invoice) throw new Error('no invoice');
    const { shownStatus: _s, shownBalanceCents: _b, listBalanceCents: _l, idNumber: _i, ...row } = invoice;
    await world.db.insert(invoices).values({ ...row, balanceCents: null, invoiceId: String(freshId()) });
    const view = await viewCustomer(world.deps, claim, contactId);
    expect(view).toMatchObject({
      customer: { owed: [{ currency: 'USD', amount: '184.00', invoices: 2, unreadable: 1 }] },
    });
    const { results } = await world.db.$client
      .prepare(`SELECT ${customerList.columns} FROM contacts t WHERE t.account_id = ?`)
      .bind(world.accountId)
      .all();
    expect(results.map(presentListedCustomer)).toMatchObject([{ owed: '184.00', has_unreadable: true }]);
  });

  it('owes all open balances; the overdue part depends on the clinic’s local day', async () => {
    const world = await makeWorld();
    const { contactId, claim } = await addCustomer(world);
    const [invoice] = await world.db.select().from(invoices).where(eq(invoices.invoiceId, world.invoiceId));
    if (!invoice) throw new Error('no invoice');
    const { shownStatus: _s, shownBalanceCents: _b, listBalanceCents: _l, idNumber: _i, ...row } = invoice;
    // 4 Mar, 03:00 UTC is still 3 Mar in Indianapolis, so an invoice due on the 3rd is not overdue yet.
    world.clock.now = Date.UTC(2026, 2, 4, 3);
    for (const overrides of [
      { dueDate: '2026-03-03', balanceCents: 1_000 },
      { dueDate: '2026-03-02', balanceCents: 250 },
      { dueDate: '2026-03-01', balanceCents: 0 },
      { status: 'draft', balanceCents: 99 },
      { localStatus: 'paid' as const, balanceCents: 99 },
    ])
      await world.db.insert(invoices).values({ ...row, ...overrides, invoiceId: String(freshId()) });
    const view = await viewCustomer(world.deps, claim, contactId);
    expect(view).toMatchObject({
      customer: {
        address: '1 Elm St, Carmel, IN',
        invoice_count: 6,
        owed: [
          {
            currency: 'USD',
            amount: '196.50',
            invoices: 3,
            overdue_amount: '2.50',
            overdue_invoices: 1,
            first_due: '2026-03-02',
          },
        ],
        paid: { amount: '0.00', payments: 0, given_back: 0, last_at: null, usual_days: null },
        payments: [],
      },
    });
  });

  it('has paid the ledger amount less refunds, and a refund is listed above its payment', async () => {
    const world = await paidWorld();
    world.clock.now += 60_000;
    await world.reverse({ amountCents: 7_110 });
    const { owed, paid, payments, mails } = await customerOf(world);
    expect(owed).toEqual([]);
    expect(paid).toMatchObject({ amount: '112.90', payments: 1, given_back: 1 });
    expect(payments).toMatchObject([
      { kind: 'refund', amount: '-71.10', invoice_id: world.invoiceId },
      { kind: 'payment', amount: '184.00', where: 'online' },
    ]);
    expect(mails.map(({ kind }) => kind)).toContain('receipt');
  });

  it('has no last payment after its only payment was voided, in the customer view and in the list', async () => {
    const world = await paidWorld('open');
    const { contactId, claim } = await addCustomer(world);
    const [entry] = await world.ledger();
    const lastPaidTimes = async () => {
      const [contact] = await world.db.select().from(contacts).where(eq(contacts.contactId, contactId));
      const view = await viewCustomer(world.deps, claim, contactId);
      return [contact?.lastPaidAt, view.kind === 'customer' && view.customer.paid.last_at];
    };
    expect(await lastPaidTimes()).toEqual([entry?.at, new Date(entry?.at ?? 0).toISOString()]);
    world.clock.now += 60_000;
    await world.reverse({ kind: 'void', amountCents: null });
    expect(await lastPaidTimes()).toEqual([0, null]);
  });

  it('lists the link, reminder and receipt emails with their delivery, but no reminder that failed', async () => {
    const world = await makeWorld();
    const { db, accountId, invoiceId, clock } = world;
    const mails = [
      { kind: 'pay-link', state: 'sent', delivery: 'bounced' },
      { kind: 'reminder', state: 'sent', delivery: 'delivered' },
      { kind: 'reminder', state: 'failed', delivery: null },
      { kind: 'crm-receipt', state: 'due', delivery: null },
    ] as const;
    for (const [index, mail] of mails.entries()) {
      const times = { nextTryAt: clock.now, createdAt: clock.now + index };
      await db
        .insert(outbox)
        .values({ id: `m${accountId}${index}`, recipient: 'm@example.test', accountId, invoiceId, ...times, ...mail });
    }
    expect((await customerOf(world)).mails).toMatchObject([
      { kind: 'receipt', state: 'due', delivery: null },
      { kind: 'reminder', state: 'sent', delivery: 'delivered' },
      { kind: 'pay-link', state: 'sent', delivery: 'bounced' },
    ]);
  });

  it('still owes an invoice whose payment outcome is unknown', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
    expect(await world.attempts()).toMatchObject([{ state: 'unknown' }]);
    const { owed, paid, payments, on_its_way } = await customerOf(world);
    expect(on_its_way).toBe('0.00');
    expect(payments).toEqual([]);
    expect(paid).toMatchObject({ amount: '0.00', payments: 0, last_at: null });
    expect(owed).toMatchObject([{ amount: '184.00', invoices: 1 }]);
  });

  it('has a submitted bank payment that is neither owed nor paid until the bank pays', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'pending',
      txn: transaction(request, { state: 'pending', result: 'PENDING', brand: 'ACH' }),
      exchangeId: '',
    });
    await takePayment(world.deps, world.payId, paymentForm({ paymentType: 'ach' }), { clientIp: null });
    expect(await world.attempts()).toMatchObject([{ state: 'pending' }]);
    const { owed, on_its_way, paid, payments } = await customerOf(world);
    expect({ owed, on_its_way }).toEqual({ owed: [], on_its_way: '184.00' });
    expect(paid).toMatchObject({ amount: '0.00', payments: 0 });
    expect(payments).toMatchObject([
      { kind: 'submitted', amount: '184.00', how: 'Bank account', where: 'online', invoice_number: expect.any(String) },
    ]);
  });

  it('lists a bank payment returned before it arrived as one entry and counts it in no sum', async () => {
    const { world, show, wait } = await submittedDebit();
    show([{ state: 'returned' }]);
    await wait(2);
    expect(await world.attempts()).toMatchObject([{ state: 'returned' }]);
    const { on_its_way, paid, payments } = await customerOf(world);
    expect(on_its_way).toBe('0.00');
    expect(paid).toMatchObject({ amount: '0.00', payments: 0, given_back: 0, last_at: null });
    expect(payments).toMatchObject([{ kind: 'returned', amount: '184.00', how: 'Bank account' }]);
  });

  it('lists a bank payment returned after it arrived as a payment and a return', async () => {
    const { world, show, wait } = await submittedDebit();
    show([{ state: 'approved' }]);
    await wait(2);
    show([{ state: 'returned' }]);
    await wait(3);
    expect(await world.attempts()).toMatchObject([{ state: 'returned' }]);
    expect((await customerOf(world)).payments.map(({ kind }) => kind)).toEqual(['return', 'payment']);
  });

  it('shows the usual days to pay from the third invoice paid after its link was mailed', async () => {
    const world = await paidWorld();
    const { db, accountId, invoiceId, clock } = world;
    const [[invoice], [attempt], [entry]] = await Promise.all([
      db.select().from(invoices).where(eq(invoices.invoiceId, invoiceId)),
      world.attempts(),
      world.ledger(),
    ]);
    if (!invoice || !attempt || !entry) throw new Error('nothing was paid');
    const { shownStatus: _s, shownBalanceCents: _b, listBalanceCents: _l, idNumber: _i, ...row } = invoice;
    const addLinkMail = (newId: string, days: number) => {
      const at = clock.now - days * 86_400_000;
      const sentTimes = { state: 'sent' as const, nextTryAt: at, createdAt: at, sentAt: at };
      const mail = {
        id: `m${newId}`,
        kind: 'pay-link' as const,
        recipient: 'm@example.test',
        accountId,
        invoiceId: newId,
      };
      return db.insert(outbox).values({ ...mail, ...sentTimes });
    };
    const addPaidInvoice = async (days: number) => {
      const newId = String(freshId());
      await db.insert(invoices).values({ ...row, invoiceId: newId });
      const unique = { id: newId, receiptId: newId, tokenHash: null, attemptKey: null, providerTxnId: newId };
      await db.insert(paymentAttempts).values({ ...attempt, ...unique, invoiceId: newId });
      await db.insert(ledger).values({ ...entry, providerTxnId: newId, attemptId: newId, invoiceId: newId });
      await addLinkMail(newId, days);
    };
    await addLinkMail(invoiceId, 2);
    await addPaidInvoice(9);
    const customer = await customerOf(world);
    expect(customer.paid).toMatchObject({ payments: 2, usual_days: null });
    await addPaidInvoice(1);
    const { contactId } = row;
    const claim = { sessionId: `s${accountId}`, accountId };
    expect(await viewCustomer(world.deps, claim, contactId)).toMatchObject({
      customer: { paid: { payments: 3, usual_days: 2 } },
    });
  });

  it('is not found by another account, after deletion in the CRM or without a session', async () => {
    const world = await makeWorld();
    const { contactId, claim } = await addCustomer(world);
    const otherCustomer = await addCustomer(await makeWorld());
    expect(await viewCustomer(world.deps, otherCustomer.claim, contactId)).toEqual({ kind: 'not-found' });
    expect(await viewCustomer(world.deps, { ...claim, sessionId: 'none' }, contactId)).toEqual({ kind: 'no-session' });
    await world.db.update(contacts).set({ deletedAt: 1 }).where(eq(contacts.contactId, contactId));
    expect(await viewCustomer(world.deps, claim, contactId)).toEqual({ kind: 'not-found' });
  });
});
