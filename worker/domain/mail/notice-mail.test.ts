import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makePartWorld, type PartWorld } from '#tests/support/unit/in-parts';
import { submittedDebit } from '#tests/support/unit/submitted-debit';
import { makeWorld, type World } from '#tests/support/unit/world';
import { reversals } from '#worker/data/schema/refunds';
import { takePayment } from '#worker/domain/payments/take-payment';
import { settleReversal } from '#worker/domain/refunds/settle-reversal';
import { CLINIC_STEPS } from '#worker/domain/run-schedule';
import { choosePaymentNotices } from './payment-notices.ts';

const HOUR = 3_600_000;
const STAFF_ADDRESS = 'ana@maple.example';

/** Subscribes Ana to payment notices. The mail service accepts nothing until the returned function is called. */
async function delayNotices(world: World) {
  const { deps, accountId, clock, mails } = world;
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, 1, ?, 'admin', 0) ON CONFLICT DO NOTHING",
  )
    .bind(accountId, STAFF_ADDRESS)
    .run();
  await choosePaymentNotices(deps, { accountId, userId: 1 }, 'at-once');
  const { mailer } = deps;
  deps.mailer = { ...mailer, send: () => Promise.reject(new Error('no connection')) };
  return async () => {
    deps.mailer = mailer;
    for (let n = 0; n < 3; n++) {
      clock.now += HOUR;
      await CLINIC_STEPS.mails?.(deps);
    }
    return mails.filter(({ to }) => to === STAFF_ADDRESS).map(({ subject, text }) => [subject, text.split('\n')[0]]);
  };
}

/** Voids a payment. */
async function voidPayment({ db, deps, attempts, clock }: Pick<World, 'db' | 'deps' | 'attempts' | 'clock'>, part = 1) {
  clock.now += HOUR;
  const attempt = (await attempts()).find((candidate) => candidate.part === part && candidate.state === 'approved');
  if (!attempt) throw new Error('there is no such payment');
  const { accountId, invoiceId, amountCents } = attempt;
  const [reversal] = await db
    .insert(reversals)
    .values({
      id: deps.newId(),
      accountId,
      attemptId: attempt.id,
      invoiceId,
      kind: 'void',
      amountCents,
      dedupeKey: deps.newId(),
      requestKey: deps.newId(),
      reason: 'Billed twice',
      requestedBy: 1,
      state: 'sent',
      holdUntil: 0,
      createdAt: clock.now,
    })
    .returning();
  if (!reversal) throw new Error('it was not written');
  const txnId = attempt.providerTxnId ?? '';
  await settleReversal(deps, reversal, attempt, { to: 'approved', from: ['sent'], at: clock.now, txnId });
}

const invoiceNumberOf = ({ invoiceId }: Pick<PartWorld, 'invoiceId'>) => `INV-${invoiceId}`;
const installment = (world: PartWorld, amount: string, suffix = '') => [
  `Installment of ${amount} USD paid for invoice ${invoiceNumberOf(world)}`,
  `An installment of ${amount} USD of invoice ${invoiceNumberOf(world)} of Maple Street Dental was paid by its link.${suffix}`,
];
const paidNotice = (world: Pick<PartWorld, 'invoiceId'>) => [
  `Invoice ${invoiceNumberOf(world)} was paid`,
  `Invoice ${invoiceNumberOf(world)} of Maple Street Dental was paid by its link.`,
];

it('a payment voided before its notice was sent has no notice', async () => {
  const world = await makeWorld();
  const sentNotices = await delayNotices(world);
  expect((await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
  await voidPayment(world);
  expect(await sentNotices()).toEqual([]);
});

it.each([
  ['that was settled has a notice', [], 1],
  ['that was returned before its notice was sent has none', [{ state: 'returned', providerCode: 'R01' }], 0],
] as const)('a bank debit %s', async (_title, laterStates, notices) => {
  const { world, show, wait, state } = await submittedDebit();
  const sentNotices = await delayNotices(world);
  show([{ state: 'approved' }]);
  await wait(1);
  expect(await state()).toBe('approved');
  if (laterStates.length > 0) {
    show([...laterStates]);
    await wait(2);
    expect(await state()).toBe('returned');
  }
  expect(await sentNotices()).toEqual(notices ? [paidNotice(world)] : []);
});

it('only the last of two late installment notices reports the invoice as paid', async () => {
  const world = await makePartWorld();
  const sentNotices = await delayNotices(world.world);
  await world.pay('50.00');
  world.clock.now += HOUR;
  await world.pay('134.00');
  expect(await sentNotices()).toEqual([installment(world, '$50.00'), paidNotice(world)]);
});

it('the last installment’s notice does not report the invoice as paid if an earlier one was voided', async () => {
  const world = await makePartWorld();
  const sentNotices = await delayNotices(world.world);
  await world.pay('50.00');
  await world.pay('134.00');
  await voidPayment(world, 1);
  expect(await sentNotices()).toEqual([installment(world, '$134.00', ' $50.00 USD is left to pay.')]);
});

it('an installment notice shows no amount left while the amount owed is undecided', async () => {
  const world = await makePartWorld();
  const sentNotices = await delayNotices(world.world);
  await world.pay('50.00');
  world.edit(9_000);
  expect((await world.pay('50.00')).kind).toBe('frozen');
  expect(await sentNotices()).toEqual([installment(world, '$50.00')]);
});
