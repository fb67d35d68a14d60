import { eq } from 'drizzle-orm';
import type { DumpManifest } from '#shared/contracts/operators/operate';
import { type DumpRow, type DumpTableRow, dumps, dumpTables } from '#worker/data/schema/operate';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import type { RowKey } from './export.ts';

/** A stored file of a dump. `sha256`: the hash of its uncompressed text. */
export type DumpedPiece = { key: string; table: string; rows: number; sha256: string };

/** The state of this database's nightly dump; undefined if none was ever planned. */
export const findDump = async (db: Db): Promise<DumpRow | undefined> => (await db.select().from(dumps))[0];

/** Plan the first dump. Times in UTC ms. */
export async function planDump(db: Db, dueAt: number, now: number): Promise<void> {
  await db.insert(dumps).values({ id: 1, dueAt, endedAt: now }).onConflictDoNothing();
}

/** True if this run may continue the dump. If the run dies, another one may continue at `until` (UTC ms). */
export async function claimDump({ $client }: Db, { dueAt }: DumpRow, until: number): Promise<boolean> {
  const { meta } = await $client.prepare('UPDATE dumps SET due_at = ?2 WHERE due_at = ?1').bind(dueAt, until).run();
  return meta.changes === 1;
}

export async function postponeDump(db: Db, dueAt: number): Promise<void> {
  await db.update(dumps).set({ dueAt });
}

/**
 * Start a new dump. Rows added later are omitted from all tables with a rowid, so that no dumped row refers to a
 * missing one; rows of the other tables refer to the account at most, and name no person (schema.test.ts).
 */
export async function startDump(
  { $client }: Db,
  tables: readonly DeclaredTable[],
  { folder, now }: { folder: string; now: number },
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `UPDATE dumps SET folder = ?1, began_at = ?2, tries = tries + 1,
mark = (SELECT coalesce(max(seq), 0) FROM audit_events)`,
      )
      .bind(folder, now),
    $client.prepare('DELETE FROM dump_tables'),
    ...tables.map(({ name, key }) =>
      $client.prepare(
        `INSERT INTO dump_tables (name, cut) VALUES ('${name}',
${key[0] === 'rowid' ? `(SELECT coalesce(max(rowid), 0) FROM ${name})` : 'NULL'})`,
      ),
    ),
  ]);
}

export const listDumpTables = (db: Db): Promise<DumpTableRow[]> => db.select().from(dumpTables);

/** Save the stored pieces of a table and the key after which it continues; null if the table is complete. */
export async function recordPiece(
  db: Db,
  state: DumpTableRow,
  pieces: DumpedPiece[],
  next: RowKey | null,
): Promise<DumpTableRow> {
  const change = { pieces: JSON.stringify(pieces), after: JSON.stringify(next), isWhole: next ? 0 : 1 };
  await db.update(dumpTables).set(change).where(eq(dumpTables.name, state.name));
  return { ...state, ...change };
}

/** The number of events written since the current dump began. */
export async function countEventsSince({ $client }: Db): Promise<number> {
  const count = await $client
    .prepare('SELECT (SELECT coalesce(max(seq), 0) FROM audit_events) - mark AS n FROM dumps')
    .first<number>('n');
  return count ?? 0;
}

/** The ledger's sum of each local day, in cents. `upTo`: the highest row id to include. */
export async function sumLedgerDays({ $client }: Db, upTo: number | null = null): Promise<Record<string, number>> {
  const { results } = await $client
    .prepare(
      `SELECT day, sum(amount_cents) AS n FROM ledger WHERE rowid <= coalesce(?1, rowid) GROUP BY day ORDER BY day`,
    )
    .bind(upTo)
    .all<{ day: string; n: number }>();
  return Object.fromEntries(results.map(({ day, n }) => [day, n]));
}

/** End the dump, and delete its progress. Times in UTC ms. */
export async function endDump({ $client }: Db, { dueAt, at, month }: { dueAt: number; at: number; month: string }) {
  await $client.batch([
    $client
      .prepare("UPDATE dumps SET due_at = ?1, ended_at = ?2, month = ?3, folder = '', tries = 0")
      .bind(dueAt, at, month),
    $client.prepare('DELETE FROM dump_tables'),
  ]);
}

/** Discard the dump in progress; the next run starts a new one. `dueAt`: UTC ms. */
export async function discardDump(db: Db, dueAt: number): Promise<void> {
  await db.update(dumps).set({ folder: '', dueAt });
}

export async function recordCopiedFiles(db: Db, files: Record<string, number>): Promise<void> {
  await db.update(dumps).set({ files: JSON.stringify(files) });
}

/**
 * The backup bucket. Its lifecycle rules delete files under these two prefixes after 35 days and 13 months; a copied
 * file is deleted with its original.
 */
const NIGHTLY = 'nightly/';
const MONTHLY = 'monthly/';

const MANIFEST = 'manifest.json';
const DUMP_FOLDER = /^(nightly|monthly)\/(\d{1,15})\/[0-9TZ-]{1,30}\/$/;

/** A unique folder for a dump that begins `at` (UTC ms); folder names sort by time. */
export const folderOf = (clinic: number, at: number, isMonthly: boolean): string =>
  `${isMonthly ? MONTHLY : NIGHTLY}${clinic}/${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}/`;

/** True if this is the folder of a dump of this clinic. */
export const isDumpOf = (folder: string, clinic: number): boolean => DUMP_FOLDER.exec(folder)?.[2] === String(clinic);

/** Store a text, compressed. */
export async function putCompressed(bucket: R2Bucket, key: string, text: string): Promise<void> {
  const compressed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(compressed).arrayBuffer();
  await bucket.put(key, bytes, { httpMetadata: { contentType: 'application/gzip' } });
}

/** A text that was stored compressed; null if there is none. */
export async function getCompressed(bucket: R2Bucket, key: string): Promise<string | null> {
  const stored = await bucket.get(key);
  return stored && new Response(stored.body.pipeThrough(new DecompressionStream('gzip'))).text();
}

export async function putManifest(bucket: R2Bucket, folder: string, manifest: DumpManifest): Promise<void> {
  const text = JSON.stringify(manifest, null, 2);
  await bucket.put(`${folder}${MANIFEST}`, text, { httpMetadata: { contentType: 'application/json' } });
}

/** The manifest of a dump; null if there is none, or if the dump was never finished. */
export async function getManifest(bucket: R2Bucket, folder: string): Promise<DumpManifest | null> {
  const stored = DUMP_FOLDER.test(folder) ? await bucket.get(`${folder}${MANIFEST}`) : null;
  return (await stored?.json<DumpManifest>()) ?? null;
}

/** The folders of a clinic's dumps, oldest first, including unfinished ones. */
export async function listDumpFolders(bucket: R2Bucket, clinic: number): Promise<string[]> {
  const folders: string[] = [];
  for (const kind of [MONTHLY, NIGHTLY]) {
    let cursor: string | undefined;
    do {
      const page: R2Objects = await bucket.list({
        prefix: `${kind}${clinic}/`,
        delimiter: '/',
        ...(cursor === undefined ? {} : { cursor }),
      });
      folders.push(...page.delimitedPrefixes);
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
  const time = (folder: string) => folder.slice(folder.indexOf('/') + 1);
  return folders.sort((a, b) => (time(a) < time(b) ? -1 : 1));
}

/** The account whose records a clinic's database holds, with its time zone; null if there is none yet. */
export const findDumpedAccount = ({ $client }: Db): Promise<{ account: number; timeZone: string } | null> =>
  $client
    .prepare('SELECT account_id AS account, time_zone AS timeZone FROM accounts LIMIT 1')
    .first<{ account: number; timeZone: string }>();
