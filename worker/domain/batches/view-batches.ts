import type { Batch, BatchTransaction, ClosingReply } from '#shared/contracts/payments/batches';
import { decimalFromCents, parseCents } from '#shared/money';
import { localMoment } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { type LedgerEntry, listLedgerEntries, listUnknownPayments } from '#worker/data/payments/ledger';
import { findNamedTerminal, type NamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { allowanceOf, offerFor } from '#worker/domain/refunds/eligibility';
import { readBatches } from '#worker/domain/terminals/batches';
import type { GatewayBatch, GatewayTransaction } from '#worker/vendors/gateway-port';
import { findClosableBatch } from './close.ts';
import { excludeSetAside, findLikelyDuplicates, isRefund, netAmountOf, presentDuplicates } from './transactions.ts';

type ReadFailure = { kind: 'no-terminal' } | { kind: 'unavailable' };

const formatAmount = (cents: number | null): string => (cents === null ? '' : decimalFromCents(cents));
const formatCount = (n: number | null): string => (n === null ? '' : String(n));
const toIsoTime = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const STATUS_LABELS = {
  open: 'OPEN',
  closed: 'CLOSED',
  pending: 'PENDING',
  failed: 'FAILED',
  other: 'UNKNOWN',
} as const;

/** A batch in the API's field names. */
export const presentBatch = (batch: GatewayBatch, terminal: { ref: { terminalId: string }; name: string }): Batch => ({
  id: batch.id,
  status: STATUS_LABELS[batch.status],
  terminal_name: batch.terminalName || terminal.name,
  'terminal-id': batch.terminalId || terminal.ref.terminalId,
  'date-opened': toIsoTime(batch.openedAt),
  settled: toIsoTime(batch.settledAt),
  'sales-count': formatCount(batch.salesCount),
  'sales-total': formatAmount(batch.salesCents),
  'refund-count': formatCount(batch.refundCount),
  'refund-total': formatAmount(batch.refundCents),
  'net-amount': formatAmount(batch.netCents),
  'confirmation-code': batch.confirmationCode || null,
});

/** The batches of a merchant's terminal, newest first. */
export async function viewBatches(
  deps: Deps,
  { accountId }: Merchant,
  terminalId: string,
): Promise<ReadFailure | { kind: 'batches'; batches: Batch[] }> {
  const terminal = await findNamedTerminal(deps.db, accountId, terminalId);
  if (!terminal) return { kind: 'no-terminal' };
  const batches = await readBatches(deps, terminal);
  if (batches === 'unavailable') return { kind: batches };
  return { kind: 'batches', batches: batches.map((batch) => presentBatch(batch, terminal)) };
}

export type BatchContents = { kind: 'transactions'; batch: Batch; transactions: BatchTransaction[] };

/** The transactions of a batch, oldest first, each with its payment if that is in our ledger. */
export async function viewBatch(
  deps: Deps,
  merchant: Merchant,
  terminalId: string,
  batchId: string,
): Promise<ReadFailure | { kind: 'no-batch' } | BatchContents> {
  const terminal = await findNamedTerminal(deps.db, merchant.accountId, terminalId);
  if (!terminal) return { kind: 'no-terminal' };
  if (!/^[\w-]{1,40}$/.test(batchId)) return { kind: 'no-batch' };
  const batches = await readBatches(deps, terminal);
  if (batches === 'unavailable') return { kind: batches };
  const batch = batches.find(({ id }) => id === batchId);
  if (!batch) return { kind: 'no-batch' };
  const txns = await deps.gateway.batchTransactions(terminal.ref, batch);
  if (txns === 'unavailable') return { kind: txns };
  const [ledgerEntries, allowance] = await Promise.all([
    listLedgerEntries(
      deps.db,
      merchant.accountId,
      txns.map(({ id }) => id),
    ),
    allowanceOf(deps, merchant),
  ]);
  const transactions = txns.map((txn) => presentTransaction(txn, ledgerEntries.get(txn.id), batch, allowance));
  return { kind: 'transactions', batch: presentBatch(batch, terminal), transactions };
}

const presentTransaction = (
  txn: GatewayTransaction,
  ledgerEntry: LedgerEntry | undefined,
  batch: GatewayBatch,
  allowance: number | null,
): BatchTransaction => ({
  id: txn.id,
  amount: txn.amountCents === null ? null : decimalFromCents(txn.amountCents),
  type: txn.kind,
  result: txn.result,
  'card-type': txn.brand,
  card: txn.maskedCard || txn.lastFour,
  billing: { 'first-name': txn.name.first, 'last-name': txn.name.last },
  created: toIsoTime(txn.createdAt),
  voided: txn.isVoided,
  payment: ledgerEntry
    ? {
        id: ledgerEntry.attempt.id,
        invoice_id: ledgerEntry.attempt.invoiceId,
        invoice_number: ledgerEntry.attempt.invoiceNumber,
        customer_id: ledgerEntry.contactId ?? '',
        offer: ledgerEntry.kind === 'payment' ? offerFor({ ...ledgerEntry, batch: batch.status, allowance }) : null,
      }
    : null,
});

/** Data for the confirmation before a close: the batch, payments of unknown outcome and likely duplicates. */
export async function viewClosing(
  deps: Deps,
  { accountId }: Merchant,
  terminalId: string,
): Promise<ReadFailure | { kind: 'closing'; closing: ClosingReply }> {
  const terminal = await findNamedTerminal(deps.db, accountId, terminalId);
  if (!terminal) return { kind: 'no-terminal' };
  const batches = await readBatches(deps, terminal);
  if (batches === 'unavailable') return { kind: batches };
  const batch = findClosableBatch(batches);
  const [unknownPayments, duplicates] = await Promise.all([
    listUnknownPayments(deps.db, accountId, terminalId),
    batch ? findDuplicates(deps, terminal, batch) : [],
  ]);
  const closing: ClosingReply = {
    batch: batch ? presentBatch(batch, terminal) : null,
    unknown: unknownPayments.map(({ invoiceNumber, amountCents, createdAt }) => ({
      invoice_number: invoiceNumber,
      amount: decimalFromCents(amountCents),
      since: new Date(createdAt).toISOString(),
    })),
    duplicates,
  };
  return { kind: 'closing', closing };
}

async function findDuplicates(
  deps: Deps,
  { ref }: NamedTerminal,
  batch: GatewayBatch,
): Promise<ClosingReply['duplicates']> {
  const txns = await deps.gateway.batchTransactions(ref, batch);
  if (txns === 'unavailable') return null;
  return (await excludeSetAside(deps.db, findLikelyDuplicates(txns))).map(presentDuplicates);
}

const HEADER = [
  'Batch',
  'Confirmation Code',
  'Settled',
  'ID',
  'Amount',
  'Type',
  'Result',
  'Card',
  'Name',
  'Date',
  'Invoice Number',
  'Net',
];

type Row = BatchContents['transactions'][number];

const isRefundRow = ({ type }: Row) => isRefund({ kind: type });

/** The amount charged, or refunded with a minus; empty if the gateway reports none. */
const signedAmount = (txn: Row): string => (txn.amount && isRefundRow(txn) ? `-${txn.amount}` : (txn.amount ?? ''));

/** The net amount, which is 0 for transactions that were not approved. The column adds up to the batch's total. */
function netAmount({ type: kind, result, voided: isVoided, amount }: Row): string {
  const state = result.toUpperCase() === 'APPROVED' ? 'approved' : 'declined';
  const cents = netAmountOf({ kind, state, isVoided, amountCents: parseCents(amount) });
  return cents === null ? '' : decimalFromCents(cents);
}

/**
 * A batch as CSV, one line per transaction, with times in `timeZone`. Each line repeats the batch's fields, so that
 * lines can be sorted.
 */
export function batchCsv({ batch, transactions }: BatchContents, timeZone: string): string {
  const toLocalTime = (iso: string | null) => (iso ? localMoment(Date.parse(iso), timeZone) : '');
  const lines = transactions.map((txn) =>
    csvLine([
      batch.id,
      batch['confirmation-code'] ?? '',
      toLocalTime(batch.settled),
      txn.id,
      signedAmount(txn),
      txn.voided ? `${txn.type} (voided)` : txn.type,
      txn.result,
      `${txn['card-type']} ${txn.card}`.trim(),
      `${txn.billing['first-name']} ${txn.billing['last-name']}`.trim(),
      toLocalTime(txn.created),
      txn.payment?.invoice_number ?? '',
      netAmount(txn),
    ]),
  );
  return CSV_START + csvLine(HEADER) + lines.join('');
}

/** Exports a batch as CSV with the clinic's times for a staff member, and records the export. */
export async function exportBatch(deps: Deps, { accountId }: Merchant, contents: BatchContents): Promise<string> {
  await recordExport(deps, accountId, `batch ${contents.batch.id}`, contents.transactions.length);
  return batchCsv(contents, await findTimeZone(deps.db, accountId));
}
