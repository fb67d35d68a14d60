import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { queueMail } from '#worker/data/mail/outbox';
import { accounts, invoices, paymentAttempts, terminals } from '#worker/data/schema/schema';
import { viewLink } from './pay-page/view-payable.ts';
import { takePayment } from './payments/take-payment.ts';
import { mailPayLink } from './preview/mail-invoice.ts';
import { CLINIC_STEPS } from './run-schedule.ts';

const merchantOf = ({ accountId }: World) => ({ accountId, userId: 1, role: 'manager' as const, sessionId: '' });

type Method = 'card' | 'ach';

/** Makes a payment by `method` that was released as not charged an hour ago. */
async function makeReleasedPayment(world: World, method: Method, amountCents = 18_400) {
  world.gateway.script.charge = () => lostOutcome;
  const form = { ...paymentForm(), paymentType: method, ...(method === 'ach' && { accountType: 'Checking' as const }) };
  await takePayment(world.deps, world.payId, form, { clientIp: null });
  await world.db
    .update(paymentAttempts)
    .set({ state: 'unknown' })
    .where(eq(paymentAttempts.accountId, world.accountId));
  await world.db
    .update(paymentAttempts)
    .set({ state: 'not_charged', settledAt: world.clock.now, amountCents, nextCheckAt: null })
    .where(eq(paymentAttempts.accountId, world.accountId));
  world.clock.now += 3_600_000;
}

const pay = (world: World) =>
  takePayment(world.deps, world.payId, paymentForm(), { clientIp: null }).then(({ kind }) => kind);

const BLOCKS: [string, (world: World) => Promise<unknown>, string, string, string][] = [
  [
    'no terminal takes the payment',
    ({ db, accountId }) => db.delete(terminals).where(eq(terminals.accountId, accountId)),
    ...(['no-terminal', 'not-now', 'gateway-unavailable'] as const),
  ],
  [
    'the account is closing',
    ({ db, accountId, clock }) =>
      db
        .update(accounts)
        .set({ closesAt: clock.now + 9e8 })
        .where(eq(accounts.accountId, accountId)),
    ...(['closing', 'closing', 'closing'] as const),
  ],
  [
    'online payments are paused',
    async ({ deps }) => deps.payments.recordChange(true),
    ...(['paused', 'not-now', 'paused'] as const),
  ],
  [
    'the payments of the hours before a restore are unknown',
    async ({ deps, clock }) => {
      deps.settings.RESTORED_AT = clock.now;
    },
    ...(['catching-up', 'not-now', 'gateway-unavailable'] as const),
  ],
  [
    'a bank debit may still show up',
    (world) => makeReleasedPayment(world, 'ach'),
    'released',
    'released',
    'part-refused',
  ],
  [
    'a card payment of another amount may still show up',
    (world) => makeReleasedPayment(world, 'card', 9_000),
    ...(['released', 'released', 'part-refused'] as const),
  ],
];

describe.each(BLOCKS)('while %s', (_title, applyBlock, pageKind, mailState, refusal) => {
  it('shows no amount on the page, mails no link and refuses the charge', async () => {
    const world = await makeWorld();
    await applyBlock(world);
    const { deps, db, accountId, invoiceId, clock } = world;
    expect((await viewLink(deps, world.payId)).kind).toBe(pageKind);
    expect(await mailPayLink(deps, merchantOf(world), invoiceId)).toMatchObject({
      kind: 'not-payable',
      state: mailState,
    });
    const mail = { kind: 'pay-link' as const, recipient: 'payer@example.test', accountId, invoiceId };
    await queueMail(db, { id: `waits-${invoiceId}`, ...mail }, clock.now);
    await CLINIC_STEPS.mails?.(deps);
    deps.payments.recordChange(pageKind === 'paused');
    expect(await pay(world)).toBe(refusal);
    deps.payments.recordChange(false);
    expect(world.mails).toEqual([]);
  });
});

it('after a released card payment, the same amount is offered by card only', async () => {
  const world = await makeWorld();
  await makeReleasedPayment(world, 'card');
  expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'ready', view: { cardOnly: true } });
  expect((await mailPayLink(world.deps, merchantOf(world), world.invoiceId)).kind).toBe('sent');
});

describe('a pay link email that the mail service rejected at first', () => {
  const makeQueuedMail = async () => {
    const world = await makeWorld();
    const { send } = world.deps.mailer;
    world.deps.mailer.send = async () => {
      throw new Error('503');
    };
    expect((await mailPayLink(world.deps, merchantOf(world), world.invoiceId)).kind).toBe('queued');
    world.deps.mailer.send = send;
    return world;
  };
  const sendLater = async (world: World, balanceCents: number) => {
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents };
    world.clock.now += 45_000;
    await CLINIC_STEPS.mails?.(world.deps);
    return world.mails.map(({ text }) => text).join();
  };

  it('shows the CRM’s amount at the time it is sent', async () => {
    const world = await makeQueuedMail();
    const text = await sendLater(world, 9_100);
    expect(text).toContain('$91.00');
    expect(text).not.toContain('$184.00');
    const [storedInvoice] = await world.db.select().from(invoices).where(eq(invoices.accountId, world.accountId));
    expect(storedInvoice?.balanceCents).toBe(9_100);
  });

  it('is dropped when nothing is owed anymore', async () => {
    expect(await sendLater(await makeQueuedMail(), 0)).toBe('');
  });
});
