import type { PaymentMethod } from '#shared/contracts/payment';
import { localDay } from '#shared/text/local-day';
import { findRestoredAt } from '#worker/data/reconciliation/cursors';
import { keepJudged, readBooks, type SeenRow } from '#worker/data/reconciliation/gateway-transactions';
import {
  type FoundAttempt,
  findOwners,
  insertFoundAttempts,
  type Owner,
  type Owners,
} from '#worker/data/reconciliation/lost-attempts';
import type { GatewayRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import { isRefund, netAmountOf } from '#worker/domain/batches/transactions';
import { restoredAtOf } from '#worker/domain/merchants/after-restore';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { applyState, UNDECIDED, verdictOf } from './apply.ts';

/** Our order ids are attempts' ids, and an attempt has a row before anything is sent. */
const ORDER_ID = /^[0-9a-f]{32}$/;
/** The CRM's id of the invoice and the collection, and from the second part of a collection on, which one. */
const DEDUPE_KEY = /^(.+)-(\d{1,6})(?:\.(\d{1,2}))?$/;

/**
 * Put charges of ours before a person whose attempts our books have lost, as after a restore of an older state. Each
 * gets its attempt again, under its own order id and in `needs_human`: that closes the invoice to further payments, and
 * one person's word that it was charged books it. A charge is left alone that names no one invoice of the account. Its
 * collection is the one in its key, which may be later than ours: the restore may have lost a reopening too.
 */
export async function bringBackLost(deps: Deps, accountId: number, rows: readonly GatewayRow[]): Promise<void> {
  const suspects = rows.filter(mayBeLost);
  if (suspects.length === 0) return;
  const books = await findOwners(deps.db, accountId, suspects.flatMap(namedIn));
  const restoredAt = restoredAtOf(deps.settings, await findRestoredAt(deps.db, accountId));
  const found = suspects.flatMap((row) => {
    const owner = ownerOf(row, books.owners);
    return owner ? [foundAttempt(deps, row, owner, books, restoredAt)] : [];
  });
  const told = found.map((attempt) => ({ attempt, event: foundEvent(deps, attempt) }));
  for (const attemptId of await insertFoundAttempts(deps.db, told))
    deps.log.info('lost-payment-found', { accountId, attemptId });
}

const foundEvent = (deps: Deps, { id, accountId, amountCents }: FoundAttempt) =>
  auditEvent(bySystem(deps), {
    accountId,
    action: 'payment.found',
    subject: ['payment', id],
    after: { state: 'needs_human', amountCents },
  });

/** A charge under an order id of ours that our ledger does not have: booked nowhere, or undecided, as a bank debit is. */
function mayBeLost(row: GatewayRow): boolean {
  const isOpen = row.verdict === 'only-gateway' || (row.verdict === 'none' && row.netAmountCents === null);
  return isOpen && !isRefund(row) && ORDER_ID.test(row.orderId) && (row.amountCents ?? 0) > 0;
}

/** The name of an invoice in a dedupe key. */
const namedIn = ({ dedupeKey }: GatewayRow): string[] => DEDUPE_KEY.exec(dedupeKey)?.slice(1, 2) ?? [];

/** A CRM's id has digits alone. A number may have so, too, but then the key cannot mean it. */
const IS_ID = /^\d+$/;

/** The invoice that a charge is of. Keys of earlier versions have its number, which counts where one invoice alone bears it. */
function ownerOf(row: GatewayRow, owners: Owner[]): Owner | undefined {
  const [name] = namedIn(row);
  const byId = owners.find(({ invoiceId }) => invoiceId === name);
  const byNumber = IS_ID.test(name ?? '') ? [] : owners.filter(({ number }) => number !== '' && number === name);
  return byId ?? (byNumber.length === 1 ? byNumber[0] : undefined);
}

function foundAttempt(
  { now, newCapability }: Deps,
  { accountId, orderId, terminalId, method, amountCents, dedupeKey, payer, at }: GatewayRow,
  { invoiceId, collection, currency, number, contactEmail }: Owner,
  { channels, timeZone }: Owners,
  restoredAt: number,
): FoundAttempt {
  const createdAt = at ?? now();
  const [, , ofCollection, part] = DEDUPE_KEY.exec(dedupeKey) ?? [];
  return {
    id: orderId,
    accountId,
    invoiceId,
    collection: Number(ofCollection ?? collection),
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
    // The payer has a receipt of what was paid before the clinic was put back.
    receiptTo: createdAt <= restoredAt ? '' : contactEmail,
    ...{ createdAt, timeZone, day: localDay(createdAt, timeZone) },
  };
}

/** Transactions as the gateway showed them. `seenAt` (ms) is when it was asked: the answer may be older than its arrival. */
export type Shown = { txns: GatewayTransaction[]; seenAt: number };

/** Tries to judge a transaction: its amount in our ledger changes only a few times in its life. */
const TRIES = 4;

/** `unjudged`: of so many our books said something else at every try. They have no verdict, or an old one, until a later run. */
export type Ingested = { rows: GatewayRow[]; unjudged: number };

/**
 * Store what the gateway has just shown and compare it with our books. Where the gateway knows more, the payment or
 * reversal is settled by it; a difference that remains is for a person. Answers the rows as they are afterwards.
 */
export async function ingestTransactions(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
  ...shown: Shown[]
): Promise<Ingested> {
  const { rows, unjudged: left } = await judge(deps, accountId, method, shown);
  let unjudged = left;
  await bringBackLost(deps, accountId, rows);
  const byId = new Map(rows.map((row) => [row.providerTxnId, row]));
  const txns = new Map(shown.flatMap((look) => look.txns.map((txn) => [txn.id, txn])));
  let moved: SeenRow[] = [];
  for (const row of rows) {
    const shown = asItStands(row, txns).flatMap((look) => look.txns);
    if (await applyState(deps, row, shown)) moved.push(row);
  }
  // A newer look that was stored meanwhile was judged before our books followed: then that one is judged again.
  for (let tries = 0; tries < TRIES && moved.length > 0; tries++) {
    const again = await judge(
      deps,
      accountId,
      method,
      moved.flatMap((row) => asItStands(row, txns)),
    );
    const before = new Map(moved.map((row) => [row.providerTxnId, row.seenAt]));
    for (const row of again.rows) byId.set(row.providerTxnId, row);
    moved = again.rows.filter((row) => row.seenAt > (before.get(row.providerTxnId) ?? row.seenAt));
    unjudged += again.unjudged;
  }
  unjudged += moved.length;
  if (unjudged > 0) deps.log.info('transactions-not-judged', { accountId, method, count: unjudged });
  return { rows: rows.map((row) => byId.get(row.providerTxnId) ?? row), unjudged };
}

/** A transaction as it was seen last, which may differ from this look. */
function asItStands(
  { providerTxnId, batchId, state, isVoided, amountCents, seenAt }: SeenRow,
  txns: Map<string, GatewayTransaction>,
): Shown[] {
  const txn = txns.get(providerTxnId);
  return txn ? [{ txns: [{ ...txn, batchId, state, isVoided, amountCents }], seenAt }] : [];
}

/**
 * Judge each transaction by our ledger and store its verdict. If our ledger has changed by the time of writing, the
 * transaction is judged again, so that no verdict is stored that was never true.
 */
async function judge({ db }: Deps, accountId: number, method: PaymentMethod, shown: Shown[]) {
  const kept = new Map<string, SeenRow>();
  let left = shown.flatMap(({ txns, seenAt }) =>
    txns.map((txn) => ({ txn, method, seenAt, netAmountCents: netAmountOf(txn) })),
  );
  for (let tries = 0; tries < TRIES && left.length > 0; tries++) {
    const books = await readBooks(
      db,
      accountId,
      method,
      left.map(({ txn }) => txn.id),
    );
    const judged = left.map((one) => {
      const oursCents = books.oursCents.get(one.txn.id) ?? null;
      const verdict = verdictOf({ ...one, at: one.txn.createdAt }, { ...books, oursCents });
      return { ...one, oursCents, verdict };
    });
    for (const row of await keepJudged(db, accountId, method, judged, { ...books, undecided: UNDECIDED }))
      kept.set(row.providerTxnId, row);
    left = left.filter(({ txn }) => !kept.has(txn.id));
  }
  return { rows: [...kept.values()], unjudged: left.length };
}
