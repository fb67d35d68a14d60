import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { localDay } from '#shared/text/local-day';
import { findAttempt } from '#worker/data/payments/attempts';
import { type Attempt, invoices, ledger, paymentAttempts, users } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { settle } from '#worker/domain/payments/settle';
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { viewReconciliation } from '#worker/domain/reconciliation/view-reconciliation';
import type { GatewayTransaction, TransactionEvent } from '#worker/vendors/gateway-port';
import { freshId, makeWorld, transaction } from './unit/world.ts';

const ZONE = 'America/Indiana/Indianapolis';

/** Inserts ?3 payments of account ?1, numbered from ?2, one per second from ?4 on, of ?5 cents each. */
const INSERT_MANY = [
  `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents, currency,
      invoice_number, dedupe_key, receipt_id, provider_txn_id, hold_until, created_at, time_zone, day, state)
    SELECT 'many' || n, ?1, 'many' || n, 1, 'T' || ?1, 'link', 'card', ?5, 'USD', 'many' || n, 'many' || n, 'many' || n,
      'txn-many' || n, 0, ?4 + (n - ?2) * 1000, 'UTC', date(?4 / 1000, 'unixepoch'), 'approved'`,
  `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
      brand, at, day)
    SELECT ?1, 'txn-many' || n, 'many' || n, 'many' || n, 'payment', ?5, 'USD', 'link', 'card', 'VISA',
      ?4 + (n - ?2) * 1000, date(?4 / 1000, 'unixepoch')`,
].map((insert) => {
  const [into, rows] = insert.split('SELECT');
  const numbers = `SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2 + ?3 - 1`;
  return `WITH RECURSIVE numbers (n) AS (${numbers}) ${into} SELECT ${rows} FROM numbers`;
});

export type LedgerPair = Awaited<ReturnType<typeof makeLedgerPair>>;

/** A merchant with a ledger, and a gateway with its own records, so that a test can make the two differ. */
export async function makeLedgerPair() {
  const world = await makeWorld();
  const { accountId, db, clock, gateway } = world;
  const terminalId = `T${accountId}`;
  const books: GatewayTransaction[] = [];
  const { script } = gateway;
  script.find = (searchKey) => {
    if ('attemptId' in searchKey) return books.filter(({ attemptId }) => attemptId === searchKey.attemptId);
    if ('dedupeKey' in searchKey) return books.filter(({ dedupeKey }) => dedupeKey === searchKey.dedupeKey);
    return books.filter(({ id }) => id === searchKey.providerTxnId);
  };
  let method: 'card' | 'ach' = 'card';
  const isAch = ({ kind }: GatewayTransaction) => kind === 'DEBIT' || kind === 'CREDIT';
  world.deps.gateway = {
    ...gateway.port,
    // The provider searches card transactions and bank debits separately, and both may have the same number.
    find: async (terminal, requestedMethod, searchKey) => {
      const found = await gateway.port.find(terminal, requestedMethod, searchKey);
      return typeof found === 'string' ? found : found.filter((txn) => isAch(txn) === (requestedMethod === 'ach'));
    },
    listTransactions: async (_terminal, requestedMethod, { from, to }, page) => {
      method = requestedMethod;
      const listed = books
        .filter((txn) => isAch(txn) === (method === 'ach'))
        .filter(({ createdAt }) => (createdAt ?? 0) >= from && (createdAt ?? 0) <= to)
        .sort((a, b) => (a.createdAt ?? 0) - (b.createdAt ?? 0));
      return { transactions: listed.slice((page - 1) * 100, page * 100), isLast: listed.length <= page * 100 };
    },
    batchTransactions: async (_terminal, { id }) => books.filter(({ batchId }) => batchId === id),
  };

  const merchant: Merchant = { sessionId: 's', accountId, userId: freshId(), role: 'admin' };
  await db
    .insert(users)
    .values({ accountId, userId: merchant.userId, email: 'ana@maple.example', role: 'admin', lastLoginAt: 0 });

  type Sale = {
    cents?: number;
    method?: 'card' | 'ach';
    state?: Attempt['state'];
    isShown?: boolean;
    /** The account's time zone when the payment is made. */
    timeZone?: string;
    /** The provider's transaction id. */
    id?: string;
  };

  /** Adds a payment to the ledger and, by default, to the gateway's records. */
  async function sell({
    cents = 18_400,
    method = 'card',
    state = 'approved',
    isShown = true,
    timeZone = ZONE,
    id: txnId,
  }: Sale = {}) {
    const number = freshId();
    const [id, invoiceId] = [`a${number}`, `i${number}`];
    clock.now += 1000;
    const at = clock.now;
    await db.insert(invoices).values({
      accountId,
      invoiceId,
      number: `INV-${number}`,
      status: 'open',
      currency: 'USD',
      readAt: at,
      contactFirstName: 'Marta',
      contactLastName: 'Núñez',
      balanceCents: cents,
      billedCents: cents,
    });
    await db.insert(paymentAttempts).values({
      id,
      accountId,
      invoiceId,
      collection: 1,
      terminalId,
      channel: 'link',
      method,
      amountCents: cents,
      currency: 'USD',
      invoiceNumber: `INV-${number}`,
      dedupeKey: `INV-${number}-1`,
      receiptId: id,
      holdUntil: at,
      createdAt: at,
      timeZone,
      day: localDay(at, timeZone),
      nextCheckAt: null,
    });
    const request = { attemptId: id, dedupeKey: `INV-${number}-1`, amountCents: cents, method };
    const txn = transaction(
      { ...request, terminal: { accountId, terminalId, sealedApiKey: '' } },
      {
        createdAt: at,
        ...(method === 'ach' && state === 'pending' ? { state: 'pending' } : {}),
        ...(txnId === undefined ? {} : { id: txnId }),
      },
    );
    const attempt = await read(id);
    if (state !== 'sent') {
      const isKnown = state === 'approved' || state === 'pending';
      const first = state === 'needs_human' ? 'unknown' : state;
      await settle(world.deps, attempt, { to: first, from: ['sent'], at, txn: isKnown ? txn : null, nextCheckAt: at });
      if (state === 'needs_human') await settle(world.deps, attempt, { to: state, from: ['unknown'], at });
    }
    if (isShown) books.push(txn);
    return { id, invoiceId, txn };
  }

  /** Adds many card payments to the ledger and to the gateway's records, one per second. */
  async function sellMany(count: number, cents = 18_400) {
    const [first, from] = [freshId(), clock.now];
    clock.now += count * 1000;
    for (const write of INSERT_MANY) await env.DB.prepare(write).bind(accountId, first, count, from, cents).run();
    for (let at = 0; at < count; at++) {
      const [id, createdAt] = [`many${first + at}`, from + at * 1000];
      const request = { attemptId: id, dedupeKey: id, amountCents: cents };
      books.push(transaction({ ...request, terminal: { accountId, terminalId, sealedApiKey: '' } }, { createdAt }));
    }
  }

  async function read(id: string): Promise<Attempt> {
    const attempt = await findAttempt(db, id);
    if (!attempt) throw new Error('the attempt is not stored');
    return attempt;
  }

  /** The contents of the ledger, without values that differ in each run. */
  const state = async () => {
    const [attempts, rows, invoiceRows] = await Promise.all([
      db
        .select()
        .from(paymentAttempts)
        .where(eq(paymentAttempts.accountId, accountId))
        .orderBy(paymentAttempts.createdAt),
      db.select().from(ledger).where(eq(ledger.accountId, accountId)),
      db.select().from(invoices).where(eq(invoices.accountId, accountId)),
    ]);
    return attempts.map((attempt) => ({
      state: attempt.state,
      refunded: attempt.refundedCents,
      localStatus: invoiceRows.find(({ invoiceId }) => invoiceId === attempt.invoiceId)?.localStatus,
      booked: rows
        .filter(({ attemptId }) => attemptId === attempt.id)
        .map(({ kind, amountCents }) => `${kind} ${amountCents}`)
        .sort(),
    }));
  };
  return { ...world, terminalId, merchant, books, sell, sellMany, read, state };
}

const HOUR = 3_600_000;

/** Runs the nightly reconciliation, an hour later, and returns its view. */
export async function runNight(world: LedgerPair) {
  world.clock.now += HOUR;
  await reconcileAccounts(world.deps);
  return viewReconciliation(world.deps, world.accountId);
}

/** A transaction that only the gateway has. */
export const gatewayOnlyTransaction = (world: LedgerPair, fields: Partial<GatewayTransaction>): GatewayTransaction =>
  transaction(
    {
      attemptId: '',
      dedupeKey: 'walk-in',
      amountCents: 5000,
      terminal: { accountId: world.accountId, terminalId: world.terminalId, sealedApiKey: '' },
    },
    { id: `x${crypto.randomUUID()}`, createdAt: world.clock.now, ...fields },
  );

/** The webhook event of a transaction. */
export const eventOf = (world: LedgerPair, txn: GatewayTransaction): TransactionEvent => ({
  method: txn.kind === 'DEBIT' ? 'ach' : 'card',
  providerTxnId: txn.id,
  attemptId: txn.attemptId,
  terminalId: world.terminalId,
  merchantNumber: '',
});
