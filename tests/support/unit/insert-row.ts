type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null };

/**
 * Inserts a row with these values. Other required columns get 0 or '', the first value that their CHECK allows, or 1
 * for amounts.
 */
export async function insertRow(db: D1Database, table: string, values: Record<string, unknown>): Promise<void> {
  const { results } = await db.prepare(`SELECT * FROM pragma_table_info('${table}')`).all<Column>();
  const tableSql = await db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').bind(table).first<string>('sql');
  const row: Record<string, unknown> = {};
  for (const { name, type, notnull, dflt_value } of results) {
    if (notnull === 0 || dflt_value !== null) continue;
    const firstAllowed = new RegExp(`\\b${name} IN \\('([^']+)'`).exec(tableSql ?? '')?.[1] ?? '';
    const isMoney = name === 'amount_cents';
    row[name] = type === 'INTEGER' ? Number(isMoney) : firstAllowed;
  }
  Object.assign(row, values);
  const names = Object.keys(row);
  await db
    .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .bind(...Object.values(row))
    .run();
}
