import { eq } from 'drizzle-orm';
import * as sandbox from '#sandbox/credentials';
import { receiptMailId } from '#worker/data/mail/outbox';
import { findLiveLink } from '#worker/data/pay-links/pay-links';
import { users } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import { sendMail } from '#worker/domain/mail/send';
import { findOrCreateClinic } from '#worker/domain/merchants/clinic-of-account';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { mailPayLink } from '#worker/domain/preview/mail-invoice';
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { reversePayment } from '#worker/domain/refunds/refund';
import { runTerminalSale, startTerminalSale } from '#worker/domain/terminals/sale';
import { amountOf, type Bill, planHistory, type Step } from './history-plan.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

/** A drawn signature, as the pay page sends it. */
const SIGNATURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADwAAACWCAYAAACCe+v6AAAAzElEQVR4nO3RMQqAQBAEwfuDsYn//6MiKJgLd0FXweY79NiO/bxvVLyDM6PTg5OjV/8yhcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKByQW7w+Ixe/cc0ucHjGb36h6lygwEAAAAAAPjlAojGI7+RW+aMAAAAAElFTkSuQmCC';

/** Ids of a bill, as they become known; empty until then. */
type BillIds = { invoiceId: string; payId: string; attemptId: string };
type Context = { clinic: Deps; merchant: Merchant; world: Sandbox; idsByBill: Map<number, BillIds>; bills: Bill[] };

const [dental] = sandbox.hubs;
const [front, back, online] = sandbox.terminals.filter(({ hubId }) => hubId === dental.hubId);

/**
 * Writes 90 days of the first merchant with the same verbs that the product uses: each payment is charged at the
 * simulated gateway, whose clock advances in step, so that both have the same records. Returns the number of payments.
 */
export async function writeHistory(installation: Deps, sandboxUrl: string): Promise<number> {
  const foundedClinic = await findOrCreateClinic(installation, dental.hubId);
  const [user] = await foundedClinic.db
    .select({ userId: users.userId })
    .from(users)
    .where(eq(users.accountId, dental.hubId))
    .limit(1);
  const userId = user?.userId ?? 0;
  const merchant: Merchant = { sessionId: '', accountId: dental.hubId, userId, role: 'admin' };
  const { bills, steps } = planHistory(installation.now(), dental.timeZone);
  const world = await openSandbox(sandboxUrl, dental.hubId);
  const idsByBill = new Map<number, BillIds>();
  await world.forgetCharges();
  try {
    // Run simultaneous steps in parallel: sequentially, most of the time is spent waiting.
    for (const [at, simultaneous] of Map.groupBy(steps, (step) => step.at)) {
      await world.setClock(at);
      const context = { clinic: { ...foundedClinic, now: () => at }, merchant, world, idsByBill, bills };
      await Promise.all(simultaneous.map((step) => take(step, context)));
    }
  } finally {
    await world.setClock(installation.now());
  }
  // Reconcile at once, so that a new user does not have to wait for the nightly run.
  await reconcileAccounts(foundedClinic);
  return [...idsByBill.values()].filter(({ attemptId }) => attemptId !== '').length;
}

async function take(step: Step, context: Context): Promise<void> {
  const { clinic, merchant, world, idsByBill, bills } = context;
  const staff: Deps = { ...clinic, actor: { ...clinic.actor, kind: 'user', id: String(merchant.userId) } };
  if (step.do === 'close') return closeAll(staff, merchant);
  const bill = bills[step.bill] as Bill;
  const ids = idsByBill.get(step.bill) ?? { invoiceId: '', payId: '', attemptId: '' };
  const saveIds = (more: Partial<BillIds>) => void idsByBill.set(step.bill, { ...ids, ...more });
  switch (step.do) {
    case 'bill': {
      const invoiceId = await world.makeInvoice(bill);
      if (step.isMailed) expectOutcome(await mailPayLink(staff, merchant, invoiceId), 'sent', step);
      const link = step.isMailed ? await findLiveLink(clinic.db, merchant.accountId, invoiceId, step.at) : undefined;
      return saveIds({ invoiceId, payId: link?.payId ?? '' });
    }
    case 'pay':
      return saveIds({ attemptId: await payOnline(clinic, world, step, ids.payId) });
    case 'sell':
      return saveIds({ attemptId: await sell(staff, merchant, world, step, ids.invoiceId) });
    case 'refund':
    case 'void': {
      const amountCents = step.do === 'refund' ? step.cents : null;
      const request = { kind: step.do, amountCents, reason: step.reason, requestKey: `history-${bill.number}` };
      const outcome = await reversePayment(staff, merchant, ids.attemptId, request);
      expectOutcome(outcome, 'reversal', step);
      if (outcome.kind === 'reversal') await sendMail(staff, receiptMailId(outcome.reversal.id));
      return;
    }
    case 'record':
      return world.recordPaid(ids.invoiceId, amountOf(bill), step.at);
  }
}

async function payOnline(
  clinic: Deps,
  world: Sandbox,
  step: Extract<Step, { do: 'pay' }>,
  payId: string,
): Promise<string> {
  const person = { firstName: 'Marta', lastName: 'Nunez' };
  const home = { address: '418 Maple Street', address2: '', city: 'Indianapolis', state: 'IN', zip: '46204' };
  const paymentDetails = await world.cardToken(online?.publicKey ?? '', step.isDeclined ? DECLINES : step.card);
  const body = {
    ...person,
    ...home,
    signature: SIGNATURE,
    signing: { kind: 'drawn' as const, words: '' },
    paymentDetails,
    paymentType: 'card' as const,
  };
  // A separate IP address for each bill: the limits on declines are per address.
  const clientIp = `198.51.${step.bill >> 8}.${step.bill & 255}`;
  const outcome = await takePayment(clinic, payId, { ...body, accountType: undefined }, { clientIp });
  expectOutcome(outcome, step.isDeclined ? 'declined' : 'approved', step);
  const attemptId = 'attempt' in outcome ? outcome.attempt.id : '';
  if (!step.isDeclined) await sendMail(clinic, receiptMailId(attemptId));
  return attemptId;
}

async function sell(
  staff: Deps,
  merchant: Merchant,
  world: Sandbox,
  { reader, card, isDeclined, ...step }: Extract<Step, { do: 'sell' }>,
  invoiceId: string,
): Promise<string> {
  const terminalId = [front, back][reader]?.terminalId ?? '';
  const outcome = await startTerminalSale(staff, merchant, terminalId, { invoiceId });
  if (outcome.kind !== 'started') return expectOutcome(outcome, 'started', step) ?? '';
  // The payer waits until the reader requests the card.
  await Promise.all([runTerminalSale(staff, outcome.counter), world.holdCard(terminalId, isDeclined ? null : card)]);
  return outcome.counter.sale.attempt.id;
}

const DECLINES = '4000000000000002';

async function closeAll(staff: Deps, merchant: Merchant): Promise<void> {
  const terminals = [front, back, online].filter((terminal) => terminal !== undefined);
  await Promise.all(terminals.map(({ terminalId }) => closeBatch(staff, merchant, terminalId, null)));
}

/** Throws on an unexpected outcome: a gap in the history would look like a defect of the product. */
function expectOutcome(outcome: { kind: string }, kind: string, step: { at: number }): void {
  if (outcome.kind !== kind)
    throw new Error(`the history stopped at ${new Date(step.at).toISOString()}: ${outcome.kind}, not ${kind}`);
}
