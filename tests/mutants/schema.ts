import { globSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutate.ts';
import { changesOfSql } from './mutate-sql.ts';

/** A changed trigger or view; `sql` creates the changed version. */
export type SchemaMutant = Mutant & { entry: string; kind: 'trigger' | 'view'; sql: string };

const [BALANCE, PARTS, DAYS, STATES] = [
  'worker/domain/invoices/invoice-balance.test.ts',
  'worker/domain/installments/installments.test.ts',
  'worker/domain/takings/days-agree.test.ts',
  'worker/domain/payments/payment-states.test.ts',
];

/** Triggers and views that affect money, with the unit tests that cover them; the tests of their rooms run later. */
export const moneyEntries: Record<string, string[]> = {
  claims_fit: [PARTS, 'worker/domain/payments/late-charge.test.ts', BALANCE],
  collections_keep_their_base: ['worker/domain/installments/collection-states.test.ts', PARTS],
  collections_opened: [PARTS, BALANCE],
  counted_entries: [DAYS, 'worker/domain/takings/one-day.test.ts'],
  invoice_labels: [BALANCE, PARTS],
  invoice_sums: [BALANCE, PARTS],
  invoices_next_collection: [PARTS, 'worker/domain/refunds/refund.test.ts'],
  ledger_adds_to_day: [DAYS, 'worker/domain/analytics/view-analytics.test.ts'],
  ledger_owes_the_crm: ['worker/domain/write-back/write-back.test.ts'],
  collection_sums: [PARTS, BALANCE],
  payment_attempts_moves: [STATES],
  payments_by_method: [DAYS, 'worker/domain/analytics/view-analytics.test.ts'],
  payments_change_balance: [BALANCE, PARTS],
  reversals_moves: [STATES],
  void_leaves_the_days_of_its_payment: [
    DAYS,
    'worker/data/takings/day.test.ts',
    'worker/domain/analytics/view-analytics.test.ts',
  ],
};

/** All mutants of these entries, located in the newest migration that creates each. */
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
  if (missing.length > 0) throw new Error(`no migration creates ${missing.join(', ')}`);
  return [...newest.values()].flat();
}

type SchemaEntry = { file: string; text: string; sql: string; kind: string; entry: string; at: number };

function mutantsOfEntry({ file, text, sql, kind, entry, at }: SchemaEntry): SchemaMutant[] {
  // A trigger's event clause is not a condition.
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
