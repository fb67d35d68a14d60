import type { Unrecorded, WriteBack } from '#shared/contracts/payments/write-back';
import { decimalFromCents } from '#shared/money';
import { localMoment } from '#shared/text/local-day';
import { CSV_START, csvLine } from '#shared/text/safe-text';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import type { CrmWriteSettings } from '#worker/data/schema/crm';
import {
  findReversalWrite,
  type LedgerPosition,
  listRecordedEntries,
  markPaymentByHand,
  markReversalByHand,
  RESPONSE_WAIT_MS,
  type RecordedEntry,
} from '#worker/data/write-back/unrecorded';
import { findWriteSettings } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { auditEvent, recordExport } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { isReflected } from './effect.ts';

/** Ledger entries per page. */
const PAGE_SIZE = 500;
export const NEWEST_POSITION: LedgerPosition = { at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER };

type Page = Pick<WriteBack, 'recorded' | 'unrecorded' | 'looked_at' | 'next'>;

type ReadDeps = Pick<Deps, 'db' | 'now' | 'crm'>;

/** The ledger entries of one page that are missing in the CRM, newest first, and the start of the next page. */
export async function readUnrecorded(
  { db, now, crm }: ReadDeps,
  accountId: number,
  settings: CrmWriteSettings | undefined,
  position: LedgerPosition,
): Promise<Page> {
  const entries = await listRecordedEntries(db, accountId, position, PAGE_SIZE);
  const last = entries.length === PAGE_SIZE ? entries.at(-1) : undefined;
  const isWriting = settings?.isOn === true && settings.state === 'ready';
  const mayFinish = (entry: RecordedEntry) => isWriting || (entry.since ?? 0) > now() - RESPONSE_WAIT_MS;
  return {
    recorded: entries.filter(isRecorded).length,
    unrecorded: entries
      .filter((entry) => isMissing(entry, isWriting, mayFinish(entry)))
      .map((entry) => presentEntry(entry, isWriting, mayFinish(entry), crm.displayName)),
    looked_at: entries.filter(isPayment).length,
    next: last ? `${last.at}.${last.seq}` : null,
  };
}

/** Parses a place in the ledger as `next` formats it. */
export function parsePosition(next: string | undefined): LedgerPosition {
  if (next === undefined) return NEWEST_POSITION;
  const [at, seq] = next.split('.').map(Number);
  return { at: at ?? 0, seq: seq ?? 0 };
}

/** A voided or returned payment no longer counts. */
const isPayment = ({ kind, attemptState }: RecordedEntry) => kind === 'payment' && attemptState === 'approved';

/** True only if the balance or a person confirms it. */
const isRecorded = (entry: RecordedEntry) =>
  isPayment(entry) && (entry.state === 'by_hand' || (entry.state === 'written' && isReflected(entry)));

/**
 * The CRM's status takes precedence, so no payment counts as missing for an invoice that the CRM shows as paid.
 * `isWriting`: the account records payments now. `mayFinish`: the schedule or a pending answer may still complete the
 * record.
 */
function isMissing(entry: RecordedEntry, isWriting: boolean, mayFinish: boolean): boolean {
  const { kind, crmStatus, state, effect, amountCents, refundedCents } = entry;
  if (kind !== 'payment')
    return mayBeInCrm(entry) && (state === 'unknown' || state === 'refused' || (state === 'due' && !isWriting));
  if (!isPayment(entry) || crmStatus === 'paid' || state === 'by_hand' || refundedCents >= amountCents) return false;
  return state !== 'written' || effect === 'nothing_moved' || (effect === '' && !mayFinish);
}

/**
 * True if the CRM may show the payment of a reversal. A payment without a record is listed with its net amount, so its
 * reversals are not listed. A payment that may be recorded is not listed once it is fully reversed.
 */
function mayBeInCrm({ paymentState, attemptState }: RecordedEntry): boolean {
  if (paymentState === 'written' || paymentState === 'by_hand') return true;
  return (paymentState === 'unknown' || paymentState === 'sent') && attemptState !== 'approved';
}

function presentEntry(entry: RecordedEntry, isWriting: boolean, mayFinish: boolean, crm: string): Unrecorded {
  const { kind, amountCents, refundedCents, effect } = entry;
  const isUnread = entry.state === 'written' && effect === '';
  const writtenState = isUnread ? 'unknown' : 'nothing_moved';
  const state = entry.state === null ? 'not-told' : entry.state === 'written' ? writtenState : entry.state;
  const isWaiting = isWriting && state === 'due';
  return {
    id: entry.id,
    kind: kind === 'payment' ? 'payment' : 'refund',
    invoice_id: entry.invoiceId,
    invoice_number: entry.invoiceNumber,
    customer: entry.customer,
    amount: decimalFromCents(kind === 'payment' ? amountCents - refundedCents : amountCents),
    currency: entry.currency,
    paid_at: new Date(entry.at).toISOString(),
    transaction_id: entry.reference,
    state: state === 'by_hand' ? 'not-told' : state,
    why: isUnread ? `It was recorded, and what ${crm} shows since was not read.` : (entry.said ?? ''),
    is_yours: !isWaiting && (state !== 'sent' || !mayFinish),
  };
}

async function* readAll(deps: ReadDeps, accountId: number): AsyncGenerator<Unrecorded[]> {
  const settings = await findWriteSettings(deps.db, accountId);
  for (let next: string | null | undefined; next !== null; ) {
    const page: Page = await readUnrecorded(deps, accountId, settings, parsePosition(next));
    yield page.unrecorded;
    next = page.next;
  }
}

const COLUMNS: [title: string, cell: (entry: Unrecorded, timeZone: string) => string][] = [
  ['Invoice Number', (entry) => entry.invoice_number],
  ['What', (entry) => (entry.kind === 'refund' ? 'Refund' : 'Payment')],
  ['Customer', (entry) => entry.customer],
  ['Amount', (entry) => entry.amount],
  ['Currency', (entry) => entry.currency],
  ['When', (entry, timeZone) => localMoment(Date.parse(entry.paid_at), timeZone)],
  ['Transaction', (entry) => entry.transaction_id],
  ['State', (entry) => entry.state],
  ['Why', (entry) => entry.why],
];

/**
 * Exports all entries that are missing in the CRM, with the clinic's times, so that they can be entered by hand. Reads
 * page by page to limit memory use.
 */
export async function* exportUnrecorded(deps: Deps, accountId: number): AsyncGenerator<string> {
  let rows = 0;
  for await (const page of readAll(deps, accountId)) rows += page.length;
  await recordExport(deps, accountId, 'payments not in the CRM', rows);
  const timeZone = await findTimeZone(deps.db, accountId);
  yield CSV_START + csvLine(COLUMNS.map(([title]) => title));
  for await (const page of readAll(deps, accountId))
    yield page.map((entry) => csvLine(COLUMNS.map(([, cell]) => cell(entry, timeZone)))).join('');
}

/**
 * Records that someone entered a payment, or a reversal, in the CRM by hand. False if it is not in the list, or a
 * record of ours may exist.
 */
export async function recordByHand(
  deps: Deps,
  { accountId, userId }: Merchant,
  id: string,
  note: string,
): Promise<boolean> {
  const reversedAttemptId = await findReversalWrite(deps.db, accountId, id);
  const attemptId = reversedAttemptId ?? id;
  const event = auditEvent(deps, {
    accountId,
    action: 'payment.recorded-by-hand',
    subject: ['payment', attemptId],
    after: { note, ...(reversedAttemptId && { refund: true }) },
  });
  const markByHand = reversedAttemptId === null ? markPaymentByHand : markReversalByHand;
  const isDone = await markByHand(deps.db, { accountId, id, note, decidedBy: userId }, deps.now(), event);
  if (isDone) deps.log.info('recorded-by-hand', { accountId, userId, attemptId });
  return isDone;
}
