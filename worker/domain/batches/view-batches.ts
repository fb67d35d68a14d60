import type { Batch, BatchTransaction, ClosingReply } from '#shared/contracts/payments/batches';
import { decimalFromCents, parseCents } from '#shared/money';
import { localMoment } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import { type LedgerEntry, listLedgerEntries, listUnknown } from '#worker/data/payments/ledger';
import { findNamedTerminal, type NamedTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { allowanceOf, offerFor } from '#worker/domain/refunds/eligibility';
import { readBatches } from '#worker/domain/terminals/batches';
import type { GatewayBatch, GatewayTransaction } from '#worker/vendors/gateway-port';
import { closable } from './close.ts';
import { isRefund, likelyDuplicates, netAmountOf, presentDuplicates, withoutSetAside } from './transactions.ts';

type ReadFailure = { kind: 'no-terminal' } | { kind: 'unavailable' };

const amount = (cents: number | null): string => (cents === null ? '' : decimalFromCents(cents));
const count = (n: number | null): string => (n === null ? '' : String(n));
const moment = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

const STATUS = { open: 'OPEN', closed: 'CLOSED', pending: 'PENDING', failed: 'FAILED', other: 'UNKNOWN' } as const;

/** A batch in the API's field names. */
export const presentBatch = (batch: GatewayBatch, terminal: { ref: { terminalId: string }; name: string }): Batch => ({
  id: batch.id,
  status: STATUS[batch.status],
  terminal_name: batch.terminalName || terminal.name,
  'terminal-id': batch.terminalId || terminal.ref.terminalId,
  'date-opened': moment(batch.openedAt),
  settled: moment(batch.settledAt),
  'sales-count': count(batch.salesCount),
  'sales-total': amount(batch.salesCents),
  'refund-count': count(batch.refundCount),
  'refund-total': amount(batch.refundCents),
  'net-amount': amount(batch.netCents),
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
  const [booked, allowance] = await Promise.all([
    listLedgerEntries(
      deps.db,
      merchant.accountId,
      txns.map(({ id }) => id),
    ),
    allowanceOf(deps, merchant),
  ]);
  const transactions = txns.map((txn) => presentTransaction(txn, booked.get(txn.id), batch, allowance));
  return { kind: 'transactions', batch: presentBatch(batch, terminal), transactions };
}

const presentTransaction = (
  txn: GatewayTransaction,
  booked: LedgerEntry | undefined,
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
  created: moment(txn.createdAt),
  voided: txn.isVoided,
  payment: booked
    ? {
        id: booked.attempt.id,
        invoice_id: booked.attempt.invoiceId,
        invoice_number: booked.attempt.invoiceNumber,
        customer_id: booked.contactId ?? '',
        offer: booked.kind === 'payment' ? offerFor({ ...booked, batch: batch.status, allowance }) : null,
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
  const batch = closable(batches);
  const [unknown, duplicates] = await Promise.all([
    listUnknown(deps.db, accountId, terminalId),
    batch ? duplicatesIn(deps, terminal, batch) : [],
  ]);
  const closing: ClosingReply = {
    batch: batch ? presentBatch(batch, terminal) : null,
    unknown: unknown.map(({ invoiceNumber, amountCents, createdAt }) => ({
      invoice_number: invoiceNumber,
      amount: decimalFromCents(amountCents),
      since: new Date(createdAt).toISOString(),
    })),
    duplicates,
  };
  return { kind: 'closing', closing };
}

async function duplicatesIn(
  deps: Deps,
  { ref }: NamedTerminal,
  batch: GatewayBatch,
): Promise<ClosingReply['duplicates']> {
  const txns = await deps.gateway.batchTransactions(ref, batch);
  if (txns === 'unavailable') return null;
  return (await withoutSetAside(deps.db, likelyDuplicates(txns))).map(presentDuplicates);
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
  const moment = (iso: string | null) => (iso ? localMoment(Date.parse(iso), timeZone) : '');
  const lines = transactions.map((txn) =>
    csvLine([
      batch.id,
      batch['confirmation-code'] ?? '',
      moment(batch.settled),
      txn.id,
      signedAmount(txn),
      txn.voided ? `${txn.type} (voided)` : txn.type,
      txn.result,
      `${txn['card-type']} ${txn.card}`.trim(),
      `${txn.billing['first-name']} ${txn.billing['last-name']}`.trim(),
      moment(txn.created),
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
