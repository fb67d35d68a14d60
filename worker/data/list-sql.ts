import {
  boundsOnKey,
  type Cursor,
  conditions,
  isFiltered,
  type ListTable,
  type ListView,
  NOT_GONE,
  STATUS_KEY,
  sortOrder,
} from './list-view.ts';
import { searchMatch } from './search-words.ts';
import { joined, listed, raw, type Sql, sql } from './sql.ts';

/**
 * So many rows are sorted by the database for one page. Above that, the order's index is walked and the filters are asked
 * row by row: the more rows they leave, the sooner a page is full.
 */
export const MOST_SORTED = 1000;

/** So many rows of a filter or a search are counted; of more it is only known that there are more. */
export const MOST_COUNTED = 10_000;

const OPEN_INVOICE = "o.gone_at IS NULL AND o.overlay = 'none' AND o.status = 'open'";
/** Of all other states a clinic has many; of these few, whatever else is asked of the rows. */
const RARE_STATUSES = ['draft', 'submitted', 'refunded', 'voided', 'returned'];

const and = (conditions: Sql[]) => joined(conditions, ' AND ');

/** Whether the number of rows is kept, and not counted: without any filter, and by status alone. */
export const isKept = (view: ListView): boolean => !isFiltered({ ...view, statuses: [] });

/** How many rows the filters leave; where they are counted, one more than MOST_COUNTED at most. */
export function countRows(list: ListTable, hubId: number, view: ListView): Sql {
  if (isKept(view)) {
    const statuses = view.statuses.length > 0 ? view.statuses : ['*'];
    return sql`SELECT coalesce(sum(n), 0) AS n FROM list_counts
      WHERE hub_id = ${hubId} AND list = ${list.name} AND status IN ${listed(statuses)}`;
  }
  return sql`SELECT count(*) AS n FROM (SELECT 1 FROM ${matches(list, hubId, view)} LIMIT ${MOST_COUNTED + 1})`;
}

/** FROM and WHERE of the rows that the filters leave, found by whatever index finds fewest. */
function matches(list: ListTable, hubId: number, view: ListView): Sql {
  const all = conditions(list, hubId, view, null);
  if (view.hasOpenInvoice) {
    all.push(
      sql`t.contact_id IN (SELECT o.contact_id FROM invoices o INDEXED BY invoices_open_by_contact
        WHERE o.hub_id = ${hubId} AND ${raw(OPEN_INVOICE)})`,
    );
  }
  if (view.q === '') return sql`${raw(list.table)} t ${raw(bestIndex(list, view))} WHERE ${and(all)}`;
  const search = raw(list.search);
  return sql`${search} s CROSS JOIN ${raw(list.table)} t ON t.rowid = s.rowid
    WHERE s.${search} MATCH ${searchMatch(hubId, view.q)} AND ${and(all)}`;
}

/** Left to itself the database takes the index of a range before that of a status, however few rows have it. */
function bestIndex(list: ListTable, { statuses, ranges, contactId }: ListView): string {
  const isRare = statuses.length > 0 && statuses.every((status) => RARE_STATUSES.includes(status));
  if (!isRare || ranges.length === 0 || contactId !== null) return '';
  const byStatus = Object.values(list.sorts).find(({ key }) => key === STATUS_KEY);
  return byStatus ? `INDEXED BY ${byStatus.index}` : '';
}

/** A page by its number out of rows that are found first and sorted then. Nothing, when there are too many to sort. */
export function sortedPage(list: ListTable, hubId: number, view: ListView, atMost = MOST_SORTED): Sql {
  const { key } = sortOrder(list, view.sort);
  const most = isKept(view)
    ? sql`(SELECT CASE WHEN n <= ${atMost} THEN n ELSE 0 END FROM (${countRows(list, hubId, view)}))`
    : sql`${atMost + 1}`;
  const way = raw(view.isDescending ? 'DESC' : 'ASC');
  return sql`SELECT ${columns(list, view)} FROM (
      SELECT t.rowid AS doc FROM (SELECT t.rowid AS found FROM ${matches(list, hubId, view)} LIMIT ${most})
      CROSS JOIN ${raw(list.table)} t ON t.rowid = found
      ORDER BY ${raw(key)} ${way}, t.id_number ${way} LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${raw(list.table)} t ON t.rowid = doc`;
}

/**
 * The same for a search, which is asked of its index once: every row says how many were found, and at most one more than
 * are sorted is looked for.
 */
export function searchedPage(list: ListTable, hubId: number, view: ListView, atMost = MOST_SORTED): Sql {
  const search = raw(list.search);
  // The index itself has exactly the rows of a list that leaves none out.
  const isAlone = list.rows === NOT_GONE && !isFiltered({ ...view, q: '' });
  const found = isAlone
    ? sql`SELECT rowid AS doc FROM ${search} WHERE ${search} MATCH ${searchMatch(hubId, view.q)}`
    : sql`SELECT t.rowid AS doc FROM ${matches(list, hubId, view)}`;
  const way = raw(view.isDescending ? 'DESC' : 'ASC');
  return sql`WITH found AS MATERIALIZED (${found} LIMIT ${atMost + 1})
    SELECT ${columns(list, view)}, (SELECT count(*) FROM found) AS found_count FROM (
      SELECT t.rowid AS sorted FROM found CROSS JOIN ${raw(list.table)} t ON t.rowid = doc
      WHERE t.hub_id = ${hubId} AND ${raw(list.rows)}
      ORDER BY ${raw(sortOrder(list, view.sort).key)} ${way}, t.id_number ${way}
      LIMIT ${view.size} OFFSET ${(view.page - 1) * view.size}
    ) CROSS JOIN ${raw(list.table)} t ON t.rowid = sorted`;
}

const columns = (list: ListTable, { sort }: ListView) =>
  raw(`${list.columns}, ${sortOrder(list, sort).key} AS sort_key, t.id_number AS id_number`);

/** A page along the index of its order, from one of its ends and past so many rows. Backwards it comes in reverse. */
export function walkedPage(
  list: ListTable,
  hubId: number,
  view: ListView,
  { side, limit, offset }: { side: Cursor['side']; limit: number; offset: number },
): Sql {
  const isRising = (side === 'after') !== view.isDescending;
  const { key } = sortOrder(list, view.sort);
  const bounds = boundsOnKey(list, view);
  const within = bounds ? [sql`${raw(key)} >= ${bounds.first} AND ${raw(key)} <= ${bounds.last}`] : [];
  const page = stretch(list, hubId, view, within, [key, 't.id_number'], isRising);
  return sql`${page} LIMIT ${limit} OFFSET ${offset}`;
}

/**
 * The page beside a row, in two seeks: first the other rows of that row's key, then those beyond it. One comparison of
 * (key, id) would walk all rows of an equal key.
 */
export function neighbourPage(list: ListTable, hubId: number, view: ListView, { side, key, id }: Cursor): Sql {
  const isRising = (side === 'after') !== view.isDescending;
  const order = sortOrder(list, view.sort);
  const [own, beyond] = [raw(order.key), raw(isRising ? '>' : '<')];
  const equal = stretch(
    list,
    hubId,
    view,
    [sql`${own} = ${key} AND t.id_number ${beyond} ${id}`],
    ['t.id_number'],
    isRising,
  );
  const further = [sql`${own} ${beyond} ${key}`];
  const bounds = boundsOnKey(list, view);
  if (bounds) further.push(isRising ? sql`${own} <= ${bounds.last}` : sql`${own} >= ${bounds.first}`);
  const rest = stretch(list, hubId, view, further, [order.key, 't.id_number'], isRising);
  const limit = sql`LIMIT ${view.size}`;
  return sql`SELECT * FROM (${equal} ${limit}) UNION ALL SELECT * FROM (${rest} ${limit}) ${limit}`;
}

/** A stretch of the index of a sort order; the filters are asked of every row that it passes. */
function stretch(
  list: ListTable,
  hubId: number,
  view: ListView,
  where: Sql[],
  orderBy: string[],
  isRising: boolean,
): Sql {
  const boundField = view.ranges.some(({ field }) => field === view.sort) ? view.sort : null;
  const all = [...conditions(list, hubId, view, boundField), ...where];
  if (view.hasOpenInvoice) {
    all.push(sql`EXISTS (SELECT 1 FROM invoices o
      WHERE o.hub_id = t.hub_id AND o.contact_id = t.contact_id AND ${raw(OPEN_INVOICE)})`);
  }
  if (view.q !== '') {
    const search = raw(list.search);
    all.push(sql`t.rowid IN (SELECT rowid FROM ${search} WHERE ${search} MATCH ${searchMatch(hubId, view.q)})`);
  }
  const order = orderBy.map((part) => `${part} ${isRising ? 'ASC' : 'DESC'}`).join(', ');
  return sql`SELECT ${columns(list, view)}
    FROM ${raw(list.table)} t INDEXED BY ${raw(sortOrder(list, view.sort).index)}
    WHERE ${and(all)} ORDER BY ${raw(order)}`;
}
