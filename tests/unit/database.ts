import type { SquashedSchema } from '#tests/support/unit/squash-migrations';

/** A database of the unit tests: created once, and reset between tests to its state after the migrations. */
export type TestDatabase = { name: 'DB' | 'INSTALLATION'; db: D1Database; schema: SquashedSchema };

/** SQL expression that lists every table, index, view and trigger, including statistics. */
const ENTRIES = "(SELECT group_concat(name || ' ' || sql, ';') FROM (SELECT * FROM sqlite_schema ORDER BY name))";

/** An empty full-text index still holds two records (ids 1 and 10). */
const indexIsUsed = (index: string) => `EXISTS (SELECT 1 FROM ${index}_data WHERE id NOT IN (1, 10))`;

/** Shared by all files of a run: each evaluates this module again, but a database is created only once. */
const shared = globalThis as { unitDatabases?: Map<string, string> };
shared.unitDatabases ??= new Map();
const preparedDatabases = shared.unitDatabases;

/** Creates the tables on the first call. */
export async function prepareDatabase({ name, db, schema: { create, seeds } }: TestDatabase): Promise<void> {
  if (preparedDatabases.has(name)) return;
  await db.batch([...create, ...Object.values(seeds).flat()].map((sql) => db.prepare(sql)));
  preparedDatabases.set(name, (await db.prepare(`SELECT ${ENTRIES} AS entries`).first<string>('entries')) ?? '');
}

/**
 * Deletes the rows that a test has written. False if the test changed more than rows (tables, triggers, the planner's
 * statistics); the caller must then drop and recreate all databases.
 */
export async function clearDatabase({ name, db, schema }: TestDatabase): Promise<boolean> {
  const { tables, indexes, guards, seeds } = schema;
  const columns = [
    `${ENTRIES} AS entries`,
    ...tables.map((table) => `EXISTS (SELECT 1 FROM ${table}) AS ${table}`),
    ...indexes.map((index) => `${indexIsUsed(index)} AS ${index}`),
  ];
  const state = await db.prepare(`SELECT ${columns.join(', ')}`).first<Record<string, unknown>>();
  if (state?.entries !== preparedDatabases.get(name)) {
    preparedDatabases.clear();
    return false;
  }
  const isUsed = (entry: string) => state?.[entry] === 1;
  // Newest table first: it refers to older ones, whose triggers must find it empty.
  const resetStatements = tables
    // A test may also have deleted seed rows of the migrations.
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
    ...resetStatements,
  ];
  await db.batch(statements.map((sql) => db.prepare(sql)));
  return true;
}

/** Deletes all files of a bucket, one page of at most 1000 per call. */
export async function emptyBucket(bucket: R2Bucket, limit = 1000): Promise<void> {
  let page: R2Objects;
  do {
    page = await bucket.list({ limit });
    if (page.objects.length > 0) await bucket.delete(page.objects.map(({ key }) => key));
  } while (page.truncated);
}
