import type { PaymentSort } from '#shared/contracts/payments/payment-list';
import { type ListedPaymentStatus, ONLINE_PAYMENTS } from '#shared/contracts/payments/payment-list-values';
import type { Wallet } from '#shared/contracts/payments/wallet-values';
import { cardName } from '#shared/text/card-name';
import { foldText, phoneDigits } from '#shared/text/fold-text';
import type { Db, RawRow } from '../db.ts';
import { IS_PENDING_DEBIT, IS_RETURNED_UNPAID } from '../payable-conditions.ts';
import { inList, joinSql, prepare, type RawSql, raw, rawSql } from '../sql.ts';
import { isCounted, isRefund, PLACE_COLUMNS, PLACE_JOINS, timeRangeOfDay } from './day.ts';

/**
 * The rows to list. `from`, `to`: local days (YYYY-MM-DD, inclusive). `statuses`: any if empty. `terminal`: a card
 * reader's id, ONLINE_PAYMENTS, or null for all. `places`: the rows that a search found; null without one. `now` (UTC
 * ms) determines which requests for a second person have expired.
 */
export type PaymentQuery = {
  accountId: number;
  from: string;
  to: string;
  statuses: readonly string[];
  terminal: string | null;
  places: readonly number[] | null;
  sort: PaymentSort;
  isDescending: boolean;
  now: number;
};

const IS_COUNTED = isCounted('l');

const STATUS = `CASE
  WHEN l.kind = 'return' THEN 'return'
  WHEN l.kind = 'refund' THEN iif(l.corrects = 1, 'correction', 'refund')
  WHEN NOT (${IS_COUNTED}) THEN 'voided'
  WHEN a.state = 'pending' THEN 'submitted'
  WHEN a.state IN ('returned', 'refunded') THEN a.state
  WHEN a.refunded_cents > 0 THEN 'partly_refunded'
  ELSE 'paid' END`;

const CUSTOMER = `trim(i.contact_first_name || ' ' || i.contact_last_name)`;
const PAYER = `trim(a.payer_first_name || ' ' || a.payer_last_name)`;

/** The searchable texts of a row, with the amount as in the API, without its sign. */
const searchColumns = (cents: string) =>
  `a.invoice_number || ' ' || ifnull(${CUSTOMER}, '') || ' ' || ifnull(i.company_name, '') || ' ' || ${PAYER}
  || ' ' || printf('%d.%02d', abs(${cents}) / 100, abs(${cents}) % 100) AS searched, a.card_last_four AS lastFour`;
const BATCH = `(SELECT g.batch_id FROM gateway_transactions g WHERE g.account_id = l.account_id
    AND g.provider_txn_id = l.provider_txn_id AND g.method = l.method)`;
const PHONE = `(SELECT c.phone FROM contacts c WHERE c.account_id = i.account_id AND c.contact_id = i.contact_id)`;

const FROM_BOOKED = `ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id ${PLACE_JOINS}`;

/** Bank payments without a ledger entry, which are pending or were returned before they settled. */
const FROM_UNBOOKED = {
  submitted: `payment_attempts a INDEXED BY payment_attempts_in_flight ${PLACE_JOINS} WHERE ${IS_PENDING_DEBIT}`,
  returned: `payment_attempts a INDEXED BY payment_attempts_returned ${PLACE_JOINS} WHERE ${IS_RETURNED_UNPAID}`,
} as const;
type UnbookedStatus = keyof typeof FROM_UNBOOKED;
/** Orders unbooked rows that have the same time. It is negative, so that it differs from all row ids of the ledger. */
const UNBOOKED_PLACE = '-a.rowid';

const placeConditions = (place: string, places: PaymentQuery['places']): RawSql[] =>
  places === null ? [] : [rawSql`${raw(place)} IN (SELECT value FROM json_each(${JSON.stringify(places)}))`];

/** A refund counts at the card reader of its payment. */
function terminalConditions(terminal: PaymentQuery['terminal']): RawSql[] {
  if (terminal === null) return [];
  return terminal === ONLINE_PAYMENTS
    ? [rawSql`a.channel = 'link'`]
    : [rawSql`a.channel = 'terminal' AND a.terminal_id = ${terminal}`];
}

/** A void has no row of its own. It removes its payment from the figures, so that the payment counts as zero. */
function fromBooked({ accountId, from, to, statuses, terminal, places }: PaymentQuery): RawSql {
  const conditions = [
    rawSql`l.account_id = ${accountId} AND l.at BETWEEN ${timeRangeOfDay(from).from} AND ${timeRangeOfDay(to).to}
      AND l.day BETWEEN ${from} AND ${to} AND l.kind <> 'void'`,
    ...(statuses.length > 0 ? [rawSql`${raw(STATUS)} IN ${inList([...statuses])}`] : []),
    ...terminalConditions(terminal),
    ...placeConditions('l.rowid', places),
  ];
  return rawSql`FROM ${raw(FROM_BOOKED)} WHERE ${joinSql(conditions, ' AND ')}`;
}

/** Unbooked payments are selected by the local day on which the payer submitted them. */
function fromUnbooked(status: UnbookedStatus, query: PaymentQuery): RawSql {
  const { accountId, from, to, statuses, terminal, places } = query;
  const isRequested = statuses.length === 0 || statuses.includes(status);
  const conditions = [
    rawSql`a.account_id = ${accountId} AND a.created_at BETWEEN ${timeRangeOfDay(from).from} AND ${timeRangeOfDay(to).to}
      AND a.day BETWEEN ${from} AND ${to}`,
    // Bound, because SQLite finds no plan for a named index with a constant condition that is false.
    ...(isRequested ? [] : [rawSql`${0} = 1`]),
    ...terminalConditions(terminal),
    ...placeConditions(UNBOOKED_PLACE, places),
  ];
  return rawSql`FROM ${raw(FROM_UNBOOKED[status])} AND ${joinSql(conditions, ' AND ')}`;
}

type SearchedRow = {
  place: number;
  searched: string;
  lastFour: string;
  brand: string;
  id: string;
  batch: string | null;
  phone: string | null;
};

/** Normalizes amounts and card numbers as the screens show them: "$1,647.20", "−$46.25" and "Visa •••• 1111". */
const searchText = (text: string): string =>
  foldText(text)
    .replace(/[$,•]/g, '')
    .replace(/(^|\s)[-−](?=\d)/g, '$1');

/**
 * The rows that contain every word, in any case and with or without accents, or whose customer has this phone number.
 * The numbers of a transaction and a batch must match in full, because parts of them occur in many others. SQLite
 * cannot fold letters, so the texts of the period are compared here.
 */
export async function findPayments({ $client }: Db, query: PaymentQuery, text: string): Promise<number[]> {
  const words = searchText(text).split(/\s+/).filter(Boolean);
  const digits = phoneDigits(text);
  const phone = raw(digits === null ? "''" : PHONE);
  // Each batch costs one more row, so batches are only read if a word may be a batch number.
  const batch = raw(words.some((word) => /\d/.test(word)) ? BATCH : "''");
  const unbookedTexts = (status: UnbookedStatus) =>
    rawSql`UNION ALL SELECT ${raw(UNBOOKED_PLACE)}, ${raw(searchColumns('a.amount_cents'))}, a.card_brand, a.provider_txn_id,
        '', ${phone} ${fromUnbooked(status, query)}`;
  const { results } = await prepare(
    $client,
    rawSql`SELECT l.rowid AS place, ${raw(searchColumns('l.amount_cents'))}, l.brand AS brand, l.provider_txn_id AS id,
        ${batch} AS batch, ${phone} AS phone ${fromBooked(query)}
      ${unbookedTexts('submitted')} ${unbookedTexts('returned')}`,
  ).all<SearchedRow>();
  const isMatch = ({ searched, lastFour, brand, id, batch, phone }: SearchedRow) => {
    const rowText = searchText(`${searched} ${cardName({ brand, lastFour })} ${brand}`);
    const numbers = [foldText(id), foldText(batch ?? '')];
    return (
      (words.length > 0 && words.every((word) => rowText.includes(word) || numbers.includes(word))) ||
      (digits !== null && (phoneDigits(phone ?? '') ?? '').includes(digits))
    );
  };
  return results.filter(isMatch).map(({ place }) => place);
}

/** SQL: the name of the member of staff who matches the condition. */
const nameOfUser = (condition: string) =>
  `(SELECT coalesce(nullif(u.name, ''), u.email) FROM users u WHERE u.account_id = a.account_id AND ${condition} LIMIT 1)`;

const STARTED_BY = `coalesce(${nameOfUser("u.email = a.started_by COLLATE NOCASE AND a.started_by <> ''")}, a.started_by)`;

const PAYMENT_COLUMNS = `a.id AS paymentId, a.invoice_id AS invoiceId, a.terminal_id AS terminalId,
  a.card_last_four AS lastFour, a.wallet, ${PLACE_COLUMNS}, ifnull(i.contact_id, '') AS contactId, ${PAYER} AS payer`;

/** Must match the partial index word for word, or SQLite does not use it. */
const waitingAt = (
  now: number,
) => rawSql`iif(l.kind = 'payment', (SELECT kind FROM approvals INDEXED BY approvals_waiting
    WHERE attempt_id = a.id AND state = 'waiting' AND ends_at > ${now}), NULL)`;

const COLUMNS = `l.rowid AS place, l.provider_txn_id AS id, l.amount_cents AS amountCents,
  iif(${IS_COUNTED}, l.amount_cents, 0) AS countedCents,
  l.currency, l.at, l.day, l.method, l.brand, ${STATUS} AS status, ${PAYMENT_COLUMNS},
  ifnull(iif(l.kind = 'payment', ${STARTED_BY},
    ${nameOfUser(`u.user_id = (SELECT r.requested_by FROM reversals r
      WHERE r.attempt_id = l.attempt_id AND r.provider_txn_id = l.provider_txn_id)`)}), '') AS by,
  ifnull(${BATCH}, '') AS batchId`;

const unbookedColumns = (status: UnbookedStatus) =>
  `${UNBOOKED_PLACE} AS place, ifnull(a.provider_txn_id, '') AS id, a.amount_cents AS amountCents, 0 AS countedCents,
  a.currency, a.created_at AS at, a.day, a.method, a.card_brand AS brand, '${status}' AS status, ${PAYMENT_COLUMNS},
  ${STARTED_BY} AS by, '' AS batchId`;

const TOTALS = `count(*) AS n,
  coalesce(sum(l.kind = 'payment' AND ${IS_COUNTED}), 0) AS payments,
  coalesce(sum(iif(l.kind = 'payment' AND ${IS_COUNTED}, l.amount_cents, 0)), 0) AS paid_cents,
  coalesce(sum(l.kind = 'payment' AND NOT (${IS_COUNTED})), 0) AS voided,
  coalesce(sum(${isRefund('l')}), 0) AS refunds,
  coalesce(sum(l.kind <> 'payment' AND l.corrects = 1), 0) AS corrections,
  coalesce(sum(iif(l.kind <> 'payment' AND ${IS_COUNTED}, l.amount_cents, 0)), 0) AS refunded_cents`;

/** The SQL of each sort key for rows in the ledger and for the others; both select it under the name of the field. */
const SORT_KEYS: Record<PaymentSort, { booked: string; unbooked: string }> = {
  at: { booked: 'l.at', unbooked: 'a.created_at' },
};

/** All rows after a position, in the order of the list. */
function rowsAfter(query: PaymentQuery, after: Pick<ListedEntry, PaymentSort | 'place'> | null): RawSql {
  const { sort, isDescending } = query;
  const { booked, unbooked } = SORT_KEYS[sort];
  const [comparison, direction] = isDescending ? [raw('<'), raw('DESC')] : [raw('>'), raw('ASC')];
  const isBeyond = (key: string, place: string) =>
    after ? rawSql`AND (${raw(key)}, ${raw(place)}) ${comparison} (${after[sort]}, ${after.place})` : raw('');
  const unbookedRows = (status: UnbookedStatus) =>
    rawSql`UNION ALL SELECT ${raw(unbookedColumns(status))}, NULL AS waiting ${fromUnbooked(status, query)}
      ${isBeyond(unbooked, UNBOOKED_PLACE)}`;
  return rawSql`SELECT ${raw(COLUMNS)}, ${waitingAt(query.now)} AS waiting ${fromBooked(query)} ${isBeyond(booked, 'l.rowid')}
    ${unbookedRows('submitted')} ${unbookedRows('returned')}
    ORDER BY ${raw(sort)} ${direction}, place ${direction}`;
}

/** A row, whose columns the SQL names alike. */
export type ListedEntry = {
  /** Orders rows that have the same `at`, for the next piece of an export. */
  place: number;
  id: string;
  paymentId: string;
  status: ListedPaymentStatus;
  amountCents: number;
  countedCents: number;
  currency: string;
  at: number;
  day: string;
  method: string;
  wallet: Wallet | '';
  brand: string;
  lastFour: string;
  invoiceId: string;
  invoiceNumber: string;
  contactId: string;
  customer: string;
  payer: string;
  terminal: string;
  terminalId: string;
  by: string;
  batchId: string;
  /** The reversal of this payment that is waiting for a second person. */
  waiting: 'void' | 'refund' | null;
};

type CountAndSum = { count: number; cents: number };

/**
 * Counts, and sums in cents; `refundedCents` is negative. `rows` is the sum of all counts but `unknown`, which has no
 * rows. Only `paidCents` and `refundedCents` are in the ledger.
 */
export type PaymentTotals = {
  rows: number;
  payments: number;
  paidCents: number;
  voided: number;
  refunds: number;
  corrections: number;
  refundedCents: number;
  onItsWay: CountAndSum;
  /** The number of bank payments that were returned before they settled. */
  returned: number;
  unknown: CountAndSum;
};

/** A page of the list with the totals of all pages, read in one transaction. */
export async function readPaymentPage(
  { $client }: Db,
  query: PaymentQuery,
  { page, size }: { page: number; size: number },
): Promise<{ entries: ListedEntry[]; totals: PaymentTotals }> {
  const { accountId, from, to, terminal } = query;
  const undecided = [
    // Must match the partial index word for word, or SQLite does not use it.
    rawSql`a.account_id = ${accountId} AND a.state IN ('sent', 'unknown', 'needs_human') AND a.day BETWEEN ${from} AND ${to}`,
    ...terminalConditions(terminal),
  ];
  const [rows, sums, unbookedSums] = await $client.batch<RawRow>(
    [
      rawSql`${rowsAfter(query, null)} LIMIT ${size} OFFSET ${(page - 1) * size}`,
      rawSql`SELECT ${raw(TOTALS)} ${fromBooked(query)}`,
      rawSql`SELECT * FROM (SELECT count(*) AS n, coalesce(sum(a.amount_cents), 0) AS cents
        FROM payment_attempts a INDEXED BY payment_attempts_undecided WHERE ${joinSql(undecided, ' AND ')})
        CROSS JOIN (SELECT count(*) AS way_n, coalesce(sum(a.amount_cents), 0) AS way_cents ${fromUnbooked('submitted', query)})
        CROSS JOIN (SELECT count(*) AS returned_n ${fromUnbooked('returned', query)})`,
    ].map((statement) => prepare($client, statement)),
  );
  const [sum, unbookedSum] = [sums?.results[0], unbookedSums?.results[0]];
  const onItsWay = { count: Number(unbookedSum?.way_n), cents: Number(unbookedSum?.way_cents) };
  return {
    entries: (rows?.results ?? []) as ListedEntry[],
    totals: {
      rows: Number(sum?.n) + onItsWay.count + Number(unbookedSum?.returned_n),
      payments: Number(sum?.payments),
      paidCents: Number(sum?.paid_cents),
      voided: Number(sum?.voided),
      refunds: Number(sum?.refunds),
      corrections: Number(sum?.corrections),
      refundedCents: Number(sum?.refunded_cents),
      onItsWay,
      returned: Number(unbookedSum?.returned_n),
      unknown: { count: Number(unbookedSum?.n), cents: Number(unbookedSum?.cents) },
    },
  };
}

/** At most `limit` rows after the row `after`, for an export; the first rows if it is null. */
export async function readPaymentsAfter(
  { $client }: Db,
  query: PaymentQuery,
  after: Pick<ListedEntry, PaymentSort | 'place'> | null,
  limit: number,
): Promise<ListedEntry[]> {
  const { results } = await prepare($client, rawSql`${rowsAfter(query, after)} LIMIT ${limit}`).all<ListedEntry>();
  return results;
}
