import type {
  BatchReconciliation,
  CheckedPayment,
  ReconciliationSum,
  ReconciliationView,
  Resolution,
  ReconciliationLine as ShownLine,
  Undecided,
} from '#shared/contracts/payments/reconciliation';
import { decimalFromCents } from '#shared/money';
import { cardName } from '#shared/text/card-name';
import { listFrozenCollections } from '#worker/data/installments/frozen';
import { findReconciliationCursors } from '#worker/data/reconciliation/cursors';
import {
  addDetails,
  listMissingAtGateway,
  type MissingAtGateway,
  type ReconciliationLine,
} from '#worker/data/reconciliation/gateway-transactions';
import { listResolutions, listReversalResolutions } from '#worker/data/reconciliation/resolutions';
import { findNamedTerminal, type NamedTerminal } from '#worker/data/terminals/terminals';
import type { Movement, OpenPayment } from '#worker/data/today/today';
import type { Deps } from '#worker/deps';
import { readBatches } from '#worker/domain/terminals/batches';
import type { GatewayBatch, GatewayTransaction } from '#worker/vendors/gateway-port';
import { ingestTransactions } from './ingest.ts';
import { findMissing } from './missing-or-unsettled.ts';
import { listToCheck } from './payments-to-check.ts';

const MAX_SHOWN = 200;
const MAX_RESOLVED = 20;
/** A batch in use changes with every sale. If it has changed after this many reads, its totals are not compared. */
const MAX_BATCH_READS = 3;
const MAX_SHOWN_AGE_MS = 60 * 86_400_000;

const toIsoTime = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const formatAmount = (cents: number | null) => (cents === null ? null : decimalFromCents(cents));

const presentLine = ({ row, ourCents, invoice }: ReconciliationLine): ShownLine => ({
  id: row.providerTxnId,
  verdict: row.verdict,
  type: row.kind,
  at: toIsoTime(row.at),
  // An undecided amount must not look like an amount that matches ours.
  amount: formatAmount(row.netAmountCents ?? (ourCents === null ? row.amountCents : null)),
  ours: formatAmount(ourCents),
  card: row.card,
  payer: row.payer,
  customer: invoice?.customer ?? '',
  invoice: invoice && { id: invoice.id, number: invoice.number },
});

const presentMissing = ({ providerTxnId, cents, at, invoice }: MissingAtGateway): ShownLine => ({
  id: providerTxnId,
  verdict: 'only-ours',
  type: '',
  at: toIsoTime(at),
  amount: null,
  ours: decimalFromCents(cents),
  card: '',
  payer: '',
  customer: invoice?.customer ?? '',
  invoice: invoice && { id: invoice.id, number: invoice.number },
});

export type BatchReconciliationOutcome =
  | { kind: 'no-terminal' | 'no-batch' | 'unavailable' }
  | { kind: 'match'; match: BatchReconciliation };

/** Reads the lines of a batch now, and compares them with our books and with the batch's own totals. */
export async function viewBatchReconciliation(
  deps: Deps,
  accountId: number,
  terminalId: string,
  batchId: string,
): Promise<BatchReconciliationOutcome> {
  const terminal = await findNamedTerminal(deps.db, accountId, terminalId);
  if (!terminal) return { kind: 'no-terminal' };
  const seenAt = deps.now();
  const result = await readUnchangedBatch(deps, terminal, batchId);
  if (result.kind !== 'read') return result;
  const { batch, isSteady } = result;
  const { rows } = await ingestTransactions(deps, accountId, 'card', { txns: result.txns, seenAt });
  const from = batch.openedAt ?? deps.now();
  // A very recent payment may not be in the gateway’s lists yet.
  const to = batch.settledAt ?? deps.now() - deps.settings.SEARCH_LAG_MS;
  const missingEntries = await findMissing(deps, accountId, 'card', { from, to, terminalId });
  const lines = [...(await addDetails(deps.db, rows)).map(presentLine), ...missingEntries.map(presentMissing)];
  const sortKey = (line: ShownLine) => line.at ?? '';
  lines.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : sortKey(a) > sortKey(b) ? 1 : 0));
  const netAmounts = rows.flatMap(({ netAmountCents }) => (netAmountCents === null ? [] : [netAmountCents]));
  return { kind: 'match', match: { lines, sums: isSteady ? sumsOf(batch, netAmounts) : [] } };
}

type BatchRead =
  | { kind: 'no-batch' | 'unavailable' }
  | { kind: 'read'; batch: GatewayBatch; txns: GatewayTransaction[]; isSteady: boolean };

/**
 * A batch with its transactions. These are two responses of the gateway, so the batch is read before and after its
 * lines, and both again if it changed in between. `isSteady` false: it kept changing, and its totals cannot be
 * compared.
 */
async function readUnchangedBatch(deps: Deps, terminal: NamedTerminal, batchId: string): Promise<BatchRead> {
  const readBatch = async (): Promise<GatewayBatch | 'no-batch' | 'unavailable'> => {
    const batches = await readBatches(deps, terminal);
    return batches === 'unavailable' ? batches : (batches.find(({ id }) => id === batchId) ?? 'no-batch');
  };
  let batch = await readBatch();
  for (let reads = 1; ; reads++) {
    if (typeof batch === 'string') return { kind: batch };
    const txns = await deps.gateway.batchTransactions(terminal.ref, batch);
    if (txns === 'unavailable') return { kind: txns };
    const latest = await readBatch();
    if (typeof latest === 'string') return { kind: latest };
    const isSteady = JSON.stringify(latest) === JSON.stringify(batch);
    if (isSteady || reads === MAX_BATCH_READS) return { kind: 'read', batch: latest, txns, isSteady };
    batch = latest;
  }
}

/** The totals of the lines next to the batch's own totals. A total that the gateway omits is not compared. */
function sumsOf({ salesCents, refundCents, netCents }: GatewayBatch, effects: number[]): ReconciliationSum[] {
  const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0);
  const sales = sum(effects.filter((cents) => cents > 0));
  const refunds = -sum(effects.filter((cents) => cents < 0));
  const pairs = [
    ['sales', sales, salesCents],
    ['refunds', refunds, refundCents],
    ['net', sales - refunds, netCents],
  ] as const;
  return pairs.flatMap(([what, lines, batch]) =>
    batch === null
      ? []
      : [{ what, lines: decimalFromCents(lines), batch: decimalFromCents(batch), agrees: lines === batch }],
  );
}

/** All mismatches, and all payments and reversals that need or have a person's decision. */
export async function viewReconciliation(deps: Deps, accountId: number): Promise<ReconciliationView> {
  const { db, now } = deps;
  const [cursors, toCheck, resolved, frozenParts] = await Promise.all([
    findReconciliationCursors(db, accountId),
    listToCheck(deps, accountId),
    viewResolved(db, accountId),
    listFrozenCollections(db, accountId),
  ]);
  const missingByMethod = await Promise.all(
    cursors.map(({ method, readFrom, readUntil }) =>
      listMissingAtGateway(db, accountId, method, {
        from: Math.max(readFrom, now() - MAX_SHOWN_AGE_MS),
        to: readUntil,
        limit: MAX_SHOWN,
      }),
    ),
  );
  const endTimes = cursors.map(({ endedAt }) => endedAt);
  const failureTimes = cursors.flatMap(({ failingSince }) => (failingSince === null ? [] : [failingSince]));
  return {
    checked_at: endTimes.length === 0 || endTimes.includes(null) ? null : toIsoTime(Math.min(...endTimes.map(Number))),
    failing_since: failureTimes.length === 0 ? null : toIsoTime(Math.min(...failureTimes)),
    to_check: { count: toCheck.count, amount: decimalFromCents(toCheck.cents) },
    differences: [...toCheck.differing.map(presentLine), ...missingByMethod.flat().map(presentMissing)],
    unknown: toCheck.openPayments.filter(({ needsPerson }) => !needsPerson).map(presentPayment),
    look_alikes: toCheck.lookAlikes.map((group) => group.map(presentPayment)),
    undecided: toCheck.openPayments
      .filter(({ needsPerson }) => needsPerson)
      .map((payment) => ({
        payment_id: payment.id,
        invoice_id: payment.invoiceId,
        invoice_number: payment.invoiceNumber,
        customer: payment.customer,
        amount: decimalFromCents(payment.cents),
        since: new Date(payment.at).toISOString(),
        held_for: heldReasonOf(payment.heldFrom),
      })),
    undecided_reversals: toCheck.reversals.map((row) => ({
      reversal_id: row.id,
      kind: row.kind,
      invoice_id: row.invoiceId,
      invoice_number: row.invoiceNumber,
      customer: customerOf(row),
      amount: decimalFromCents(row.amountCents),
      paid: decimalFromCents(row.paidCents),
      given_back: decimalFromCents(row.refundedCents),
      reason: row.reason,
      by: row.requestedBy ?? '',
      since: new Date(row.createdAt).toISOString(),
      why: row.gatewayMessage,
    })),
    frozen_parts: frozenParts.map((row) => ({
      invoice_id: row.invoiceId,
      invoice_number: row.invoiceNumber,
      customer: customerOf(row),
      left: formatAmount(row.remainingCents),
      shown: formatAmount(row.crmBalanceCents),
      since: new Date(row.frozenAt ?? 0).toISOString(),
    })),
    resolved,
  };
}

const presentPayment = (payment: OpenPayment | Movement): CheckedPayment => ({
  payment_id: 'attemptId' in payment ? payment.attemptId : payment.id,
  invoice_id: payment.invoiceId,
  invoice_number: payment.invoiceNumber,
  customer: payment.customer,
  amount: decimalFromCents(payment.cents),
  at: new Date(payment.at).toISOString(),
  card: cardName(payment),
  terminal: payment.terminal?.name ?? '',
});

const HELD_STATES = ['pending', 'not_charged', 'cancelled', 'timed_out', 'declined', 'returned'] as const;

function heldReasonOf(state: string): Undecided['held_for'] {
  if (state === 'rejected') return 'declined';
  const heldState = HELD_STATES.find((candidate) => candidate === state);
  return heldState ?? (state === '' ? 'lost' : 'unknown');
}

type CustomerNames = { firstName: string | null; lastName: string | null; companyName: string | null };

const customerOf = ({ firstName, lastName, companyName }: CustomerNames) =>
  `${firstName ?? ''} ${lastName ?? ''}`.trim() || (companyName ?? '');

async function viewResolved(db: Deps['db'], accountId: number): Promise<Resolution[]> {
  const [payments, reversals] = await Promise.all([
    listResolutions(db, accountId, MAX_RESOLVED),
    listReversalResolutions(db, accountId, MAX_RESOLVED),
  ]);
  const rows = [...payments.map((row) => ({ ...row, kind: 'payment' as const })), ...reversals];
  rows.sort((a, b) => b.at - a.at);
  return rows.slice(0, MAX_RESOLVED).map((row) => ({
    id: row.id,
    about: row.kind,
    invoice_number: row.invoiceNumber,
    amount: decimalFromCents(row.amountCents),
    verdict: row.verdict,
    note: row.note,
    by: row.email ?? '',
    at: new Date(row.at).toISOString(),
  }));
}
