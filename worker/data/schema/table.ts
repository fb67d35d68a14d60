import type { BuildColumns, BuildExtraConfigColumns } from 'drizzle-orm';
import {
  integer,
  type SQLiteColumnBuilderBase,
  type SQLiteTableExtraConfigValue,
  type SQLiteTableWithColumns,
  sqliteTable,
  text,
} from 'drizzle-orm/sqlite-core';
import type { Lifetime } from './lifetime.ts';

/**
 * The declaration of a table has the columns for drizzle, and all facts that jobs and documents use: lifetime, exports,
 * dumps, evidence after an erasure, personal data. A column without a rule throws when the module loads.
 */
export type ColumnRule = {
  /** It names a payer, a customer or a member of staff: the report on a person has it, evidence omits it. */
  personal?: true;
  /** Free text of staff that may name a person, but cannot be searched for one: evidence omits it. */
  freeText?: true;
  /** It makes a repeated request harmless, and has no use after the erasure of the clinic. */
  replayKey?: true;
  /** The reason why no export contains it. */
  notExported?: string;
  /** The reason why a clinic's own export omits it, while the operator's contains it. */
  staysHere?: string;
};

export type TableRule = {
  /** Completes "One row is …" in docs/tables.md. */
  row: string;
  lifetime: Lifetime;
  /** The copies that contain the table, or the reason for none. The installation has dumps only. */
  copies: 'export and dump' | { only: 'export' | 'dump'; why: string } | { none: string };
  /** Kept after an erasure as evidence of money and acts, without the personal columns. */
  evidence?: true;
  /** The condition for the rows of a dump, as SQL; default: all rows. */
  dumped?: string;
  /** The maximum of rows per piece of a dump, for tables with long rows; default: 500. */
  atOnce?: number;
};

const rules = new WeakMap<object, ColumnRule>();

/** Column builders that attach a rule to the column. */
export function column(rule: ColumnRule) {
  const ruled = <B extends object>(builder: B): B => {
    rules.set(builder, rule);
    return builder;
  };
  return {
    text: ((...given: [string]) => ruled(text(...given))) as unknown as typeof text,
    integer: ((...given: [string]) => ruled(integer(...given))) as unknown as typeof integer,
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
  /** The columns for paging: the primary key of a table without rowids, else the rowid. */
  key: readonly string[];
  columns: Record<string, ColumnRule>;
};

const declared = new Map<string, DeclaredTable>();

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
    const own = rules.get(builder);
    if (!own) throw new Error(`the column ${name}.${property} has no rule`);
    return [builder.config?.name || property, own];
  };
  const own = Object.entries(columns).map(([property, builder]) => ruleOf(property, builder));
  declared.set(name, { ...rule, name, key: rule.key ?? ['rowid'], columns: Object.fromEntries(own) });
  return (sqliteTable as unknown as MakeTable<N, C>)(name, columns, constraints);
}

/** Declares a table outside drizzle, such as a full-text index. */
export function rawTable(name: string, rule: TableRule): string {
  declared.set(name, { ...rule, name, key: ['rowid'], columns: {} });
  return name;
}

export function declarationOf(name: string): DeclaredTable {
  const found = declared.get(name);
  if (!found) throw new Error(`no table is declared by the name ${name}`);
  return found;
}
