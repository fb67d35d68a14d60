import { phoneDigits, plainLetters } from '#shared/text/fold-text';
import { isOpen } from '../payable-conditions.ts';
import { inList, joinSql, type RawSql, raw, rawSql } from '../sql.ts';
import {
  type DerivedStatus,
  IS_NOT_DELETED,
  type ListDescription,
  type ListFilters,
  type ListView,
  OWED_FIRST_KEY,
  type SortKey,
  STATUS_KEY,
  type ValueRange,
} from './description.ts';

// Exactly the characters at which the view search_words splits words, and those that the index treats as separators.
const SEPARATORS = /[\s\p{Z}\p{C}_\-.,:;/\\@'’"()[\]<>&+#*|–—]+/u;

/** The index ignores diacritics, so a word that consists only of diacritics would be a prefix of every word. */
const BASE_CHARACTER = /[^\p{M}]/u;

/** The words of a search text, split as the index splits them. */
export const searchWords = (text: string): string[] =>
  plainLetters(text)
    .split(SEPARATORS)
    .filter((word) => BASE_CHARACTER.test(word));

/**
 * MATCH expression for rows of this account that contain every word; only the last word may be a prefix, because
 * otherwise a search for one number could expand to 100,000 similar ones. A phone number matches in any spelling. Words
 * are quoted, and a quote splits words, so the text cannot inject query syntax.
 */
export function searchMatch(accountId: number, text: string): string {
  const words = searchWords(text).map((word) => `"h${accountId}_${word}"`);
  // No word starts with an underscore, so this matches nothing.
  if (words.length === 0) return `"h${accountId}__"`;
  const digits = phoneDigits(text);
  return `${words.join(' ')}*${digits === null ? '' : ` OR "h${accountId}_${digits}"*`}`;
}

/** The SQL fragments of a list's view, from which all its statements are built. */
export type Selection = {
  view: ListView;
  isFiltered: boolean;
  /** True if the count is stored in `list_counts`, because there is no filter or only one by status. */
  hasStoredCount: boolean;
  /** True if the search index finds the rows. With a cursor, the index of the sort order finds them. */
  isSearch: boolean;
  /** True for a search that lists matches by name first. */
  isRanked: boolean;
  table: RawSql;
  /** The conditions for account and list, independent of the filters. */
  scope: RawSql;
  columns: RawSql;
  order: { key: RawSql; index: RawSql };
  /** Limits of the filters on the sort key, so that a query can seek into its index. */
  bounds: { first: SortKey; last: SortKey } | null;
  /** FROM and WHERE of the matching rows, found by the most selective index. */
  matches: RawSql;
  /** FROM and WHERE on the search index alone, if it contains exactly the requested rows. */
  words: RawSql | null;
  /**
   * Conditions that a walk along the index checks for each row: on the row itself, and with lookups in other tables.
   */
  rowConditions: RawSql[];
  lookups: RawSql[];
  /** WHERE for the stored counts. */
  storedCounts: RawSql;
};

const OPEN_INVOICE = `o.deleted_at IS NULL AND ${isOpen('o.')}`;
/** Statuses with few rows per clinic, unlike all others. */
const RARE_STATUSES = ['draft', 'submitted', 'refunded', 'voided', 'returned'];

/** The derived status with this name, if there is one. */
const findDerivedStatus = (list: ListDescription, status: string): DerivedStatus | undefined =>
  Object.hasOwn(list.derived, status) ? list.derived[status] : undefined;

export function selectionOf(list: ListDescription, accountId: number, view: ListView): Selection {
  const { q, statuses, ranges, contactId, hasOpenInvoice, sort, cursor } = view;
  const order = sortOrder(list, sort);
  const keyRange = ranges.find(({ field }) => field === sort);
  const hasOtherFilter = ranges.length > 0 || contactId !== null || hasOpenInvoice;
  const table = raw(list.table);
  const where = filterConditions(list, accountId, view, ranges);
  const otherRanges = ranges.filter(({ field }) => field !== sort);
  const lookups: RawSql[] = [];
  if (hasOpenInvoice) {
    where.push(
      rawSql`t.contact_id IN (SELECT o.contact_id FROM invoices o INDEXED BY invoices_open_by_contact
        WHERE o.account_id = ${accountId} AND ${raw(OPEN_INVOICE)})`,
    );
    lookups.push(rawSql`EXISTS (SELECT 1 FROM invoices o
      WHERE o.account_id = t.account_id AND o.contact_id = t.contact_id AND ${raw(OPEN_INVOICE)})`);
  }
  const selection: Selection = {
    view,
    isFiltered: q !== '' || statuses.length > 0 || hasOtherFilter,
    hasStoredCount: q === '' && !hasOtherFilter && !statuses.some((status) => findDerivedStatus(list, status)),
    isSearch: q !== '' && cursor === null,
    isRanked: q !== '' && cursor === null && sort === list.rankedSort && !view.isDescending,
    table,
    scope: rawSql`t.account_id = ${accountId} AND ${raw(list.rows)}`,
    columns: raw(`${list.columns}, ${order.key} AS sort_key, t.id_number AS id_number`),
    order: { key: raw(order.key), index: raw(order.index) },
    bounds: keyRange ? boundsOf(list, keyRange) : boundsOfStatuses(list, order.key, statuses),
    matches: rawSql`${table} t ${raw(forcedIndex(list, view))} WHERE ${joinSql(where, ' AND ')}`,
    words: null,
    rowConditions: filterConditions(list, accountId, view, otherRanges),
    lookups,
    storedCounts: rawSql`account_id = ${accountId} AND list = ${list.name} AND status IN ${inList(statuses.length > 0 ? statuses : ['*'])}`,
  };
  if (q === '') return selection;

  const index = raw(list.search);
  const match = rawSql`${index} MATCH ${searchMatch(accountId, q)}`;
  const words = rawSql`${index} WHERE ${match}`;
  return {
    ...selection,
    lookups: [...lookups, rawSql`t.rowid IN (SELECT rowid FROM ${words})`],
    matches: rawSql`${index} s CROSS JOIN ${table} t ON t.rowid = s.rowid
    WHERE s.${match} AND ${joinSql(where, ' AND ')}`,
    words: list.rows === IS_NOT_DELETED && statuses.length === 0 && !hasOtherFilter ? words : null,
  };
}

function sortOrder(list: ListDescription, field: string) {
  const order = list.sorts[field];
  if (!order) throw new Error(`the list ${list.name} has no sort order ${field}`);
  return order;
}

/** The keys of all values lie between these two, except those of missing values. */
const KEY_LIMITS = {
  text: { first: ' ', last: '\u{10ffff}' },
  number: { first: Number.MIN_SAFE_INTEGER + 1, last: Number.MAX_SAFE_INTEGER },
} as const;

function boundsOf(list: ListDescription, { field, from, to }: ValueRange): { first: SortKey; last: SortKey } {
  const { first, last } = KEY_LIMITS[sortOrder(list, field).kind];
  return { first: from ?? first, last: to ?? last };
}

function boundsOfStatuses(list: ListDescription, key: string, statuses: string[]) {
  const stored = statuses.map((status) => findDerivedStatus(list, status)?.stored ?? status).sort();
  const [first, last] = [stored[0], stored.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (key === STATUS_KEY) return { first, last };
  // Owed invoices, which are open, sort before all others.
  return key === OWED_FIRST_KEY ? { first: stored.includes('open') ? '0' : `1${first} `, last: `1${last} ~` } : null;
}

/** The conditions of the filters, except search and open invoices. */
function filterConditions(
  list: ListDescription,
  accountId: number,
  { statuses, today, contactId }: ListFilters,
  ranges: ValueRange[],
): RawSql[] {
  const all = [rawSql`t.account_id = ${accountId}`, raw(list.rows)];
  for (const range of ranges) {
    const { first, last } = boundsOf(list, range);
    const key = raw(sortOrder(list, range.field).key);
    all.push(rawSql`${key} >= ${first} AND ${key} <= ${last}`);
  }
  if (statuses.length > 0) all.push(statusCondition(list, statuses, today));
  if (contactId !== null) all.push(rawSql`t.contact_id = ${contactId}`);
  return all;
}

function statusCondition(list: ListDescription, statuses: string[], today = ''): RawSql {
  const stored = statuses.filter((status) => !findDerivedStatus(list, status));
  const derived = statuses.flatMap((status) => {
    const derivedStatus = findDerivedStatus(list, status);
    // Already included in the stored status.
    if (!derivedStatus || (derivedStatus.stored !== null && stored.includes(derivedStatus.stored))) return [];
    const condition = raw(derivedStatus.condition);
    if (!derivedStatus.due) return [condition];
    const key = raw(derivedStatus.due.key);
    return derivedStatus.due.isPast
      ? [rawSql`${condition} AND ${key} > '' AND ${key} < ${today}`]
      : [rawSql`${condition} AND (${key} = '' OR ${key} >= ${today})`];
  });
  const all = stored.length > 0 ? [rawSql`t.shown_status IN ${inList(stored)}`, ...derived] : derived;
  return all.length === 1 && all[0] ? all[0] : rawSql`((${joinSql(all, ') OR (')}))`;
}

/**
 * Forces the index of a rare status, because SQLite would prefer the index of a range even if few rows have the status.
 */
function forcedIndex(list: ListDescription, { statuses, ranges, contactId }: ListFilters): string {
  const [singleStatus = ''] = statuses;
  const derived = statuses.length === 1 && contactId === null ? findDerivedStatus(list, singleStatus) : undefined;
  if (derived) return `INDEXED BY ${derived.index}`;
  const isRare = statuses.length > 0 && statuses.every((status) => RARE_STATUSES.includes(status));
  if (!isRare || ranges.length === 0 || contactId !== null) return '';
  return list.byStatus ? `INDEXED BY ${list.byStatus}` : '';
}
