import type { InvoiceLife, InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { deliveries } from '#shared/contracts/lists/mail-values';
import { decimalFromCents } from '#shared/money';
import type { RawRow } from '#worker/data/db';
import { type InvoiceLifeRows, readInvoiceLife } from '#worker/data/invoices/merchant-invoice';
import { LIVE } from '#worker/data/payments/attempts';
import { listedAs } from '#worker/data/schema/mail';
import type { Deps } from '#worker/deps';
import { callCrm, withCrm } from '#worker/domain/crm-sync/access';
import { noteAmount } from '#worker/domain/invoices/changed-amount';
import { loadMerchantInvoice, type MerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { cardText } from '#worker/domain/mail/receipt';
import type { Merchant } from '#worker/domain/merchants/session';
import { recordedCents, recordInCrm } from '#worker/domain/write-back/effect';
import { CrmError } from '#worker/vendors/hubspot/port';
import { invoicePreview } from './present.ts';

type Attempt = MerchantInvoice['attempts'][number];

const instant = (value: unknown): string => new Date(Number(value)).toISOString();
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const cents = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const money = (value: number | null): string | null => (value === null ? null : decimalFromCents(value));

const PAID = ['approved', 'pending', 'voided', 'refunded', 'returned'] as const;
const isPaid = (state: string): state is (typeof PAID)[number] => PAID.includes(state as never);
/** As in the statistics, payments with an unknown outcome are not counted. */
const UNDECIDED = ['sent', 'unknown', 'needs_human'] as const;
const isUndecided = (state: string): state is (typeof UNDECIDED)[number] => UNDECIDED.includes(state as never);

/** The history of an invoice as it is shown to staff. */
export function presentLife(own: MerchantInvoice, rows: InvoiceLifeRows): InvoiceLife {
  const collection = own.invoice?.collection ?? 1;
  const now = own.attempts.filter((attempt) => attempt.collection === collection).toReversed();
  const payments = now.flatMap((attempt) => presentPayment(own, rows, attempt));
  const taken = now.filter(({ id }) => own.payments.some(({ attemptId }) => attemptId === id));
  const sentAs = (kind: string) => rows.sent.find((row) => row.kind === kind);
  const sum = (of: (attempt: Attempt) => number) => decimalFromCents(taken.reduce((all, one) => all + of(one), 0));
  return {
    sent: times(sentAs('pay-link'), (row) => ({ to: text(row.recipient) })),
    reminded: times(sentAs('reminder'), () => ({})),
    opened: times(rows.opened, () => ({})),
    payments,
    returned: presentReturned(own, collection),
    undecided: now.flatMap(presentUndecided)[0] ?? null,
    given_back: rows.givenBack.map((row) => presentReversal(own, row, collection)),
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
 * Bank payments that never arrived, since the last one that did before the current collection: each return has begun a
 * new collection.
 */
function presentReturned({ attempts, payments }: MerchantInvoice, current: number): InvoiceLife['returned'] {
  const isBooked = ({ id }: Attempt) => payments.some(({ attemptId }) => attemptId === id);
  const earlier = attempts.filter((attempt) => attempt.collection < current && isBooked(attempt));
  const since = Math.max(0, ...earlier.map(({ createdAt }) => createdAt));
  return attempts
    .filter((attempt) => attempt.state === 'returned' && !isBooked(attempt) && attempt.createdAt > since)
    .map(({ createdAt, settledAt, amountCents }) => ({
      at: instant(createdAt),
      returned_at: instant(settledAt ?? createdAt),
      amount: decimalFromCents(amountCents),
    }))
    .reverse();
}

function times<More extends object>(row: RawRow | undefined, more: (row: RawRow) => More) {
  if (!row || row.times === 0) return null;
  return {
    first_at: instant(row.first_at),
    last_at: instant(row.last_at),
    times: Number(row.times),
    ...more(row),
  };
}

function presentPayment(own: MerchantInvoice, rows: InvoiceLifeRows, attempt: Attempt): InvoiceLife['payments'] {
  const booked = own.payments.find(({ attemptId }) => attemptId === attempt.id);
  if (!isPaid(attempt.state) || (!booked && attempt.state !== 'pending')) return [];
  const terminal = own.counterTerminals.find(({ terminalId }) => terminalId === attempt.terminalId);
  const known = rows.paid.find(({ attempt_id }) => attempt_id === attempt.id);
  return [
    {
      id: attempt.id,
      at: instant(booked?.at ?? attempt.createdAt),
      amount: decimalFromCents(attempt.amountCents),
      card: cardText(attempt) || (attempt.method === 'ach' ? 'Bank account' : 'Card'),
      via: attempt.channel === 'link' ? 'Payment link' : (terminal?.name ?? 'Terminal'),
      state: attempt.state,
      batch: known && known.batch_id !== '' ? presentBatch(known) : null,
      in_crm: known && booked && attempt.state === 'approved' ? recordInCrm(known) : null,
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
    // A deposit above the batch's total has no fee: it includes another payout.
    fees: net === null || deposit === null || deposit > net ? null : money(net - deposit),
  };
}

function presentReversal(own: MerchantInvoice, row: RawRow, collection: number): InvoiceLife['given_back'][number] {
  const attempt = own.attempts.find(({ id }) => id === row.attempt_id);
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
  const own = await loadMerchantInvoice(deps, merchant, id);
  if (!own) return { kind: 'not-found' };
  const [life, fresh] = await Promise.all([
    readInvoiceLife(deps.db, merchant.accountId, own.invoiceId),
    callCrm(deps, merchant.accountId, () => readFresh(deps, merchant, own)),
  ]);
  if (fresh === 'not-found' && !hasMoney(own)) return { kind: 'not-found' };
  const look = { own, life: presentLife(own, life), paid: life.paid };
  if (typeof fresh === 'string') return viewCopy(deps, look, fresh === 'not-found' ? 'deleted' : 'stale');
  return shown(deps, look, fresh.sheet, fresh.readAt, 'fresh');
}

async function readFresh(deps: Deps, { accountId }: Merchant, own: MerchantInvoice) {
  if (!own.tokens) throw new CrmError('revoked', 'no connection to the CRM');
  const sheet = await withCrm(deps, own.tokens, (token, timeZone) =>
    deps.crm.getInvoiceSheet(token, own.invoiceId, timeZone),
  );
  if (!sheet) return 'not-found';
  const readAt = deps.now();
  await noteAmount(deps, accountId, { kept: own.invoice, fresh: sheet.invoice, readAt });
  return { sheet, readAt };
}

/**
 * True if money was or may have been taken for the invoice. Staff must be able to see and refund it even if the CRM has
 * deleted the invoice.
 */
const hasMoney = ({ payments, attempts }: MerchantInvoice): boolean =>
  payments.length > 0 || attempts.some(({ state }) => LIVE.includes(state));

type Look = { own: MerchantInvoice; life: InvoiceLife; paid: InvoiceLifeRows['paid'] };

/**
 * `fresh`: from the CRM. Otherwise from the stored copy: the CRM does not answer (`stale`) or has deleted the invoice.
 */
type Source = 'fresh' | 'stale' | 'deleted';

function viewCopy(deps: Deps, look: Look, source: Source): InvoiceView {
  const { invoice: row } = look.own;
  if (!row || (row.deletedAt !== null && !hasMoney(look.own))) return { kind: 'crm-unavailable' };
  const invoice = {
    ...row,
    id: row.invoiceId,
    contact: { firstName: row.contactFirstName, lastName: row.contactLastName, email: row.contactEmail },
    // No copy of the address is stored.
    contactAddress: { address: '', city: '', state: '', zip: '' },
    company: {
      name: row.companyName,
      address: row.companyAddress,
      city: row.companyCity,
      state: row.companyState,
      zip: row.companyZip,
    },
  };
  return shown(deps, look, { invoice }, row.readAt, source);
}

const shown = (
  { settings, now }: Deps,
  { own, life, paid }: Look,
  sheet: Parameters<typeof invoicePreview>[1],
  readAt: number,
  source: Source,
): InvoiceView => ({
  kind: 'preview',
  preview: {
    ...invoicePreview(own, sheet, { appUrl: settings.APP_URL, now: now(), recorded: recordedOf(paid) }),
    is_deleted_in_crm: source === 'deleted',
    life,
  },
  asOf: new Date(readAt).toISOString(),
  isStale: source === 'stale',
});

/** The part of each payment that is in the CRM's balance (cents), by the payment's id. */
const recordedOf = (paid: InvoiceLifeRows['paid']): ReadonlyMap<string, number> =>
  new Map(paid.map((row) => [String(row.attempt_id), recordedCents(row)]));
