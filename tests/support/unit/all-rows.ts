import { env } from 'cloudflare:workers';

const TABLES = `SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'
  AND name NOT LIKE '\\_cf%' ESCAPE '\\' AND name <> 'audit_refusals'`;

/** All rows of the clinics, or of one account, as JSON, without the counts of refused requests. */
export async function readAllRows(accountId?: number): Promise<string> {
  const { results: tables } = await env.DB.prepare(TABLES).all<{ name: string }>();
  const results = await env.DB.batch<Record<string, unknown>>(
    tables.map(({ name }) => env.DB.prepare(`SELECT * FROM "${name}"`)),
  );
  const rows = results.map((table) =>
    table.results.filter((row) => accountId === undefined || !('account_id' in row) || row.account_id === accountId),
  );
  return JSON.stringify(tables.map(({ name }, at) => [name, rows[at]]));
}
