import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { operator } from '#shared/operator';
import { paymentForm } from '#tests/support/pay-form';
import { revokeLinkNow } from '#tests/support/revoke-link';
import { insertRow } from '#tests/support/unit/insert-row';
import { declinedOutcome, lostOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { claimApplication, storeApplication } from '#worker/data/merchants/merchants';
import { type Attempt, accounts, paymentAttempts } from '#worker/data/schema/schema';
import { auditEvent } from '#worker/domain/audit/event';
import { readReceipt } from '#worker/domain/mail/receipt';
import { takePayment } from '#worker/domain/payments/take-payment';
import { runSchedule } from '../run-schedule.ts';
import { publicInvoice, viewLink } from './view-payable.ts';
import { viewPayment } from './view-payment.ts';

const pay = (world: World) =>
  takePayment(world.deps, world.payId, paymentForm(), { clientIp: `ip-${world.accountId}` });

const openView = async (world: World) => {
  const linkView = await viewLink(world.deps, world.payId);
  if (!('view' in linkView)) throw new Error(`nothing to show: ${linkView.kind}`);
  return linkView;
};

describe('the amount shown to a payer', () => {
  it.each([
    ['is zero', 0],
    ['is below zero', -500],
  ])('is 0 when the balance %s, and a payment finds nothing to pay', async (_title, balanceCents) => {
    const world = await makeWorld();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents };
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    const { kind, view, invoice } = await openView(world);
    expect([kind, publicInvoice(view, invoice).invoice.amount_due]).toEqual(['nothing-to-pay', '0.00']);
    expect(await pay(world)).toEqual({ kind: 'nothing-to-pay' });
    expect(world.gateway.charges).toEqual([]);
  });

  it('is empty, not 0, when the balance cannot be read', async () => {
    const world = await makeWorld();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents: null };
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    const { kind, view, invoice } = await openView(world);
    expect([kind, publicInvoice(view, invoice).invoice.amount_due]).toEqual(['amount-unreadable', null]);
    expect(await pay(world)).toEqual({ kind: 'amount-unreadable' });
    expect(world.gateway.charges).toEqual([]);
  });
});

describe('the contact of the business', () => {
  it('is the business’s own phone number, or the operator’s if it has none', async () => {
    const world = await makeWorld();
    const readPhone = async () => (await openView(world)).view.business.phone;
    const savePhone = (phone: string) =>
      world.db.update(accounts).set({ phone }).where(eq(accounts.accountId, world.accountId));
    await savePhone('(317) 555-0100');
    expect(await readPhone()).toBe('(317) 555-0100');
    await savePhone('');
    expect(await readPhone()).toBe(operator.supportPhone);
  });
});

describe('an invoice whose copy cannot be saved', () => {
  it('is shown as it is in the CRM', async () => {
    const world = await makeWorld();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents: 12_300 };
    world.clock.now += world.deps.settings.SNAPSHOT_MS + 1;
    const insert = () => {
      throw new Error('D1_ERROR: the object was reset');
    };
    world.deps.db = Object.assign(Object.create(world.deps.db), { insert });
    const { kind, view } = await openView(world);
    expect([kind, view.invoice.amountDue]).toEqual(['ready', '123.00']);
    expect(world.logs).toContain('invoice-not-saved');
  });
});

describe('a payment with unknown outcome', () => {
  it('is shown with its time and deadline, and afterwards as not charged', async () => {
    const world = await makeWorld();
    const since = new Date(world.clock.now).toISOString();
    const until = new Date(world.clock.now + world.deps.settings.HOLD_MS).toISOString();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    const status = async () => (await viewPayment(world.deps, world.payId))?.status;
    expect(await status()).toEqual({ state: 'pending', since, until });
    expect((await openView(world)).view).toMatchObject({
      state: 'pending',
      pendingSince: since,
      pendingUntil: until,
      timeZone: 'America/Indiana/Indianapolis',
    });

    for (let minute = 0; minute < 17; minute++) {
      world.clock.now += 60_000;
      await runSchedule(world.deps);
    }
    expect(await status()).toEqual({ state: 'none', since, notCharged: true });
    const { kind, view } = await openView(world);
    expect([kind, view]).toMatchObject(['ready', { state: 'ready', notChargedAt: since }]);
    expect(view).not.toHaveProperty('pendingSince');

    world.gateway.script.charge = declinedOutcome;
    expect((await pay(world)).kind).toBe('declined');
    expect((await openView(world)).view).not.toHaveProperty('notChargedAt');
  });

  it('has no deadline while it is in manual review', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    await world.db
      .update(paymentAttempts)
      .set({ state: 'needs_human' })
      .where(eq(paymentAttempts.accountId, world.accountId));
    const since = new Date(world.clock.now).toISOString();
    expect((await viewPayment(world.deps, world.payId))?.status).toEqual({ state: 'pending', since });
  });
});

describe('a waiting pay page', () => {
  it('shows the receipt and card of its own submission only', async () => {
    const world = await makeWorld();
    world.clock.now = Date.UTC(2026, 2, 5, 3, 30);
    const form = { ...paymentForm(), attemptId: 'click-number-1' };
    await takePayment(world.deps, world.payId, form, { clientIp: null });
    const status = async (key?: string) => (await viewPayment(world.deps, world.payId, key))?.status;
    expect(await status('click-number-1')).toMatchObject({
      state: 'paid',
      // The day at the clinic, where it is still the previous evening.
      transaction: { date: '2026-03-04' },
      receiptUrl: expect.stringContaining('/receipt/'),
    });
    const otherStatus = await status('click-number-2');
    expect(otherStatus).toMatchObject({ state: 'paid' });
    expect(otherStatus).not.toHaveProperty('receiptUrl');
    expect(otherStatus).not.toHaveProperty('transaction');
    expect(await status()).not.toHaveProperty('receiptUrl');
  });

  const SECOND = 1000;

  /** True if a poll `atMs` after the payment began finds its status inquiry due. */
  const isInquiryDue = async (atMs: number, { checkedAt, ...row }: Partial<Attempt>) => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    const startedAt = world.clock.now;
    const farFuture = startedAt + 86_400_000;
    await world.db
      .update(paymentAttempts)
      .set({ nextCheckAt: farFuture, ...row, checkedAt: startedAt + (checkedAt ?? 0) })
      .where(eq(paymentAttempts.accountId, world.accountId));
    world.clock.now = startedAt + atMs;
    return (await viewPayment(world.deps, world.payId))?.dueCheck !== null;
  };

  it.each([
    ['five seconds after the last check', 'unknown', 35, 30, true],
    ['sooner', 'unknown', 34, 30, false],
    ['a tenth of its age after the last check', 'unknown', 550, 495, true],
    ['before a tenth of its age is over', 'unknown', 549, 495, false],
    ['a minute after the last check, however old it is', 'unknown', 3000, 2940, true],
    ['before that minute is over', 'unknown', 2999, 2940, false],
    ['after an hour of waiting', 'unknown', 3601, 60, false],
    ['while it is in manual review', 'needs_human', 600, 540, true],
    ['while a bank payment is pending', 'pending', 600, 60, false],
  ] as const)('triggers a status inquiry or not: %s', async (_title, state, at, last, due) => {
    expect(await isInquiryDue(at * SECOND, { state, checkedAt: last * SECOND })).toBe(due);
  });

  it.each([
    ['may still come', 34, false],
    ['is lost', 35, true],
  ])(
    'triggers a status inquiry for a payment under way only once its reply must be lost: it %s',
    async (_title, seconds, due) => {
      const world = await makeWorld();
      let dueCheck: unknown;
      world.gateway.script.charge = async () => {
        world.clock.now += seconds * SECOND;
        dueCheck = (await viewPayment(world.deps, world.payId))?.dueCheck;
        return lostOutcome;
      };
      await pay(world);
      expect(dueCheck !== null).toBe(due);
    },
  );

  it('triggers no status inquiry for a payment that was given up or a sale at the desk', async () => {
    expect(await isInquiryDue(600 * SECOND, { state: 'needs_human', nextCheckAt: null })).toBe(false);
    expect(await isInquiryDue(600 * SECOND, { state: 'unknown', channel: 'terminal' })).toBe(false);
  });
});

describe('the business shown to a payer', () => {
  const readBusinessName = async (world: World) => (await openView(world)).view.business.name;

  it('has its trading name once it has applied, on the page, on the receipt and in the email', async () => {
    const world = await makeWorld();
    const { db } = world.deps;
    expect(await readBusinessName(world)).toBe('Maple Street Dental');
    const event = auditEvent(world.deps, {
      accountId: world.accountId,
      action: 'merchant.applied',
      subject: ['merchant', ''],
    });
    await claimApplication(db, world.accountId, 'Maple Smiles', world.clock.now, 0, event);
    expect(await readBusinessName(world)).toBe('Maple Street Dental');
    const { accountId } = world;
    const application = { accountId, name: 'Maple Smiles', merchantNumber: String(accountId), signupUrl: '' };
    await storeApplication(db, application, '', world.clock.now, event);
    expect(await readBusinessName(world)).toBe('Maple Smiles');

    await pay(world);
    const [attempt] = await world.attempts();
    expect((await readReceipt(world.deps, attempt?.receiptId ?? ''))?.business).toBe('Maple Smiles');
    await runSchedule(world.deps);
    expect(world.mails[0]?.subject).toMatch(/from Maple Smiles$/);
  });

  it('is named on a dead link, which shows whether it ended or was revoked', async () => {
    const world = await makeWorld();
    await insertRow(env.DB, 'merchants', { account_id: world.accountId, name: 'Smiles', status: 'boarded' });
    await revokeLinkNow(world.deps, world.accountId, world.invoiceId);
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'revoked', business: { name: 'Smiles' } });
    const otherWorld = await makeWorld();
    otherWorld.clock.now += 400 * 86_400_000;
    expect(await viewLink(otherWorld.deps, otherWorld.payId)).toMatchObject({ kind: 'ended' });
  });
});

describe('a signature that cannot be saved', () => {
  it('stops the payment before any claim or charge, and the next attempt can succeed', async () => {
    const world = await makeWorld();
    const { media } = world.deps;
    world.deps.media = { put: () => Promise.reject(new Error('R2 is down')) } as unknown as R2Bucket;
    expect(await pay(world)).toEqual({ kind: 'not-started' });
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
    expect(world.logs).toContain('ALERT signature-not-kept');
    world.deps.media = media;
    expect(await pay(world)).toMatchObject({ kind: 'approved' });
  });
});

describe('a paused pay page', () => {
  const makePausedWorld = () => makeWorld({ PAY_PAGE: 'paused' });

  it('offers no payment and charges nothing for a submitted form', async () => {
    const world = await makePausedWorld();
    expect((await openView(world)).kind).toBe('paused');
    expect(await pay(world)).toEqual({ kind: 'paused' });
    expect([world.gateway.charges, await world.attempts()]).toEqual([[], []]);
  });

  it('still shows a payment made before the pause and answers a resubmitted form', async () => {
    const world = await makeWorld();
    const form = paymentForm();
    const payer = { clientIp: `ip-${world.accountId}` };
    await takePayment(world.deps, world.payId, form, payer);
    world.deps.settings.PAY_PAGE = 'paused';
    expect((await openView(world)).kind).toBe('paid');
    expect((await takePayment(world.deps, world.payId, form, payer)).kind).toBe('approved');
    expect(world.gateway.charges).toHaveLength(1);
  });
});
