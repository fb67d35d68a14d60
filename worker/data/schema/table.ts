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
 * Declaration of a table: beside the columns that drizzle needs stand all facts about it that jobs and documents go by
 * (lifetime, exports, dumps, evidence after an erasure, personal data). A column without a rule does not load.
 */
export type ColumnRule = {
  /** It names a payer, a customer or a member of staff: the person's report covers the table, and evidence lacks it. */
  personal?: true;
  /** Staff typed it and it may name a person, who cannot be found by it: evidence lacks it. */
  freeText?: true;
  /** It makes a repeated request harmless, and is of no use once the clinic is erased. */
  replayKey?: true;
  /** The reason why no export has it. */
  notExported?: string;
  /** The reason why it stays with the installation when a clinic takes its records along. */
  staysHere?: string;
};

export type TableRule = {
  /** One row in words, for docs/storage.md. */
  row: string;
  lifetime: Lifetime;
  /** The copies of the database that have it, or why not. The installation has dumps only. */
  copies: 'export and dump' | { only: 'export' | 'dump'; why: string } | { none: string };
  /** Kept as evidence of money and acts after an erasure, without its personal columns. */
  evidence?: true;
  /** The rows of a dump, as SQL; default: all. */
  dumped?: string;
  /** Rows of a piece of a dump at most, where one may be long; default: 500. */
  atOnce?: number;
};

const rules = new WeakMap<object, ColumnRule>();

/** The types of columns of one rule. */
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
  notExported: 'an address that opens something by itself; a restore makes new ones',
});

/** A table as exports, dumps, jobs and documents see it. `columns`: the rules by their names in SQL. */
export type DeclaredTable = TableRule & {
  name: string;
  /** The columns by which it is read on: the primary key of a table without row ids, else the row's own id. */
  key: readonly string[];
  columns: Record<string, ColumnRule>;
};

const declared = new Map<string, DeclaredTable>();

type Columns = Record<string, SQLiteColumnBuilderBase>;
type Constraints<N extends string, C extends Columns> = (
  self: BuildExtraConfigColumns<N, C, 'sqlite'>,
) => SQLiteTableExtraConfigValue[];
/** The one overload of drizzle's own that is used. */
type MakeTable<N extends string, C extends Columns> = (
  name: N,
  columns: C,
  constraints?: Constraints<N, C>,
) => SQLiteTableWithColumns<{ name: N; schema: undefined; columns: BuildColumns<N, C, 'sqlite'>; dialect: 'sqlite' }>;

/** Throws where a column has no rule. `key`: see DeclaredTable. */
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

/** A table that drizzle does not know, such as a full-text index. */
export function rawTable(name: string, rule: TableRule): string {
  declared.set(name, { ...rule, name, key: ['rowid'], columns: {} });
  return name;
}

export function declarationOf(name: string): DeclaredTable {
  const found = declared.get(name);
  if (!found) throw new Error(`no table is declared by the name ${name}`);
  return found;
}
