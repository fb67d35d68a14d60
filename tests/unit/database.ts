import type { SquashedSchema } from '#tests/support/unit/squash-migrations';

/** The databases of the unit tests: made once, and reset between tests to the state after the migrations. */
export type TestDatabase = { name: 'DB' | 'INSTALLATION'; db: D1Database; schema: SquashedSchema };

/** Every table, index, view and trigger, including statistics. */
const ENTRIES = "(SELECT group_concat(name || ' ' || sql, ';') FROM (SELECT * FROM sqlite_schema ORDER BY name))";

/** An empty index still has two records. */
const indexIsUsed = (index: string) => `EXISTS (SELECT 1 FROM ${index}_data WHERE id NOT IN (1, 10))`;

/** One for all files of a run: each evaluates this module again, but a database is made once. */
const shared = globalThis as { unitDatabases?: Map<string, string> };
shared.unitDatabases ??= new Map();
const made = shared.unitDatabases;

/** Make the tables, once. */
export async function prepareDatabase({ name, db, schema: { create, seeds } }: TestDatabase): Promise<void> {
  if (made.has(name)) return;
  await db.batch([...create, ...Object.values(seeds).flat()].map((sql) => db.prepare(sql)));
  made.set(name, (await db.prepare(`SELECT ${ENTRIES} AS entries`).first<string>('entries')) ?? '');
}

/**
 * Deletes the rows that a test has written. False if the test changed more than rows (tables, triggers, the planner's
 * statistics): then all databases must be dropped, which forgets them, and made again.
 */
export async function clearDatabase({ name, db, schema }: TestDatabase): Promise<boolean> {
  const { tables, indexes, guards, seeds } = schema;
  const asked = [
    `${ENTRIES} AS entries`,
    ...tables.map((table) => `EXISTS (SELECT 1 FROM ${table}) AS ${table}`),
    ...indexes.map((index) => `${indexIsUsed(index)} AS ${index}`),
  ];
  const found = await db.prepare(`SELECT ${asked.join(', ')}`).first<Record<string, unknown>>();
  if (found?.entries !== made.get(name)) {
    made.clear();
    return false;
  }
  const isUsed = (entry: string) => found?.[entry] === 1;
  // The newest first: it refers to the older ones, and their triggers find it empty.
  const emptied = tables
    // A test may also have taken away what the migrations put there.
    .filter((table) => isUsed(table) || seeds[table])
    .reverse()
    .flatMap((table) => [
      ...(guards[table] ?? []).map(({ name }) => `DROP TRIGGER ${name}`),
      `DELETE FROM ${table}`,
      ...(guards[table] ?? []).map(({ sql }) => sql),
      ...(seeds[table] ?? []),
    ]);
  const statements = [
    'PRAGMA defer_foreign_keys = on',
    ...indexes.filter(isUsed).map((index) => `INSERT INTO ${index} (${index}) VALUES ('delete-all')`),
    ...emptied,
  ];
  await db.batch(statements.map((sql) => db.prepare(sql)));
  return true;
}

/** One call deletes at most a page of 1000. */
export async function emptyBucket(bucket: R2Bucket, limit = 1000): Promise<void> {
  let listed: R2Objects;
  do {
    listed = await bucket.list({ limit });
    if (listed.objects.length > 0) await bucket.delete(listed.objects.map(({ key }) => key));
  } while (listed.truncated);
}
