import { idsOf, keysOf, modifiedOf } from './seed.ts';
import { CLOCK } from './seed-parts.ts';
import { SEEN_TIMES, seqFor } from './seed-trail.ts';
import { ID_COLUMNS, jsonIn, leavesOf, type SentStatement } from './sent.ts';
import type { Call } from './store-worker.ts';

/** The clock of test worlds; all other times come from the machine's clock. */
const WORLD_CLOCK = Date.UTC(2026, 2, 4, 15);
/** The number of rows between rows of different customers. */
const APART = 10;

export type Draw = {
  accountId: number;
  /** The row for the first ID of each column. */
  row: number;
  /** True if the statement inserts new IDs. */
  isNew: boolean;
};

type Value = string | number;

/**
 * Rewrites a statement for another clinic. The first ID of each column becomes the ID of one row there, and a second ID
 * of the same kind becomes that of another row. Times keep their age. Search terms become the other clinic's; for
 * companies, the word that all of them share.
 */
export function drawCall({ sql, values, ids }: SentStatement, sentAt: number, draw: Draw): Call {
  const hints = hintsOf(sql);
  const insertTable = draw.isNew ? insertTableOf(sql) : null;
  const rowOf = rowsFrom(draw.row);
  const shifted = (time: number) => {
    const clock = Math.abs(time - WORLD_CLOCK) < Math.abs(time - sentAt) ? WORLD_CLOCK : sentAt;
    return CLOCK + time - clock;
  };

  const columnFor = (value: Value, hint: string) =>
    columnOf(ids[String(value)] ?? (typeof value === 'string' ? deletedColumns(sql, hint) : []), hint, sql);
  const idFor = (value: Value, hint: string): Value | undefined => {
    const column = columnFor(value, hint);
    if (!column) return undefined;
    if (column === 'accounts.account_id') return draw.accountId;
    const isInserted = insertTable !== null && column.startsWith(`${insertTable}.`) && !column.endsWith('.account_id');
    const row = rowOf(column, value) + (isInserted ? 5_000_000 : 0);
    return idsOf(draw.accountId, row)[column];
  };
  const number = (value: number, hint: string): number => {
    if (hint === 'id_number') {
      const column = /\bcontacts t\b/.test(sql) ? 'contacts.contact_id' : 'invoices.invoice_id';
      return Number(idsOf(draw.accountId, draw.row)[column]);
    }
    // The installation's trail is drawn like a clinic's; 0 is the position before the first event of either.
    if (hint === 'account_id' && value === 0) return draw.accountId;
    if (/^(\w+_)?seq$/.test(hint)) return value === 0 ? 0 : seqFor(draw.row, value);
    const readTime = SEEN_TIMES[hint];
    if (readTime !== undefined && new RegExp(`\\b${hint}"? = \\?`).test(sql)) return readTime;
    // A small number counts as an ID only where it is compared with an account or user ID.
    const isId = hint === 'account_id' || hint === 'user_id' || value >= 100_000;
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
    const clinicText = value.replaceAll(/h\d+_/g, `h${draw.accountId}_`);
    return clinicText.replaceAll(/_(acme|maple)\b/g, '_company');
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
      const column = typeof id === 'string' && 'modifiedAt' in value ? columnFor(id, 'id') : undefined;
      // A CRM record gets the modification time of its row.
      const [table = ''] = column?.split('.') ?? [];
      return column ? { ...record, modifiedAt: modifiedOf(table, rowOf(column, String(id))) } : record;
    }
    return value;
  };
  return { sql, values: values.map((value, at) => drawn(value, hints[at] ?? '') as Value | null) };
}

const snake = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Assigns a row to each value: the first value of a column gets `first`, later ones a row of another customer. */
function rowsFrom(first: number) {
  const valuesByColumn = new Map<string, Value[]>();
  return (column: string, value: Value): number => {
    const values = valuesByColumn.get(column) ?? [];
    if (!values.includes(value)) values.push(value);
    valuesByColumn.set(column, values);
    return (first + values.indexOf(value) * APART) % 1000;
  };
}

/** Picks one of a value's columns: the one it is compared with, otherwise the one that the statement names first. */
function columnOf(columns: string[], hint: string, sql: string): string | undefined {
  const named = columns.filter((column) => column.endsWith(`.${hint}`));
  const at = (column: string) => {
    const place = sql.search(new RegExp(`\\b${column.split('.')[0]}\\b`));
    return place === -1 ? Number.POSITIVE_INFINITY : place;
  };
  return (named.length > 0 ? named : columns).toSorted((a, b) => at(a) - at(b))[0];
}

/** The table that a statement inserts into. */
const insertTableOf = (sql: string): string | null => /^\s*insert into "?(\w+)"?/i.exec(sql)?.[1] ?? null;

/** The ID column that a DELETE compares with: the deleted row is no longer in the test's database. */
function deletedColumns(sql: string, hint: string): string[] {
  const table = /^\s*delete from "?(\w+)"?/i.exec(sql)?.[1];
  return ID_COLUMNS.filter((column) => column === `${table}.${hint}`);
}

const COMPARED =
  /"?(\w+)"?\s*(?:COLLATE\s+\w+\s*)?(?:=|<>|<=|>=|<|>|\bIS(?:\s+NOT)?|\bIN\s*\(|\bBETWEEN)\s*(?:\?\d*\s*(?:,|\bAND\b)\s*)*$/i;

/** The column that each bound value is compared with or written to, as far as the text shows. */
export function hintsOf(sql: string): string[] {
  const hints: string[] = [];
  const columnAt = columnsPut(sql);
  let next = 0;
  for (const match of sql.matchAll(/\?(\d*)/g)) {
    const at = match[1] ? Number(match[1]) - 1 : next++;
    const [, column] = COMPARED.exec(sql.slice(Math.max(0, match.index - 400), match.index)) ?? [];
    hints[at] ||= columnAt.get(match.index) ?? column ?? '';
  }
  return hints;
}

/** The columns of an INSERT, by the position of their placeholder in the text. */
function columnsPut(sql: string): Map<number, string> {
  const columnAt = new Map<number, string>();
  const head = /^\s*insert into "?\w+"?\s*\(([^)]*)\)\s*(values|select)\b/i.exec(sql);
  if (!head) return columnAt;
  const columns = (head[1] ?? '').split(',').map((name) => name.trim().replaceAll('"', ''));
  const isValues = head[2]?.toLowerCase() === 'values';
  let [depth, index] = [isValues ? -1 : 0, 0];
  for (let at = head[0].length; at < sql.length; at++) {
    const letter = sql[at];
    if (letter === '(') depth++;
    else if (letter === ')') depth--;
    else if (letter === ',' && depth === 0) index++;
    else if (letter === '?' && depth === 0) columnAt.set(at, columns[index] ?? '');
    if (depth === -1) index = 0;
    if (!isValues && depth === 0 && /^\s(from|where)\b/i.test(sql.slice(at, at + 7))) break;
    if (isValues && depth === -1 && /^\s*(on|returning)\b/i.test(sql.slice(at + 1))) break;
  }
  return columnAt;
}

/** True if a statement has a clinic's IDs, so that it can be sent for another clinic. */
export const hasIds = ({ values, ids }: SentStatement): boolean =>
  values.some((value) => [...leavesOf(value)].some((leaf) => ids[String(leaf)]));
