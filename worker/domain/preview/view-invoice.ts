import type { InvoiceLife, InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { deliveries } from '#shared/contracts/lists/mail-values';
import { decimalFromCents } from '#shared/money';
import { methodName } from '#shared/text/wallet-name';
import type { RawRow } from '#worker/data/db';
import { type InvoiceHistoryRows, readInvoiceHistory } from '#worker/data/invoices/merchant-invoice';
import { LIVE_ATTEMPT_STATES } from '#worker/data/payments/attempts';
import { listedAs } from '#worker/data/schema/mail';
import type { Deps } from '#worker/deps';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { recordCrmInvoice } from '#worker/domain/invoices/freeze-changed-amount';
import { loadMerchantInvoice, type MerchantInvoice, storedInvoice } from '#worker/domain/invoices/merchant-invoice';
import { cardText, paidWithText } from '#worker/domain/mail/receipt';
import type { Merchant } from '#worker/domain/merchants/session';
import { crmRecordOf, recordedCents } from '#worker/domain/write-back/effect';
import { CrmError } from '#worker/vendors/hubspot/port';
import { invoicePreview, paymentOf } from './present.ts';

type Attempt = MerchantInvoice['attempts'][number];

const instant = (value: unknown): string => new Date(Number(value)).toISOString();
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const cents = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const money = (value: number | null): string | null => (value === null ? null : decimalFromCents(value));

const PAID_STATES = ['approved', 'pending', 'voided', 'refunded', 'returned'] as const;
const isPaid = (state: string): state is (typeof PAID_STATES)[number] => PAID_STATES.includes(state as never);
/** As in the statistics, payments with an unknown outcome are not counted. */
const UNDECIDED_STATES = ['sent', 'unknown', 'needs_human'] as const;
const isUndecided = (state: string): state is (typeof UNDECIDED_STATES)[number] =>
  UNDECIDED_STATES.includes(state as never);

/** The history of an invoice as it is shown to staff. */
export function presentHistory(loaded: MerchantInvoice, rows: InvoiceHistoryRows): InvoiceLife {
  const collection = loaded.invoice?.collection ?? 1;
  const currentAttempts = loaded.attempts.filter((attempt) => attempt.collection === collection).toReversed();
  const payments = currentAttempts.flatMap((attempt) => presentPayment(loaded, rows, attempt));
  const takenPayments = currentAttempts.filter(({ id }) => loaded.payments.some(({ attemptId }) => attemptId === id));
  const findSentMails = (kind: string) => rows.requests.find((row) => row.kind === kind);
  const sum = (centsOf: (attempt: Attempt) => number) =>
    decimalFromCents(takenPayments.reduce((total, attempt) => total + centsOf(attempt), 0));
  return {
    sent: presentTimes(findSentMails('pay-link'), (row) => ({ to: text(row.recipient) })),
    reminded: presentTimes(findSentMails('reminder'), () => ({})),
    opened: presentTimes(rows.openings, () => ({})),
    payments,
    returned: presentReturned(loaded, collection),
    undecided: currentAttempts.flatMap(presentUndecided)[0] ?? null,
    given_back: rows.reversals.map((row) => presentReversal(loaded, row, collection)),
    paid: sum(({ amountCents }) => amountCents),
    refunded: sum(({ refundedCents }) => refundedCents),
    mails: rows.mails.map(presentMail),
  };
}

const presentMail = ({ kind, state, delivery, at }: RawRow): InvoiceLife['mails'][number] => ({
  kind: listedAs(kind),
  at: instant(at),
  state: state === 'sent' || state === 'failed' ? state : 'due',
  delivery: deliveries.find((word) => word === delivery) ?? null,
});

const presentUndecided = ({ id, state, createdAt, amountCents }: Attempt) =>
  isUndecided(state) ? [{ id, state, at: instant(createdAt), amount: decimalFromCents(amountCents) }] : [];

/**
 * Bank payments that never arrived and were made after the last booked payment of an earlier collection. Each return
 * began a new collection.
 */
function presentReturned({ attempts, payments }: MerchantInvoice, current: number): InvoiceLife['returned'] {
  const isBooked = ({ id }: Attempt) => payments.some(({ attemptId }) => attemptId === id);
  const earlierPayments = attempts.filter((attempt) => attempt.collection < current && isBooked(attempt));
  const lastBookedAt = Math.max(0, ...earlierPayments.map(({ createdAt }) => createdAt));
  return attempts
    .filter((attempt) => attempt.state === 'returned' && !isBooked(attempt) && attempt.createdAt > lastBookedAt)
    .map(({ createdAt, settledAt, amountCents }) => ({
      at: instant(createdAt),
      returned_at: instant(settledAt ?? createdAt),
      amount: decimalFromCents(amountCents),
    }))
    .reverse();
}

function presentTimes<Extra extends object>(row: RawRow | undefined, presentExtra: (row: RawRow) => Extra) {
  if (!row || row.times === 0) return null;
  return {
    first_at: instant(row.first_at),
    last_at: instant(row.last_at),
    times: Number(row.times),
    ...presentExtra(row),
  };
}

function presentPayment(loaded: MerchantInvoice, rows: InvoiceHistoryRows, attempt: Attempt): InvoiceLife['payments'] {
  const ledgerEntry = loaded.payments.find(({ attemptId }) => attemptId === attempt.id);
  if (!isPaid(attempt.state) || (!ledgerEntry && attempt.state !== 'pending')) return [];
  const terminal = loaded.counterTerminals.find(({ terminalId }) => terminalId === attempt.terminalId);
  const details = rows.attempts.find(({ attempt_id }) => attempt_id === attempt.id);
  return [
    {
      id: attempt.id,
      at: instant(ledgerEntry?.at ?? attempt.createdAt),
      amount: decimalFromCents(attempt.amountCents),
      card: paidWithText(attempt) || methodName(attempt),
      via: attempt.channel === 'link' ? 'Payment link' : (terminal?.name ?? 'Card reader'),
      state: attempt.state,
      batch: details && details.batch_id !== '' ? presentBatch(details) : null,
      in_crm: details && ledgerEntry && attempt.state === 'approved' ? crmRecordOf(details) : null,
    },
  ];
}

function presentBatch(row: RawRow): InvoiceLife['payments'][number]['batch'] {
  const [net, deposit] = [cents(row.net_cents), cents(row.deposit_cents)];
  const isClosed = row.status === 'closed';
  return {
    id: text(row.batch_id),
    settled_at: isClosed && typeof row.settled_at === 'number' ? instant(row.settled_at) : null,
    confirmation: isClosed ? text(row.confirmation_code) : '',
    funded_on: typeof row.funded_on === 'string' ? row.funded_on : null,
    deposit: money(deposit),
    // A deposit above the batch's total includes another payout, so the fees are unknown.
    fees: net === null || deposit === null || deposit > net ? null : money(net - deposit),
  };
}

function presentReversal(loaded: MerchantInvoice, row: RawRow, collection: number): InvoiceLife['given_back'][number] {
  const attempt = loaded.attempts.find(({ id }) => id === row.attempt_id);
  return {
    id: text(row.id),
    kind: row.kind === 'void' ? 'void' : 'refund',
    amount: decimalFromCents(cents(row.amount_cents) ?? 0),
    at: instant(row.at),
    card: (attempt && cardText(attempt)) || '',
    reason: text(row.reason),
    by: text(row.requested_by),
    is_earlier: attempt?.collection !== collection,
    batch:
      row.kind === 'refund' && text(row.batch_id)
        ? { id: text(row.batch_id), terminal_id: text(row.terminal_id) }
        : null,
  };
}

export type InvoiceView =
  | { kind: 'preview'; preview: InvoicePreviewReply; asOf: string; isStale: boolean }
  | { kind: 'not-found' }
  | { kind: 'crm-unavailable' };

/**
 * A merchant's own invoice as it is printed: the CRM's current record, overridden by our own data. If the CRM does not
 * answer, or has deleted an invoice for which money was taken, the stored invoice is shown, which has no lines.
 */
export async function viewInvoice(deps: Deps, merchant: Merchant, id: string): Promise<InvoiceView> {
  const loaded = await loadMerchantInvoice(deps, merchant, id);
  if (!loaded) return { kind: 'not-found' };
  const [life, freshSheet] = await Promise.all([
    readInvoiceHistory(deps.db, merchant.accountId, loaded.invoiceId),
    callCrm(deps, merchant.accountId, () => readFreshSheet(deps, merchant, loaded)),
  ]);
  if (freshSheet === 'not-found' && !mayHaveMoney(loaded)) return { kind: 'not-found' };
  const data = { loaded, life: presentHistory(loaded, life), paid: life.attempts };
  if (typeof freshSheet === 'string')
    return viewStoredCopy(deps, data, freshSheet === 'not-found' ? 'deleted' : 'stale');
  return toPreview(deps, data, freshSheet.sheet, freshSheet.readAt, 'fresh');
}

async function readFreshSheet(deps: Deps, { accountId }: Merchant, loaded: MerchantInvoice) {
  if (!loaded.tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const sheet = await withCrm(deps, loaded.tokens, (token, timeZone) =>
    deps.crm.getInvoiceSheet(token, loaded.invoiceId, timeZone),
  );
  if (!sheet) return 'not-found';
  const readAt = deps.now();
  await recordCrmInvoice(deps, accountId, { storedInvoice: loaded.invoice, crmInvoice: sheet.invoice, readAt });
  return { sheet, readAt };
}

/**
 * True if money was or may have been taken for the invoice. Staff must be able to see and refund it even if the CRM has
 * deleted the invoice.
 */
const mayHaveMoney = ({ payments, attempts }: MerchantInvoice): boolean =>
  payments.length > 0 || attempts.some(({ state }) => LIVE_ATTEMPT_STATES.includes(state));

type InvoiceData = { loaded: MerchantInvoice; life: InvoiceLife; paid: InvoiceHistoryRows['attempts'] };

/**
 * `fresh`: from the CRM. `stale` and `deleted`: from the stored copy, because the CRM does not answer or has deleted
 * the invoice.
 */
type InvoiceSource = 'fresh' | 'stale' | 'deleted';

function viewStoredCopy(deps: Deps, data: InvoiceData, source: InvoiceSource): InvoiceView {
  const { invoice: row } = data.loaded;
  if (!row || (row.deletedAt !== null && !mayHaveMoney(data.loaded))) return { kind: 'crm-unavailable' };
  const invoice = storedInvoice(row, paymentOf(data.loaded)?.receiptTo);
  return toPreview(deps, data, { invoice }, row.readAt, source);
}

const toPreview = (
  { settings, now }: Deps,
  { loaded, life, paid }: InvoiceData,
  sheet: Parameters<typeof invoicePreview>[1],
  readAt: number,
  source: InvoiceSource,
): InvoiceView => ({
  kind: 'preview',
  preview: {
    ...invoicePreview(loaded, sheet, { appUrl: settings.APP_URL, now: now(), recorded: recordedCentsByPayment(paid) }),
    is_deleted_in_crm: source === 'deleted',
    life,
  },
  asOf: new Date(readAt).toISOString(),
  isStale: source === 'stale',
});

/** The part of each payment that is in the CRM's balance (cents), by the payment's id. */
const recordedCentsByPayment = (paidRows: InvoiceHistoryRows['attempts']): ReadonlyMap<string, number> =>
  new Map(paidRows.map((row) => [String(row.attempt_id), recordedCents(row)]));
