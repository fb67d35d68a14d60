import { CSV_START, csvLine } from '#shared/csv';
import { decimalFromCents, parseCents } from '#shared/money';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { isRefund, netAmountOf } from './net-amount.ts';
import type { BatchContents } from './view-batches.ts';

const HEAD = [
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

const isGivenBack = ({ type }: Row) => isRefund({ kind: type });

/** What was charged, or given back with a minus; empty where the gateway names no amount. */
const signedAmount = (txn: Row): string => (txn.amount && isGivenBack(txn) ? `-${txn.amount}` : (txn.amount ?? ''));

/** What moved in the end, as everywhere: whatever was not approved moved nothing. The column adds up to the batch. */
function netAmount({ type: kind, result, voided: isVoided, amount }: Row): string {
  const state = result.toUpperCase() === 'APPROVED' ? 'approved' : 'declined';
  const cents = netAmountOf({ kind, state, isVoided, amountCents: parseCents(amount) });
  return cents === null ? '' : decimalFromCents(cents);
}

/** A batch as CSV, a line per transaction. Each line repeats the batch's own facts, so that lines may be sorted. */
export function batchCsv({ batch, transactions }: BatchContents): string {
  const lines = transactions.map((txn) =>
    csvLine([
      batch.id,
      batch['confirmation-code'] ?? '',
      batch.settled ?? '',
      txn.id,
      signedAmount(txn),
      txn.voided ? `${txn.type} (voided)` : txn.type,
      txn.result,
      `${txn['card-type']} ${txn.card}`.trim(),
      `${txn.billing['first-name']} ${txn.billing['last-name']}`.trim(),
      txn.created ?? '',
      txn.payment?.invoice_number ?? '',
      netAmount(txn),
    ]),
  );
  return CSV_START + csvLine(HEAD) + lines.join('');
}

/** The same for a person, whose export is recorded. */
export async function exportBatch(deps: Deps, { accountId }: Merchant, contents: BatchContents): Promise<string> {
  await recordExport(deps, accountId, `batch ${contents.batch.id}`, contents.transactions.length);
  return batchCsv(contents);
}
