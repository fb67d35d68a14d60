import { CSV_START, csvLine } from '#shared/csv';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
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
];

/** A batch as CSV, a line per transaction. Each line repeats the batch's own facts, so that lines may be sorted. */
export function batchCsv({ batch, transactions }: BatchContents): string {
  const lines = transactions.map((txn) =>
    csvLine([
      batch.id,
      batch['confirmation-code'] ?? '',
      batch.settled ?? '',
      txn.id,
      txn.amount ?? '',
      txn.voided ? `${txn.type} (voided)` : txn.type,
      txn.result,
      `${txn['card-type']} ${txn.card}`.trim(),
      `${txn.billing['first-name']} ${txn.billing['last-name']}`.trim(),
      txn.created ?? '',
      txn.payment?.invoice_number ?? '',
    ]),
  );
  return CSV_START + csvLine(HEAD) + lines.join('');
}

/** The same for a person, whose export is recorded. */
export async function exportBatch(deps: Deps, { accountId }: Merchant, contents: BatchContents): Promise<string> {
  await recordExport(deps, accountId, `batch ${contents.batch.id}`, contents.transactions.length);
  return batchCsv(contents);
}
