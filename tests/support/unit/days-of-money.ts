import { eq } from 'drizzle-orm';
import { localDay } from '#shared/text/local-day';
import { type LedgerPair, makeLedgerPair } from '#tests/support/ledger-pair';
import { type Random, randomFrom } from '#tests/support/seeded-random';
import { accounts, contacts, invoices, sessions } from '#worker/data/schema/schema';
import { settle } from '#worker/domain/payments/settle';
import { ingestTransactions } from '#worker/domain/reconciliation/ingest';
import { reversePayment } from '#worker/domain/refunds/refund';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

const HOUR_MS = 3_600_000;
const ZONES = [
  'America/Indiana/Indianapolis',
  'America/Los_Angeles',
  'America/New_York',
  'Pacific/Honolulu',
  'Pacific/Kiritimati',
];
/** Start days: before clock changes in both directions, before and on a leap day, at a year's end, and in summer. */
const START_DAYS = ['2026-03-07', '2026-10-31', '2028-02-28', '2028-02-29', '2026-12-31', '2026-06-15'];
const CONTACT = 'c1';

/** An actual movement of money. */
export type Movement = { payment: string; cents: number; day: string };
type Payment = {
  id: string;
  cents: number;
  refundableCents: number;
  txn: GatewayTransaction;
  timeZone: string;
  state: 'unknown' | 'pending' | 'approved' | 'voided' | 'returned';
};

/** A clinic with random payments, and a list of actual money movements that is independent of the ledger. */
export async function makeDays(seed: number) {
  const random = randomFrom(seed);
  const world = await makeLedgerPair();
  const { accountId, db, clock } = world;
  const session = { sessionId: `s${accountId}`, accountId };
  let timeZone = ZONES[0] ?? 'UTC';
  const payments: Payment[] = [];
  const movements: Movement[] = [];
  clock.now = Date.parse(random.pick(START_DAYS)) + 20 * HOUR_MS;
  const startedAt = clock.now;
  world.gateway.script.batches = () => [batch(world, startedAt)];

  const wait = (hours: number) => {
    clock.now += Math.floor(random.next() * hours * HOUR_MS) + 60_000;
  };
  const book = (payment: Payment, cents: number, at: number, zone = timeZone) =>
    movements.push({ payment: payment.id, cents, day: localDay(at, zone) });
  /** A random time after the payment, less than 30 hours ago. */
  const earlier = ({ txn }: Payment) => Math.max((txn.createdAt ?? 0) + 1, clock.now - random.below(30) * HOUR_MS);

  const sell = async () => {
    const state = random.pick(['approved', 'approved', 'approved', 'unknown', 'pending'] as const);
    const cents = 100 + random.below(20_000);
    const method = state === 'pending' ? 'ach' : 'card';
    const { id, invoiceId, txn } = await world.sell({ cents, state, method, timeZone });
    await db.update(invoices).set({ contactId: CONTACT }).where(eq(invoices.invoiceId, invoiceId));
    const payment = { id, cents, refundableCents: cents, txn, timeZone, state };
    payments.push(payment);
    if (state === 'approved') book(payment, cents, clock.now);
  };
  const decideLate = async (payment: Payment) => {
    const at = payment.state === 'pending' ? earlier(payment) : (payment.txn.createdAt ?? 0);
    Object.assign(payment.txn, { state: 'approved', changedAt: payment.state === 'pending' ? at : null });
    const from = [payment.state as 'unknown' | 'pending'];
    await settle(world.deps, await world.read(payment.id), { to: 'approved', from, at: clock.now, txn: payment.txn });
    payment.state = 'approved';
    book(payment, payment.cents, at, payment.timeZone);
  };
  const returnDebit = async (payment: Payment) => {
    const at = Math.max(payment.txn.changedAt ?? 0, earlier(payment));
    Object.assign(payment.txn, { state: 'returned', changedAt: at });
    const transition = { to: 'returned', from: ['approved'], at: clock.now, txn: payment.txn } as const;
    await settle(world.deps, await world.read(payment.id), { ...transition, from: [...transition.from] });
    payment.state = 'returned';
    book(payment, -payment.cents, at);
  };
  const refund = async (payment: Payment) => {
    const cents = random.chance(0.2) ? payment.refundableCents : 1 + random.below(payment.refundableCents);
    const isByStaff = random.chance(0.5);
    const at = isByStaff ? clock.now : earlier(payment);
    const txn = (attemptId: string, dedupeKey: string): GatewayTransaction => ({
      ...payment.txn,
      id: `r${movements.length}-${payment.id}`,
      kind: 'REFUND',
      attemptId,
      dedupeKey,
      parentId: payment.txn.id,
      amountCents: cents,
      createdAt: at,
    });
    if (isByStaff) await refundByStaff(world, payment.id, cents, txn);
    else world.books.push(txn('', ''));
    await ingestTransactions(world.deps, accountId, 'card', { txns: world.books.slice(-1), seenAt: clock.now });
    payment.refundableCents -= cents;
    book(payment, -cents, at);
  };
  const voidAtProvider = async (payment: Payment) => {
    payment.txn.isVoided = true;
    await ingestTransactions(world.deps, accountId, 'card', { txns: [payment.txn], seenAt: clock.now });
    payment.state = 'voided';
  };
  const moveAway = async () => {
    timeZone = random.pick(ZONES);
    await db.update(accounts).set({ timeZone }).where(eq(accounts.accountId, accountId));
  };

  await db.insert(contacts).values({ accountId, contactId: CONTACT, readAt: 1 });
  const actRandomly = () =>
    actOf(random, payments, { sell, decideLate, returnDebit, refund, voidAtProvider, moveAway });
  /** The movements that count, without those of voided payments. */
  const countedMovements = () =>
    movements.filter((movement) => payments.find(({ id }) => id === movement.payment)?.state !== 'voided');
  /** The provider's total (cents): cards only, including unknown outcomes and refunds of voided payments. */
  const batchTotalCents = () =>
    world.books
      .filter(({ kind, isVoided }) => kind !== 'DEBIT' && !isVoided)
      .reduce((sum, { kind, amountCents }) => sum + (kind === 'REFUND' ? -1 : 1) * (amountCents ?? 0), 0);
  return {
    ...world,
    startedAt: startedAt,
    session,
    wait,
    actRandomly,
    countedMovements,
    batchTotalCents,
    zone: () => timeZone,
    openSession: () => openSession(world),
  };
}

type Acts = Record<'sell' | 'moveAway', () => Promise<void>> &
  Record<'decideLate' | 'returnDebit' | 'refund' | 'voidAtProvider', (payment: Payment) => Promise<void>>;

async function actOf(random: Random, payments: Payment[], acts: Acts): Promise<void> {
  const name = random.pick(['sell', 'sell', 'sell', 'moveAway', 'later', 'later', 'later', 'later'] as const);
  if (name !== 'later') return acts[name]();
  const open = payments.filter(({ state }) => ['unknown', 'pending', 'approved'].includes(state));
  if (open.length === 0) return acts.sell();
  const payment = random.pick(open);
  if (payment.state !== 'approved') return acts.decideLate(payment);
  if (payment.txn.kind === 'DEBIT') return acts.returnDebit(payment);
  if (payment.refundableCents > 0) return random.chance(0.5) ? acts.refund(payment) : acts.voidAtProvider(payment);
}

async function refundByStaff(
  world: LedgerPair,
  attemptId: string,
  amountCents: number,
  txnOf: (attemptId: string, dedupeKey: string) => GatewayTransaction,
): Promise<void> {
  const { gateway, deps, merchant, books } = world;
  deps.gateway.refund = async ({ reversalId, dedupeKey }) => {
    const txn = txnOf(reversalId, dedupeKey);
    books.push(txn);
    return { kind: 'approved', txn, exchangeId: '' };
  };
  const requestKey = `key-${books.length}-${attemptId}`;
  const outcome = await reversePayment(deps, merchant, attemptId, {
    kind: 'refund',
    amountCents,
    requestKey,
    reason: 'x',
  });
  if (outcome.kind !== 'reversal' || outcome.reversal.state !== 'approved')
    throw new Error(`the refund was ${JSON.stringify(outcome)}, ${gateway.charges.length}`);
}

const batch = ({ terminalId }: LedgerPair, openedAt: number) => ({
  id: '7',
  status: 'closed' as const,
  terminalId,
  terminalName: '',
  openedAt,
  settledAt: null,
  salesCount: null,
  salesCents: null,
  refundCount: null,
  refundCents: null,
  netCents: null,
  confirmationCode: '',
});

async function openSession({ db, accountId, merchant, clock }: LedgerPair): Promise<void> {
  await db.insert(sessions).values({
    id: `s${accountId}`,
    accountId,
    userId: merchant.userId,
    refreshTokenHash: `h${accountId}`,
    createdAt: clock.now,
    seenAt: clock.now,
    endsAt: clock.now + HOUR_MS,
  });
}
