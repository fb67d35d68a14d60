import { phoneDigits, plainLetters } from '#shared/text/folded';
import { isOpen } from '../offers.ts';
import { joined, listed, type RawSql, raw, rawSql } from '../sql.ts';
import {
  type Key,
  type ListDescription,
  type ListFilters,
  type ListView,
  type MadeStatus,
  NOT_GONE,
  OWED_FIRST_KEY,
  type Range,
  STATUS_KEY,
} from './description.ts';

// Exactly the characters at which the view search_words splits words, and those that the index treats as separators.
const CUTS = /[\s\p{Z}\p{C}_\-.,:;/\\@'’"()[\]<>&+#*|–—]+/u;

/** The index ignores diacritics, so a word of only those would match every word as a prefix. */
const VISIBLE = /[^\p{M}]/u;

/** The words of a search text, split as the index splits them. */
export const searchWords = (text: string): string[] =>
  plainLetters(text)
    .split(CUTS)
    .filter((word) => VISIBLE.test(word));

/**
 * MATCH expression: rows of this account that contain every word; the last word may be a prefix. A phone number also
 * matches however it is written there. (With a prefix match
 * for each word, a search for one number could expand to 100,000 similar ones.) Words are quoted, and a quote splits
 * words, so the text cannot inject query syntax.
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
  /** Its count is stored in `list_counts`: without a filter, or filtered only by status. */
  isKept: boolean;
  /** Found by the search index or, with a cursor, by the index of the sort order. */
  isSearch: boolean;
  /** A search whose rows of a matching name come first. */
  isRanked: boolean;
  table: RawSql;
  /** The conditions for account and list, independent of the filters. */
  own: RawSql;
  columns: RawSql;
  order: { key: RawSql; index: RawSql };
  /** Limits of the filters on the sort key, so that a query can seek into its index. */
  bounds: { first: Key; last: Key } | null;
  /** FROM and WHERE of the matching rows, found by the most selective index. */
  matches: RawSql;
  /** FROM and WHERE on the search index alone, if it contains exactly the requested rows. */
  words: RawSql | null;
  /** Conditions that a walk along the index checks for each row: on the row itself, and on other tables. */
  asked: RawSql[];
  lookedUp: RawSql[];
  /** WHERE for the stored counts. */
  kept: RawSql;
};

const OPEN_INVOICE = `o.deleted_at IS NULL AND ${isOpen('o.')}`;
/** Statuses with few rows per clinic, unlike all others. */
const RARE_STATUSES = ['draft', 'submitted', 'refunded', 'voided', 'returned'];

/** The derived status of this name, if it is one. */
const madeOf = (list: ListDescription, status: string): MadeStatus | undefined =>
  Object.hasOwn(list.made, status) ? list.made[status] : undefined;

export function selectionOf(list: ListDescription, accountId: number, view: ListView): Selection {
  const { q, statuses, ranges, contactId, hasOpenInvoice, sort, cursor } = view;
  const order = sortOrder(list, sort);
  const onKey = ranges.find(({ field }) => field === sort);
  const isByOther = ranges.length > 0 || contactId !== null || hasOpenInvoice;
  const table = raw(list.table);
  const found = conditions(list, accountId, view, ranges);
  const otherRanges = ranges.filter(({ field }) => field !== sort);
  const lookedUp: RawSql[] = [];
  if (hasOpenInvoice) {
    found.push(
      rawSql`t.contact_id IN (SELECT o.contact_id FROM invoices o INDEXED BY invoices_open_by_contact
        WHERE o.account_id = ${accountId} AND ${raw(OPEN_INVOICE)})`,
    );
    lookedUp.push(rawSql`EXISTS (SELECT 1 FROM invoices o
      WHERE o.account_id = t.account_id AND o.contact_id = t.contact_id AND ${raw(OPEN_INVOICE)})`);
  }
  const selection: Selection = {
    view,
    isFiltered: q !== '' || statuses.length > 0 || isByOther,
    isKept: q === '' && !isByOther && !statuses.some((status) => madeOf(list, status)),
    isSearch: q !== '' && cursor === null,
    isRanked: q !== '' && cursor === null && sort === list.rankedSort && !view.isDescending,
    table,
    own: rawSql`t.account_id = ${accountId} AND ${raw(list.rows)}`,
    columns: raw(`${list.columns}, ${order.key} AS sort_key, t.id_number AS id_number`),
    order: { key: raw(order.key), index: raw(order.index) },
    bounds: onKey ? boundsOf(list, onKey) : boundsOfStatuses(list, order.key, statuses),
    matches: rawSql`${table} t ${raw(bestIndex(list, view))} WHERE ${joined(found, ' AND ')}`,
    words: null,
    asked: conditions(list, accountId, view, otherRanges),
    lookedUp,
    kept: rawSql`account_id = ${accountId} AND list = ${list.name} AND status IN ${listed(statuses.length > 0 ? statuses : ['*'])}`,
  };
  if (q === '') return selection;

  const index = raw(list.search);
  const match = rawSql`${index} MATCH ${searchMatch(accountId, q)}`;
  const words = rawSql`${index} WHERE ${match}`;
  return {
    ...selection,
    lookedUp: [...lookedUp, rawSql`t.rowid IN (SELECT rowid FROM ${words})`],
    matches: rawSql`${index} s CROSS JOIN ${table} t ON t.rowid = s.rowid
    WHERE s.${match} AND ${joined(found, ' AND ')}`,
    words: list.rows === NOT_GONE && statuses.length === 0 && !isByOther ? words : null,
  };
}

function sortOrder(list: ListDescription, field: string) {
  const order = list.sorts[field];
  if (!order) throw new Error(`the list ${list.name} has no sort order ${field}`);
  return order;
}

/** The keys of all present values are between these two. */
const ENDS = {
  text: { first: ' ', last: '\u{10ffff}' },
  number: { first: Number.MIN_SAFE_INTEGER + 1, last: Number.MAX_SAFE_INTEGER },
} as const;

function boundsOf(list: ListDescription, { field, from, to }: Range): { first: Key; last: Key } {
  const { first, last } = ENDS[sortOrder(list, field).kind];
  return { first: from ?? first, last: to ?? last };
}

function boundsOfStatuses(list: ListDescription, key: string, statuses: string[]) {
  const stored = statuses.map((status) => madeOf(list, status)?.of ?? status).sort();
  const [first, last] = [stored[0], stored.at(-1)];
  if (first === undefined || last === undefined) return null;
  if (key === STATUS_KEY) return { first, last };
  // Owed invoices, which are open, sort before all others.
  return key === OWED_FIRST_KEY ? { first: stored.includes('open') ? '0' : `1${first} `, last: `1${last} ~` } : null;
}

/** The conditions of the filters, except search and open invoices. */
function conditions(
  list: ListDescription,
  accountId: number,
  { statuses, today, contactId }: ListFilters,
  ranges: Range[],
): RawSql[] {
  const all = [rawSql`t.account_id = ${accountId}`, raw(list.rows)];
  for (const range of ranges) {
    const { first, last } = boundsOf(list, range);
    const key = raw(sortOrder(list, range.field).key);
    all.push(rawSql`${key} >= ${first} AND ${key} <= ${last}`);
  }
  if (statuses.length > 0) all.push(inStatus(list, statuses, today));
  if (contactId !== null) all.push(rawSql`t.contact_id = ${contactId}`);
  return all;
}

function inStatus(list: ListDescription, statuses: string[], today = ''): RawSql {
  const stored = statuses.filter((status) => !madeOf(list, status));
  const made = statuses.flatMap((status) => {
    const its = madeOf(list, status);
    // Already included in the stored status.
    if (!its || (its.of !== null && stored.includes(its.of))) return [];
    const is = raw(its.is);
    if (!its.due) return [is];
    const key = raw(its.due.key);
    return its.due.isPast
      ? [rawSql`${is} AND ${key} > '' AND ${key} < ${today}`]
      : [rawSql`${is} AND (${key} = '' OR ${key} >= ${today})`];
  });
  const all = stored.length > 0 ? [rawSql`t.shown_status IN ${listed(stored)}`, ...made] : made;
  return all.length === 1 && all[0] ? all[0] : rawSql`((${joined(all, ') OR (')}))`;
}

/** For rare statuses: by itself, SQLite prefers a range's index, however few rows have the status. */
function bestIndex(list: ListDescription, { statuses, ranges, contactId }: ListFilters): string {
  const [only = ''] = statuses;
  const made = statuses.length === 1 && contactId === null ? madeOf(list, only) : undefined;
  if (made) return `INDEXED BY ${made.index}`;
  const isRare = statuses.length > 0 && statuses.every((status) => RARE_STATUSES.includes(status));
  if (!isRare || ranges.length === 0 || contactId !== null) return '';
  return list.byStatus ? `INDEXED BY ${list.byStatus}` : '';
}
