import type { PaymentMethod } from '#shared/contracts/payment';
import { keepJudged, readBooks, type SeenRow } from '#worker/data/reconciliation/gateway-transactions';
import type { GatewayRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { netAmountOf } from '#worker/domain/batches/net-amount';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { applyState } from './apply.ts';
import { bringBackLost } from './bring-back.ts';
import { UNDECIDED, verdictOf } from './verdict.ts';

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
