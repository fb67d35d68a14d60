type Column = { name: string; type: string; notnull: number; pk: number; dflt_value: string | null };

/** Inserts a row with these values; 0 and '' stand for what it needs besides. */
export async function insertRow(db: D1Database, table: string, values: Record<string, unknown>): Promise<void> {
  const { results } = await db.prepare(`SELECT * FROM pragma_table_info('${table}')`).all<Column>();
  const made = await db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').bind(table).first<string>('sql');
  const row: Record<string, unknown> = {};
  for (const { name, type, notnull, dflt_value } of results) {
    if (notnull === 0 || dflt_value !== null) continue;
    const first = new RegExp(`\\b${name} IN \\('([^']+)'`).exec(made ?? '')?.[1] ?? '';
    const isMoney = name === 'amount_cents';
    row[name] = type === 'INTEGER' ? Number(isMoney) : first;
  }
  Object.assign(row, values);
  const names = Object.keys(row);
  await db
    .prepare(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`)
    .bind(...Object.values(row))
    .run();
}
