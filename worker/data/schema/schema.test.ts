import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { batchCloses } from './batches.ts';
import { reversalResolutions, reversals } from './refunds.ts';
import * as schema from './schema.ts';

const tables = [
  schema.accounts,
  schema.crmTokens,
  schema.terminals,
  schema.invoices,
  schema.payLinks,
  schema.paymentAttempts,
  schema.ledger,
  schema.outbox,
  schema.users,
  schema.sessions,
  schema.loginStates,
  schema.handoffCodes,
  schema.merchants,
  schema.merchantLogs,
  schema.invoiceSignatures,
  schema.contacts,
  schema.companies,
  schema.crmSyncs,
  schema.syncCursors,
  schema.dailyTotals,
  schema.listCounts,
  schema.contentUsers,
  schema.contentSessions,
  schema.contentSetup,
  schema.contentInvitations,
  schema.contentResets,
  schema.contentThrottles,
  schema.media,
  schema.articles,
  schema.articleSlugs,
  schema.articleRevisions,
  schema.articleDrafts,
  schema.articleMedia,
  schema.siteState,
  schema.siteBuilds,
  batchCloses,
  reversals,
  reversalResolutions,
  schema.gatewayTransactions,
  schema.reconciliationCursors,
  schema.resolutions,
];

type Column = { name: string; type: string; notnull: number; pk: number };

describe('the migrations and drizzle’s view of them', () => {
  it.each(tables.map((table) => [getTableName(table), table] as const))('agree on %s', async (name, table) => {
    const { results } = await env.DB.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_xinfo(?)`)
      .bind(name)
      .all<Column>();
    const inSql = results.map(({ name, type, notnull, pk }) => ({
      name,
      type: type.toLowerCase(),
      isRequired: notnull === 1 || (pk > 0 && true),
    }));
    const inDrizzle = Object.values(getTableColumns(table)).map((column) => ({
      name: column.name,
      type: column.getSQLType(),
      isRequired: column.notNull || column.primary,
    }));
    expect(inSql).toEqual(inDrizzle);
  });

  it('list every table that the migrations make', async () => {
    const { results } = await env.DB.prepare(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name NOT LIKE 'sqlite%' AND name NOT LIKE '%\\_search%' ESCAPE '\\' AND name <> 'd1_migrations'`,
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name).sort()).toEqual(tables.map(getTableName).sort());
  });
});
