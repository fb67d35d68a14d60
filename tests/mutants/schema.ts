import { globSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutate.ts';
import { changesOfSql } from './mutate-sql.ts';

/** A changed trigger or view: what the database is told to make instead of it. */
export type SchemaMutant = Mutant & { entry: string; kind: 'trigger' | 'view'; sql: string };

/** Triggers and views that decide on money, with the rooms whose tests hold them, the nearest first. */
export const moneyEntries: Record<string, string[]> = {
  claims_fit: ['parts', 'payments', 'invoices'],
  collections_keep_their_base: ['parts'],
  collections_opened: ['parts', 'invoices'],
  counted_entries: ['takings', 'payments', 'invoices'],
  invoice_labels: ['invoices', 'parts', 'refunds'],
  invoice_sums: ['invoices', 'parts', 'refunds'],
  invoices_next_collection: ['parts', 'refunds'],
  ledger_adds_to_day: ['takings', 'analytics'],
  ledger_owes_the_crm: ['write-back'],
  part_sums: ['parts', 'invoices'],
  payment_attempts_moves: ['payments'],
  payments_by_method: ['takings', 'analytics'],
  payments_change_balance: ['invoices', 'parts', 'payments', 'refunds'],
  reversals_moves: ['payments', 'refunds'],
  void_leaves_the_days_of_its_payment: ['takings', 'analytics'],
};

/** Every mutant of these, at the place where the newest migration makes them. */
export function schemaMutants(): SchemaMutant[] {
  const newest = new Map<string, SchemaMutant[]>();
  for (const file of globSync('migrations/clinic/*.sql').sort()) {
    const text = readFileSync(file, 'utf8');
    for (const match of text.matchAll(/^CREATE (TRIGGER|VIEW) (\w+)[\s\S]*?(?:\nEND;|;\n(?=\n|CREATE|DROP|--|$))/gm)) {
      const [sql, kind = '', entry = ''] = match;
      if (entry in moneyEntries) newest.set(entry, mutantsOfEntry({ file, text, sql, kind, entry, at: match.index }));
    }
  }
  const missing = Object.keys(moneyEntries).filter((entry) => !newest.has(entry));
  if (missing.length > 0) throw new Error(`no migration makes ${missing.join(', ')}`);
  return [...newest.values()].flat();
}

type Found = { file: string; text: string; sql: string; kind: string; entry: string; at: number };

function mutantsOfEntry({ file, text, sql, kind, entry, at }: Found): SchemaMutant[] {
  // What a trigger listens to is no condition.
  const head = kind === 'TRIGGER' ? sql.search(/\bWHEN\b|\bBEGIN\b/) : 0;
  return changesOfSql(sql.slice(head)).map((change) => {
    const [start, end] = [head + change.start, head + change.end];
    return {
      file,
      entry,
      kind: kind === 'VIEW' ? 'view' : 'trigger',
      line: text.slice(0, at + start).split('\n').length,
      start: at + start,
      end: at + end,
      from: sql.slice(start, end),
      to: change.to,
      sql: sql.slice(0, start) + change.to + sql.slice(end),
    } satisfies SchemaMutant;
  });
}
