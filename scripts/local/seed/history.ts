import { eq } from 'drizzle-orm';
import * as sandbox from '#sandbox/credentials';
import { receiptMailId } from '#worker/data/mail/outbox';
import { findLiveLink } from '#worker/data/pay-links/pay-links';
import { users } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { closeBatch } from '#worker/domain/batches/close';
import { sendMail } from '#worker/domain/mail/send';
import { foundClinic } from '#worker/domain/merchants/clinic-of-account';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import { mailPayLink } from '#worker/domain/preview/mail';
import { reconcileAccounts } from '#worker/domain/reconciliation/run';
import { reversePayment } from '#worker/domain/refunds/refund';
import { runTerminalSale, startTerminalSale } from '#worker/domain/terminals/sale';
import { amountOf, type Bill, planHistory, type Step } from './history-plan.ts';
import { openSandbox, type Sandbox } from './sandbox.ts';

/** A drawn signature, as the pay page sends it. */
const SIGNATURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAADwAAACWCAYAAACCe+v6AAAAzElEQVR4nO3RMQqAQBAEwfuDsYn//6MiKJgLd0FXweY79NiO/bxvVLyDM6PTg5OjV/8yhcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKBygcoFKheoXKByQW7w+Ixe/cc0ucHjGb36h6lygwEAAAAAAPjlAojGI7+RW+aMAAAAAElFTkSuQmCC';

/** Ids of a bill, as they become known; empty until then. */
type Known = { invoiceId: string; payId: string; attemptId: string };
type Acting = { clinic: Deps; merchant: Merchant; world: Sandbox; known: Map<number, Known>; bills: Bill[] };

const [dental] = sandbox.hubs;
const [front, back, online] = sandbox.terminals.filter(({ hubId }) => hubId === dental.hubId);

/**
 * Writes 90 days of the first merchant with the same verbs that the product uses: each payment is charged at the
 * simulated gateway, whose clock advances in step, so that both have the same records. Returns the number of payments.
 */
export async function writeHistory(installation: Deps, sandboxUrl: string): Promise<number> {
  const founded = await foundClinic(installation, dental.hubId);
  const [user] = await founded.db
    .select({ userId: users.userId })
    .from(users)
    .where(eq(users.accountId, dental.hubId))
    .limit(1);
  const userId = user?.userId ?? 0;
  const merchant: Merchant = { sessionId: '', accountId: dental.hubId, userId, role: 'admin' };
  const { bills, steps } = planHistory(installation.now(), dental.timeZone);
  const world = await openSandbox(sandboxUrl, dental.hubId);
  const known = new Map<number, Known>();
  await world.forgetCharges();
  try {
    // Run simultaneous steps in parallel: sequentially, most of the time is spent waiting.
    for (const [at, together] of Map.groupBy(steps, (step) => step.at)) {
      await world.setClock(at);
      const acting = { clinic: { ...founded, now: () => at }, merchant, world, known, bills };
      await Promise.all(together.map((step) => take(step, acting)));
    }
  } finally {
    await world.setClock(installation.now());
  }
  // Reconcile at once, so that a new user does not have to wait for the nightly run.
  await reconcileAccounts(founded);
  return [...known.values()].filter(({ attemptId }) => attemptId !== '').length;
}

async function take(step: Step, acting: Acting): Promise<void> {
  const { clinic, merchant, world, known, bills } = acting;
  const staff: Deps = { ...clinic, actor: { ...clinic.actor, kind: 'user', id: String(merchant.userId) } };
  if (step.do === 'close') return closeAll(staff, merchant);
  const bill = bills[step.bill] as Bill;
  const own = known.get(step.bill) ?? { invoiceId: '', payId: '', attemptId: '' };
  const learn = (more: Partial<Known>) => void known.set(step.bill, { ...own, ...more });
  switch (step.do) {
    case 'bill': {
      const invoiceId = await world.makeInvoice(bill);
      if (step.isMailed) must(await mailPayLink(staff, merchant, invoiceId), 'sent', step);
      const link = step.isMailed ? await findLiveLink(clinic.db, merchant.accountId, invoiceId, step.at) : undefined;
      return learn({ invoiceId, payId: link?.payId ?? '' });
    }
    case 'pay':
      return learn({ attemptId: await payOnline(clinic, world, step, own.payId) });
    case 'sell':
      return learn({ attemptId: await sell(staff, merchant, world, step, own.invoiceId) });
    case 'refund':
    case 'void': {
      const amountCents = step.do === 'refund' ? step.cents : null;
      const request = { kind: step.do, amountCents, reason: step.reason, requestKey: `history-${bill.number}` };
      const outcome = await reversePayment(staff, merchant, own.attemptId, request);
      must(outcome, 'reversal', step);
      if (outcome.kind === 'reversal') await sendMail(staff, receiptMailId(outcome.reversal.id));
      return;
    }
    case 'record':
      return world.recordPaid(own.invoiceId, amountOf(bill), step.at);
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
  must(outcome, step.isDeclined ? 'declined' : 'approved', step);
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
  if (outcome.kind !== 'started') return must(outcome, 'started', step) ?? '';
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
function must(outcome: { kind: string }, kind: string, step: { at: number }): void {
  if (outcome.kind !== kind)
    throw new Error(`the history stands still at ${new Date(step.at).toISOString()}: ${outcome.kind}, not ${kind}`);
}
