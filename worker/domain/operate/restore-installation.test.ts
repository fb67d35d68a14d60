import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clinicWorld, makeDump, useObjects } from '#tests/support/operate-world';
import { insertRow } from '#tests/support/unit/insert-row';
import { getManifest } from '#worker/data/operate/dumps';
import { installationDump } from '#worker/data/operate/export';
import { emptyTables } from '#worker/data/operate/restore';
import { runSchedule } from '#worker/domain/run-schedule';
import { abandonRestoration, beginRestoration, endDumpRestoration, restorePiece } from './restore.ts';
import { recordCall } from './trail.ts';

useObjects();

const BIG_CONTENT = 'a'.repeat(400_000);
const database = env.INSTALLATION;
const rowsOf = async (table: string) => (await database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;
const operatorCall = { route: 'PUT /api/operate/restorations/:clinic/pieces/:piece', account: -1, clinic: 0 };

async function makeDumpedWorld() {
  const world = await clinicWorld();
  const { installation, clock } = world;
  await insertRow(database, 'content_users', { id: 'u1', email: 'o@x.example', role: 'owner', status: 'active' });
  for (const n of [1, 2, 3]) {
    const article = { id: `a${n}`, kind: 'post', slug: `a-${n}`, status: 'PUBLISHED', content: BIG_CONTENT };
    await insertRow(database, 'articles', article);
    await insertRow(database, 'article_revisions', { article_id: `a${n}`, version: 1, content: BIG_CONTENT });
  }
  await insertRow(database, 'operators', { id: 'p1', name: 'Eve' });
  const times = { next_try_at: clock.now + 1, created_at: clock.now };
  await insertRow(database, 'outbox', {
    id: 'm1',
    kind: 'content-reset',
    recipient: 'o@x.example',
    state: 'due',
    ...times,
  });
  for (let n = 0; n < 5; n++) await recordCall(installation, operatorCall);
  const folder = await makeDump(world, installation);
  const tables = [
    'content_users',
    'articles',
    'article_revisions',
    'operators',
    'clinics',
    'clinic_keys',
    'audit_events',
  ];
  const before = new Map<string, unknown[]>();
  for (const table of tables) before.set(table, await rowsOf(table));
  return { world, installation, folder, before };
}

/** Replaces the database with a new one that contains only the records of its first minutes. */
async function loseDatabase({ installation, world }: Awaited<ReturnType<typeof makeDumpedWorld>>): Promise<void> {
  const triggers = await database
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name LIKE 'audit%'")
    .all<{ name: string; sql: string }>();
  await database.batch(triggers.results.map(({ name }) => database.prepare(`DROP TRIGGER ${name}`)));
  await emptyTables(installation.db, installationDump);
  await database.batch(triggers.results.map(({ sql }) => database.prepare(sql)));
  for (let n = 0; n < 3; n++) await recordCall(world.installation, operatorCall);
}

describe('the installation restored from its dump', () => {
  it('has its content, directory, operators and trail again, and reuses no clinic number', async () => {
    const dumped = await makeDumpedWorld();
    const { installation, folder, before } = dumped;
    await loseDatabase(dumped);
    expect(await beginRestoration(installation, 0, 0)).toEqual({ kind: 'begun', clinic: 0 });
    const manifest = await getManifest(env.BACKUPS, folder);
    for (const index of manifest?.pieces.keys() ?? []) {
      await recordCall(installation, operatorCall);
      // The cron does nothing during a restore.
      await runSchedule(installation);
      expect(await restorePiece(installation, 0, folder, index)).toEqual({ kind: 'back' });
    }
    const outcome = await endDumpRestoration(installation, 0, 0, folder);
    expect(outcome).toMatchObject({ kind: 'ended' });
    for (const [table, rows] of before) {
      const restoredRows = await rowsOf(table);
      expect(restoredRows.slice(0, rows.length), table).toEqual(rows);
    }
    const events = await rowsOf('audit_events');
    expect(events.at(-1)).toMatchObject({ action: 'clinic.restored', subject_kind: 'installation' });
    await expect(database.prepare('DELETE FROM audit_events').run()).rejects.toThrow('only added to');
    expect(await rowsOf('outbox')).toMatchObject([{ id: 'm1', state: 'failed', details: '{}' }]);
    const highest = Math.max(...(before.get('clinics') ?? []).map((row) => (row as { number: number }).number));
    const newNumber = await database
      .prepare('INSERT INTO clinics (founded_at) VALUES (0) RETURNING number')
      .first('number');
    expect(newNumber).toBeGreaterThan(highest + 1000);
  });

  it('is refused when a clinic or a user exists, and leaves nothing behind when abandoned', async () => {
    const dumped = await makeDumpedWorld();
    const { installation, folder } = dumped;
    expect(await beginRestoration(installation, 0, 0)).toEqual({ kind: 'there-is-one' });
    expect(await restorePiece(installation, 0, folder, 0)).toEqual({ kind: 'not-found' });
    expect(await abandonRestoration(installation, 0)).toBe(false);
    await loseDatabase(dumped);
    await beginRestoration(installation, 0, 0);
    expect(await restorePiece(installation, 0, folder, 0)).toEqual({ kind: 'back' });
    expect(await endDumpRestoration(installation, 0, 0, folder)).toMatchObject({ kind: 'differs' });
    expect(await abandonRestoration(installation, 0)).toBe(true);
    expect(await rowsOf('content_users')).toEqual([]);
    await recordCall(installation, operatorCall);
    await expect(database.prepare('DELETE FROM audit_events').run()).rejects.toThrow('only added to');
  });
});
