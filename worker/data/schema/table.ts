import type { BuildColumns, BuildExtraConfigColumns } from 'drizzle-orm';
import {
  integer,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import { RETENTION_MS } from '#shared/audit-chain';

/** Types and helpers that declare the lifetime of a table's rows. Periods are in ms. */
export const DAY = 86_400_000;
export const ONE_YEAR = 366 * DAY;
export const TWO_YEARS = 731 * DAY;
export const SEVEN_YEARS = RETENTION_MS;
/** Thirteen months. */
export const MAIL_RETENTION_MS = 400 * DAY;

type AgeColumn = {
  /** The period starts at this column (UTC ms). */
  column: string;
  ms: number;
  /** Finds the rows, oldest first. Omitted if the primary key begins with the column, or if the table has few rows. */
  index?: string;
  /** The condition of the partial index, or a further condition on the rows. */
  when?: string;
  /** The maximum number of rows per run, if deleting one row affects others. */
  atOnce?: number;
};
export type Rule =
  /** `what`: a description of the rows. `unless`: the rows to keep, as SQL and as a description. */
  | ({ does: 'delete'; what?: string; unless?: { sql: string; say: string } } & AgeColumn)
  /** `what`: a description of the columns. `set`: the assignments, as SQL. */
  | ({ does: 'blank'; what: string; set: string } & AgeColumn)
  /**
   * Enforced by the code that writes the rows or by retention/payer-data.ts, because each row has a seal, or a file in the
   * bucket.
   */
  | { does: 'delete' | 'blank'; what: string; column: string; ms: number; apart: true }
  | { does: 'newest'; rows: number; column: string };

/** A rule that the retention job enforces by the age of the rows. */
export type AgeRule = Exclude<Extract<Rule, { ms: number }>, { apart: true }>;

export type Lifetime = {
  /** The lifetime of the row itself where no rule deletes it. */
  row?:
    | 'forever'
    | 'at least 7 years; no job deletes it'
    | 'as long as the account'
    | 'until it is deleted'
    | (string & {});
  rules: Rule[];
  why: string;
};

export const deleteAfter = (column: string, ms: number, index?: string, when?: string): Rule => ({
  does: 'delete',
  column,
  ms,
  ...(index === undefined ? {} : { index }),
  ...(when === undefined ? {} : { when }),
});
export const blankAfter = (
  column: string,
  ms: number,
  options: { what: string; set: string; index: string; when: string },
): Rule => ({ does: 'blank', column, ms, ...options });
export const deleteAtEnd = (index?: string): Rule => deleteAfter('ends_at', 0, index);
export const withAccount = (why: string): Lifetime => ({ row: 'as long as the account', rules: [], why });

/**
 * Facts about a column. The declaration of a table contains the columns for drizzle, and all facts that jobs and
 * documents use: lifetime, exports, dumps, evidence after an erasure, personal data. A column without a rule throws
 * when the module loads.
 */
export type ColumnRule = {
  /** Identifies a payer, customer or member of staff; included in the report on a person, and omitted from evidence. */
  personal?: true;
  /** Free text from staff that may mention a person, but cannot be searched for one; omitted from evidence. */
  freeText?: true;
  /** Makes a repeated request harmless; useless after the erasure of the clinic. */
  replayKey?: true;
  /** The reason why no export contains it. */
  notExported?: string;
  /** The reason why a clinic's own export omits it, although the operator's export contains it. */
  staysHere?: string;
};

export type TableRule = {
  /** Completes "One row is …" in docs/tables.md. */
  row: string;
  lifetime: Lifetime;
  /** The copies that contain the table, or the reason for none. The installation has dumps only. */
  copies: 'export and dump' | { only: 'export' | 'dump'; why: string } | { none: string };
  /** Kept after an erasure as evidence of money and actions, without the personal columns. */
  evidence?: true;
  /** The condition for the rows of a dump, as SQL; default: all rows. */
  dumped?: string;
  /** The maximum number of rows per piece of a dump, for tables with long rows; default: 500. */
  atOnce?: number;
};

const rulesByBuilder = new WeakMap<object, ColumnRule>();

/** Column builders that attach a rule to the column. */
export function column(rule: ColumnRule) {
  const withRule = <B extends object>(builder: B): B => {
    rulesByBuilder.set(builder, rule);
    return builder;
  };
  return {
    text: ((...args: [string]) => withRule(text(...args))) as unknown as typeof text,
    integer: ((...args: [string]) => withRule(integer(...args))) as unknown as typeof integer,
  };
}

export const plain = column({});
export const personal = column({ personal: true });
export const freeText = column({ freeText: true });
export const replayKey = column({ replayKey: true });
export const capability = column({
  notExported: 'a capability (secret address); a restore issues new ones',
});

/** A table for exports, dumps, jobs and documents. `columns`: the rules by SQL column name. */
export type DeclaredTable = TableRule & {
  name: string;
  /**
   * The columns that identify a row, for paging and jobs: the primary key of a table without rowids, otherwise the
   * rowid.
   */
  key: readonly string[];
  columns: Record<string, ColumnRule>;
};

const declarations = new Map<string, DeclaredTable>();

type Columns = Record<string, SQLiteColumnBuilderBase>;
type Constraints<N extends string, C extends Columns> = (
  self: BuildExtraConfigColumns<N, C, 'sqlite'>,
) => SQLiteTableExtraConfigValue[];
/** The only overload of `sqliteTable` in use. */
type MakeTable<N extends string, C extends Columns> = (
  name: N,
  columns: C,
  constraints?: Constraints<N, C>,
) => SQLiteTableWithColumns<{ name: N; schema: undefined; columns: BuildColumns<N, C, 'sqlite'>; dialect: 'sqlite' }>;

/** Declares a table, and throws if a column has no rule. `key`: see DeclaredTable. */
export function table<N extends string, C extends Columns>(
  name: N,
  rule: TableRule & { key?: readonly string[] },
  columns: C,
  constraints?: Constraints<N, C>,
) {
  const ruleOf = (property: string, builder: object & { config?: { name?: string } }): [string, ColumnRule] => {
    const columnRule = rulesByBuilder.get(builder);
    if (!columnRule) throw new Error(`the column ${name}.${property} has no rule`);
    return [builder.config?.name || property, columnRule];
  };
  const columnRules = Object.entries(columns).map(([property, builder]) => ruleOf(property, builder));
  declarations.set(name, { ...rule, name, key: rule.key ?? ['rowid'], columns: Object.fromEntries(columnRules) });
  return (sqliteTable as unknown as MakeTable<N, C>)(name, columns, constraints);
}

/** Declares a table outside drizzle, such as a full-text index. */
export function rawTable(name: string, rule: TableRule): string {
  declarations.set(name, { ...rule, name, key: ['rowid'], columns: {} });
  return name;
}

export function declarationOf(name: string): DeclaredTable {
  const declaration = declarations.get(name);
  if (!declaration) throw new Error(`no table is declared by the name ${name}`);
  return declaration;
}
