import type { PaymentMethod } from '#shared/contracts/payment';
import { localDay } from '#shared/text/local-day';
import { findRestoredAt } from '#worker/data/reconciliation/cursors';
import {
  readOurRecords,
  type StoredTransaction,
  saveJudgedTransactions,
} from '#worker/data/reconciliation/gateway-transactions';
import {
  type ChargeOwner,
  type ChargeOwners,
  type FoundAttempt,
  findChargeOwners,
  insertFoundAttempts,
} from '#worker/data/reconciliation/lost-attempts';
import type { GatewayRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import { isRefund, netAmountOf } from '#worker/domain/batches/transactions';
import { restoredAtOf } from '#worker/domain/merchants/after-restore';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { applyState, UNDECIDED_STATES, verdictOf } from './apply.ts';

/** Our order ids are attempt ids, and an attempt has a row before anything is sent. */
const ORDER_ID = /^[0-9a-f]{32}$/;
/** The CRM's invoice id and the collection, then the number of the part from the second part on. */
const DEDUPE_KEY = /^(.+)-(\d{1,6})(?:\.(\d{1,2}))?$/;

/**
 * Restores attempts that our books have lost, for example after a restore of an older state, so that a person can
 * decide on their charges. Each attempt is created again under its own order id in `needs_human`: that blocks further
 * payments of the invoice, and a person's `charged` verdict books it. A charge that does not identify exactly one
 * invoice of the account is ignored. The collection is taken from its key and may be later than ours, because the
 * restore may have lost a reopening too.
 */
export async function recoverLostPayments(deps: Deps, accountId: number, rows: readonly GatewayRow[]): Promise<void> {
  const suspects = rows.filter(mayBeLost);
  if (suspects.length === 0) return;
  const books = await findChargeOwners(deps.db, accountId, suspects.flatMap(invoiceNamesIn));
  const restoredAt = restoredAtOf(deps.settings, await findRestoredAt(deps.db, accountId));
  const attempts = suspects.flatMap((row) => {
    const owner = ownerOf(row, books.owners);
    return owner ? [foundAttempt(deps, row, owner, books, restoredAt)] : [];
  });
  const entries = attempts.map((attempt) => ({ attempt, event: foundEvent(deps, attempt) }));
  for (const attemptId of await insertFoundAttempts(deps.db, entries))
    deps.log.info('lost-payment-found', { accountId, attemptId });
}

const foundEvent = (deps: Deps, { id, accountId, amountCents }: FoundAttempt) =>
  auditEvent(bySystem(deps), {
    accountId,
    action: 'payment.found',
    subject: ['payment', id],
    after: { state: 'needs_human', amountCents },
  });

/** True for a charge under one of our order ids that is not in our ledger, or is undecided like a bank debit. */
function mayBeLost(row: GatewayRow): boolean {
  const isOpen = row.verdict === 'only-gateway' || (row.verdict === 'none' && row.netAmountCents === null);
  return isOpen && !isRefund(row) && ORDER_ID.test(row.orderId) && (row.amountCents ?? 0) > 0;
}

/** The invoice id or number in a dedupe key. */
const invoiceNamesIn = ({ dedupeKey }: GatewayRow): string[] => DEDUPE_KEY.exec(dedupeKey)?.slice(1, 2) ?? [];

/** A CRM id has only digits. An invoice number may too, but then the key cannot mean the number. */
const DIGITS_ONLY = /^\d+$/;

/** The invoice of a charge. Keys of earlier versions contain its number, which counts only if it is unique. */
function ownerOf(row: GatewayRow, owners: ChargeOwner[]): ChargeOwner | undefined {
  const [name] = invoiceNamesIn(row);
  const byId = owners.find(({ invoiceId }) => invoiceId === name);
  const byNumber = DIGITS_ONLY.test(name ?? '') ? [] : owners.filter(({ number }) => number !== '' && number === name);
  return byId ?? (byNumber.length === 1 ? byNumber[0] : undefined);
}

function foundAttempt(
  { now, newCapability }: Deps,
  { accountId, orderId, terminalId, method, amountCents, dedupeKey, payer, at }: GatewayRow,
  { invoiceId, collection, currency, number, contactEmail }: ChargeOwner,
  { channels, timeZone }: ChargeOwners,
  restoredAt: number,
): FoundAttempt {
  const createdAt = at ?? now();
  const [, , keyCollection, part] = DEDUPE_KEY.exec(dedupeKey) ?? [];
  return {
    id: orderId,
    accountId,
    invoiceId,
    collection: Number(keyCollection ?? collection),
    terminalId,
    method,
    currency,
    dedupeKey,
    payer,
    channel: channels.get(terminalId) ?? 'link',
    amountCents: amountCents ?? 0,
    part: Number(part ?? 1),
    invoiceNumber: number,
    receiptId: newCapability(),
    // The payer already has a receipt for a payment made before the restore.
    receiptTo: createdAt <= restoredAt ? '' : contactEmail,
    createdAt,
    timeZone,
    day: localDay(createdAt, timeZone),
  };
}

/**
 * Transactions as the gateway showed them. `seenAt` (UTC ms): the time of the request, since the content of a response
 * may be older than its arrival.
 */
export type Snapshot = { txns: GatewayTransaction[]; seenAt: number };

/** The maximum number of attempts to judge a transaction; its amount in our ledger changes only a few times. */
const MAX_TRIES = 4;

/**
 * `unjudged`: the number of transactions for which our books changed during every attempt. They have no verdict, or an
 * old one, until a later run.
 */
export type IngestResult = { rows: GatewayRow[]; unjudged: number };

/**
 * Stores the transactions that the gateway has just shown and compares them with our books. If the gateway knows more,
 * the payment or reversal is settled accordingly; a remaining mismatch is left to a person. Returns the updated rows.
 */
export async function ingestTransactions(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  ...snapshots: Snapshot[]
): Promise<IngestResult> {
  const firstResult = await judgeTransactions(deps, accountId, method, snapshots);
  const { rows } = firstResult;
  let { unjudged } = firstResult;
  await recoverLostPayments(deps, accountId, rows);
  const byId = new Map(rows.map((row) => [row.providerTxnId, row]));
  const txns = new Map(snapshots.flatMap((snapshot) => snapshot.txns.map((txn) => [txn.id, txn])));
  let movedRows: StoredTransaction[] = [];
  for (const row of rows) {
    const latest = latestSnapshots(row, txns).flatMap((snapshot) => snapshot.txns);
    if (await applyState(deps, row, latest)) movedRows.push(row);
  }
  // A newer snapshot that was stored in the meantime was judged before our books were updated, so it is judged again.
  for (let tries = 0; tries < MAX_TRIES && movedRows.length > 0; tries++) {
    const nextResult = await judgeTransactions(
      deps,
      accountId,
      method,
      movedRows.flatMap((row) => latestSnapshots(row, txns)),
    );
    const previousSeenAt = new Map(movedRows.map((row) => [row.providerTxnId, row.seenAt]));
    for (const row of nextResult.rows) byId.set(row.providerTxnId, row);
    movedRows = nextResult.rows.filter((row) => row.seenAt > (previousSeenAt.get(row.providerTxnId) ?? row.seenAt));
    unjudged += nextResult.unjudged;
  }
  unjudged += movedRows.length;
  if (unjudged > 0) deps.log.info('transactions-not-judged', { accountId, method, count: unjudged });
  return { rows: rows.map((row) => byId.get(row.providerTxnId) ?? row), unjudged };
}

/** A transaction in its latest known state, which may differ from this snapshot. */
function latestSnapshots(
  { providerTxnId, batchId, state, isVoided, amountCents, seenAt }: StoredTransaction,
  txns: Map<string, GatewayTransaction>,
): Snapshot[] {
  const txn = txns.get(providerTxnId);
  return txn ? [{ txns: [{ ...txn, batchId, state, isVoided, amountCents }], seenAt }] : [];
}

/**
 * Judges each transaction against our ledger and stores its verdict. If our ledger has changed by the time of writing,
 * the transaction is judged again, so that every stored verdict was correct at some time.
 */
async function judgeTransactions({ db }: Deps, accountId: number, method: PaymentMethod, snapshots: Snapshot[]) {
  const savedRows = new Map<string, StoredTransaction>();
  let pendingTransactions = snapshots.flatMap(({ txns, seenAt }) =>
    txns.map((txn) => ({ txn, method, seenAt, netAmountCents: netAmountOf(txn) })),
  );
  for (let tries = 0; tries < MAX_TRIES && pendingTransactions.length > 0; tries++) {
    const books = await readOurRecords(
      db,
      accountId,
      method,
      pendingTransactions.map(({ txn }) => txn.id),
    );
    const judgedTransactions = pendingTransactions.map((candidate) => {
      const ledgerCents = books.ledgerCents.get(candidate.txn.id) ?? null;
      const verdict = verdictOf({ ...candidate, at: candidate.txn.createdAt }, { ...books, ledgerCents });
      return { ...candidate, oursCents: ledgerCents, verdict };
    });
    for (const row of await saveJudgedTransactions(db, accountId, method, judgedTransactions, {
      ...books,
      undecided: UNDECIDED_STATES,
    }))
      savedRows.set(row.providerTxnId, row);
    pendingTransactions = pendingTransactions.filter(({ txn }) => !savedRows.has(txn.id));
  }
  return { rows: [...savedRows.values()], unjudged: pendingTransactions.length };
}
