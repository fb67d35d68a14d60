import { CLOCK, idsOf, keysOf, modifiedOf } from './seed.ts';
import { jsonIn, leavesOf, type Sent } from './sent.ts';
import type { Call } from './store-worker.ts';

/** The clock of worlds that tests make by themselves; everything else is stamped by the machine's own. */
const WORLD_CLOCK = Date.UTC(2026, 2, 4, 15);
/** Rows of different customers. */
const APART = 10;

export type Draw = {
  accountId: number;
  /** The row that the first of its ids is drawn from. */
  row: number;
  /** Ids that a statement gives away are new ones. */
  isNew: boolean;
};

type Value = string | number;

/**
 * A statement as it would be sent for another clinic: each id among its values becomes that of one and the same row there,
 * a further one of a kind that of a further row; times are as long ago as they were; words are searched in its own,
 * a company's by the one that all of its companies share.
 */
export function drawCall({ sql, values, ids }: Sent, sentAt: number, draw: Draw): Call {
  const hints = hintsOf(sql);
  const given = draw.isNew ? givenBy(sql) : null;
  const rowOf = rowsBy(draw.row);
  const shifted = (time: number) => {
    const clock = Math.abs(time - WORLD_CLOCK) < Math.abs(time - sentAt) ? WORLD_CLOCK : sentAt;
    return CLOCK + time - clock;
  };

  const meant = (value: Value, hint: string) => columnOf(ids[String(value)] ?? [], hint, sql);
  const idFor = (value: Value, hint: string): Value | undefined => {
    const column = meant(value, hint);
    if (!column) return undefined;
    if (column === 'hubs.hub_id') return draw.accountId;
    const isGiven = given !== null && column.startsWith(`${given}.`) && !column.endsWith('.hub_id');
    const row = rowOf(column, value) + (isGiven ? 5_000_000 : 0);
    return idsOf(draw.accountId, row)[column];
  };
  const number = (value: number, hint: string): number => {
    if (hint === 'id_number') {
      const column = /\bcontacts t\b/.test(sql) ? 'contacts.contact_id' : 'invoices.invoice_id';
      return Number(idsOf(draw.accountId, draw.row)[column]);
    }
    // A small number may be anything; an account's or a person's it is where it is compared with one.
    const isId = hint === 'hub_id' || hint === 'user_id' || value >= 100_000;
    const id = isId ? idFor(value, hint) : undefined;
    if (typeof id === 'number') return id;
    return value > 1e12 && value < 4e12 ? shifted(value) : value;
  };
  const text = (value: string, hint: string): string => {
    const id = idFor(value, hint);
    if (id !== undefined) return String(id);
    if (/ORDER BY/.test(sql) && value !== '') {
      const key = keysOf(draw.row)[hint];
      if (key !== undefined) return key;
    }
    if (/^\d{4}-\d\d-\d\d$/.test(value)) return new Date(shifted(Date.parse(value))).toISOString().slice(0, 10);
    const own = value.replaceAll(/h\d+_/g, `h${draw.accountId}_`);
    return own.replaceAll(/_(acme|maple)\b/g, '_company');
  };
  const drawn = (value: unknown, hint: string): unknown => {
    if (typeof value === 'number') return number(value, hint);
    if (typeof value === 'string') {
      const json = jsonIn(value);
      return json ? JSON.stringify(drawn(json, '')) : text(value, hint);
    }
    if (Array.isArray(value)) return value.map((part) => drawn(part, hint));
    if (typeof value === 'object' && value !== null) {
      const record = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, drawn(part, snake(key))]));
      const { id } = value as { id?: unknown };
      const column = typeof id === 'string' && 'modifiedAt' in value ? meant(id, 'id') : undefined;
      // A record of the CRM is read as it stands there.
      const [table = ''] = column?.split('.') ?? [];
      return column ? { ...record, modifiedAt: modifiedOf(table, rowOf(column, String(id))) } : record;
    }
    return value;
  };
  return { sql, values: values.map((value, at) => drawn(value, hints[at] ?? '') as Value | null) };
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The row of each value: the first of a column's from `first`, every further one from another customer's. */
function rowsBy(first: number) {
  const seen = new Map<string, Value[]>();
  return (column: string, value: Value): number => {
    const all = seen.get(column) ?? [];
    if (!all.includes(value)) all.push(value);
    seen.set(column, all);
    return (first + all.indexOf(value) * APART) % 1000;
  };
}

/** Which of the columns that hold a value is meant: the one it is compared with, else one of the statement's own table. */
function columnOf(columns: string[], hint: string, sql: string): string | undefined {
  const named = columns.filter((column) => column.endsWith(`.${hint}`));
  const at = (column: string) => {
    const place = sql.search(new RegExp(`\\b${column.split('.')[0]}\\b`));
    return place === -1 ? Number.POSITIVE_INFINITY : place;
  };
  return (named.length > 0 ? named : columns).toSorted((a, b) => at(a) - at(b))[0];
}

/** The table that a statement adds rows to. */
const givenBy = (sql: string): string | null => /^\s*insert into "?(\w+)"?/i.exec(sql)?.[1] ?? null;

const COMPARED =
  /"?(\w+)"?\s*(?:COLLATE\s+\w+\s*)?(?:=|<>|<=|>=|<|>|\bIS(?:\s+NOT)?|\bIN\s*\(|\bBETWEEN)\s*(?:\?\d*\s*(?:,|\bAND\b)\s*)*$/i;

/** The column that each bound value is compared with or put into, as far as the text tells. */
export function hintsOf(sql: string): string[] {
  const hints: string[] = [];
  const put = columnsPut(sql);
  let next = 0;
  for (const match of sql.matchAll(/\?(\d*)/g)) {
    const at = match[1] ? Number(match[1]) - 1 : next++;
    const [, column] = COMPARED.exec(sql.slice(Math.max(0, match.index - 400), match.index)) ?? [];
    hints[at] ||= put.get(match.index) ?? column ?? '';
  }
  return hints;
}

/** Of an INSERT: into which column the placeholder at a place of the text goes. */
function columnsPut(sql: string): Map<number, string> {
  const put = new Map<number, string>();
  const head = /^\s*insert into "?\w+"?\s*\(([^)]*)\)\s*(values|select)\b/i.exec(sql);
  if (!head) return put;
  const columns = (head[1] ?? '').split(',').map((name) => name.trim().replaceAll('"', ''));
  const isValues = head[2]?.toLowerCase() === 'values';
  let [depth, index] = [isValues ? -1 : 0, 0];
  for (let at = head[0].length; at < sql.length; at++) {
    const letter = sql[at];
    if (letter === '(') depth++;
    else if (letter === ')') depth--;
    else if (letter === ',' && depth === 0) index++;
    else if (letter === '?' && depth === 0) put.set(at, columns[index] ?? '');
    if (depth === -1) index = 0;
    if (!isValues && depth === 0 && /^\s(from|where)\b/i.test(sql.slice(at, at + 7))) break;
    if (isValues && depth === -1 && /^\s*(on|returning)\b/i.test(sql.slice(at + 1))) break;
  }
  return put;
}

/** Whether a statement says anything of a clinic, and would cost another one the same. */
export const hasIds = ({ values, ids }: Sent): boolean =>
  values.some((value) => [...leavesOf(value)].some((leaf) => ids[String(leaf)]));
