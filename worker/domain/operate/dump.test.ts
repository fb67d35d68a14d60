import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type ClinicWorld, clinicWorld, pay, useObjects } from '#tests/support/operate-world';
import { findDirectoryRow, findOldestDumpTime } from '#worker/data/operate/directory';
import { findDump, getCompressed, getManifest, listDumpFolders } from '#worker/data/operate/dumps';
import type { Deps } from '#worker/deps';
import { dumpDatabase, nextDumpAt, viewDumps, watchDumps } from './dump.ts';

useObjects();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Runs the dump until it has ended, or for at most `maxRuns` runs. Returns the number of runs. */
async function runDump({ clock }: { clock: { now: number } }, deps: Deps, maxRuns = 40): Promise<number> {
  for (let run = 1; run <= maxRuns; run++) {
    const dump = await findDump(deps.db);
    clock.now = Math.max(clock.now, dump?.dueAt ?? 0);
    await dumpDatabase(deps);
    const currentDump = await findDump(deps.db);
    if (dump && currentDump && currentDump.endedAt > dump.endedAt) return run;
  }
  return maxRuns;
}

async function readNewestDump({ installation }: ClinicWorld, clinic: number) {
  const [folder = ''] = (await listDumpFolders(installation.backups, clinic)).slice(-1);
  const manifest = await getManifest(installation.backups, folder);
  if (!manifest) throw new Error('there is no dump');
  const texts = await Promise.all(manifest.pieces.map(({ key }) => getCompressed(installation.backups, key)));
  const lines = texts.flatMap((text) => (text ?? '').split('\n').filter(Boolean));
  const rows = lines.map((line) => JSON.parse(line) as { table: string; row: Record<string, unknown> });
  return { folder, manifest, texts, rows: (name: string) => rows.filter(({ table }) => table === name) };
}

describe('the time of a clinic’s nightly dump', () => {
  it('is between two and four by the clinic’s own clock, at a different minute for each clinic', () => {
    const now = Date.UTC(2026, 10, 23, 12);
    for (const zone of ['America/New_York', 'Europe/Budapest', 'Asia/Tokyo'])
      for (const clinic of [1, 2, 77, 1000]) {
        const at = nextDumpAt(now, zone, clinic);
        expect(at).toBeGreaterThan(now);
        expect(at).toBeLessThanOrEqual(now + DAY);
        const hour = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' });
        expect(['02', '03']).toContain(hour.format(at));
      }
    expect(new Set([1, 2, 3, 4, 5].map((clinic) => nextDumpAt(now, 'UTC', clinic))).size).toBe(5);
  });
});

describe('a clinic’s dump', () => {
  it('contains what cannot be fetched again, without sessions or CRM data', async () => {
    const world = await clinicWorld();
    await pay(world, 3);
    await dumpDatabase(world.clinicDeps);
    expect(await listDumpFolders(world.installation.backups, world.clinicDeps.clinic)).toEqual([]);
    await runDump(world, world.clinicDeps);

    const { manifest, rows, texts, folder } = await readNewestDump(world, world.clinicDeps.clinic);
    expect(folder).toMatch(new RegExp(`^monthly/${world.clinicDeps.clinic}/`));
    expect(manifest).toMatchObject({ clinic: world.clinicDeps.clinic, account: world.accountId, acts: 0 });
    expect(manifest.counts).toMatchObject({ accounts: 1, payment_attempts: 3, ledger: 3, crm_tokens: 1 });
    expect(rows('pay_links').map(({ row }) => row.pay_id)).toContain(world.payId);
    expect(rows('outbox')).toHaveLength(3);
    expect(rows('contacts')).toEqual([]);
    // Secrets are sealed with a key that is not in the bucket.
    expect(texts.join('')).not.toContain('secret-key');
    const sum = Object.values(manifest.days).reduce((total, cents) => total + cents, 0);
    expect(manifest.ledgerCents).toBe(sum);
    expect(sum).toBeGreaterThan(0);
    for (const [index, { sha256 }] of manifest.pieces.entries())
      expect(await world.clinicDeps.sha256(texts[index] ?? '')).toBe(sha256);
  });

  it('is written in bounded runs, each of which continues where the last one ended or was interrupted', async () => {
    const world = await clinicWorld();
    const { clinicDeps, clock } = world;
    await clinicDeps.db.$client
      .prepare(
        `WITH RECURSIVE n (at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < 12000)
INSERT INTO audit_events (account_id, seq, id, at, actor_kind, actor_id, session_id, ip_hash, action, subject_kind,
  subject_id, before, after, request_id)
SELECT ?1, 1000 + at, 'event-' || at, ?2, 'system', '', '', '', 'mail.sent', 'mail', '', '', '', '' FROM n`,
      )
      .bind(world.accountId, clock.now)
      .run();
    await dumpDatabase(clinicDeps);
    clock.now = (await findDump(clinicDeps.db))?.dueAt ?? 0;
    await dumpDatabase(clinicDeps);
    const [folder = ''] = await listDumpFolders(clinicDeps.backups, clinicDeps.clinic);
    expect(await getManifest(clinicDeps.backups, folder)).toBeNull();
    expect((await clinicDeps.backups.list({ prefix: folder })).objects).toHaveLength(10);
    expect((await viewDumps(world.installation, world.accountId, null))?.dumps).toEqual([]);

    // A piece that was stored but not recorded is written again.
    await clinicDeps.db.$client
      .prepare("UPDATE dump_tables SET is_whole = 0, pieces = '[]', after = 'null' WHERE name = 'accounts'")
      .run();
    await runDump(world, clinicDeps);
    const { manifest, rows } = await readNewestDump(world, clinicDeps.clinic);
    const seqs = rows('audit_events').map(({ row }) => Number(row.seq));
    expect(new Set(seqs).size).toBe(manifest.counts.audit_events);
    expect(Math.max(...seqs)).toBe(13_000);
    expect(rows('accounts')).toHaveLength(1);
    expect((await viewDumps(world.installation, world.accountId, null))?.dumps).toMatchObject([{ folder, acts: 0 }]);
  });

  it('restarts when records changed during the dump, and accepts changes on the last try', async () => {
    const world = await clinicWorld();
    const { clinicDeps } = world;
    await dumpDatabase(clinicDeps);
    const busyDeps: Deps = {
      ...clinicDeps,
      backups: new Proxy(clinicDeps.backups, {
        get: (bucket, name) =>
          name === 'put'
            ? async (key: string, value: ArrayBuffer) => {
                if (key.includes('/accounts-')) await pay(world, 1);
                return bucket.put(key, value);
              }
            : Reflect.get(bucket, name).bind(bucket),
      }),
    };
    await pay(world, 1);
    expect(await runDump(world, busyDeps)).toBe(5);
    const { manifest } = await readNewestDump(world, clinicDeps.clinic);
    expect(manifest.acts).toBeGreaterThan(0);
    // The payment made while the dump was written is in none of its tables.
    expect(manifest.counts.payment_attempts).toBe(5);
    expect(manifest.counts.ledger).toBe(5);
  });

  it('is continued later when its bucket fails', async () => {
    const world = await clinicWorld();
    const { clinicDeps, clock } = world;
    await dumpDatabase(clinicDeps);
    const previousDump = await findDump(clinicDeps.db);
    clock.now = previousDump?.dueAt ?? 0;
    const brokenDeps = {
      ...clinicDeps,
      backups: { ...clinicDeps.backups, put: async () => Promise.reject(new Error('R2 is away')) },
    };
    await dumpDatabase(brokenDeps as unknown as Deps);
    const currentDump = await findDump(clinicDeps.db);
    expect(currentDump?.dueAt).toBe(clock.now + 15 * 60_000);
    expect(currentDump?.endedAt).toBe(previousDump?.endedAt);
    expect(await runDump(world, clinicDeps)).toBe(1);
    expect((await readNewestDump(world, clinicDeps.clinic)).manifest.counts.accounts).toBe(1);
  });
});

describe('a file referenced by a row', () => {
  it('is copied once next to the dumps, and its copy is deleted with it', async () => {
    const world = await clinicWorld();
    const { clinicDeps } = world;
    await pay(world, 30);
    await dumpDatabase(clinicDeps);
    await runDump(world, clinicDeps);
    const listCopies = async () => (await env.BACKUPS.list({ prefix: 'files/' })).objects.map(({ key }) => key);
    const [first = '', ...otherCopies] = await listCopies();
    expect(otherCopies).toHaveLength(29);
    expect(first).toMatch(new RegExp(`^files/signatures/${world.accountId}/[0-9a-f]{32}\\.png$`));
    const [copy, file] = [await env.BACKUPS.get(first), await env.MEDIA.get(first.slice('files/'.length))];
    expect(await copy?.arrayBuffer()).toEqual(await file?.arrayBuffer());
    await clinicDeps.media.delete([first.slice('files/'.length)]);
    expect(await listCopies()).toEqual(otherCopies);
    // Files are copied once, so a later night does not replace a missing copy.
    await runDump(world, clinicDeps);
    expect(await listCopies()).toEqual(otherCopies);
  });
});

describe('the age of the oldest dump', () => {
  it('is recorded as the last success of the job "backup" across all clinics and the installation', async () => {
    const world = await clinicWorld();
    const { clinicDeps, installation, clock } = world;
    const startedAt = clock.now;
    const readBackupJob = async () => {
      await watchDumps(installation);
      const { results } = await installation.db.$client
        .prepare("SELECT ok, ok_at FROM heartbeats WHERE job = 'backup'")
        .all<{ ok: number; ok_at: number }>();
      return results;
    };
    await dumpDatabase(installation);
    await dumpDatabase(clinicDeps);
    expect(await findOldestDumpTime(installation.db)).toBe(startedAt);
    await runDump(world, clinicDeps);
    expect((await findDirectoryRow(installation.db, clinicDeps.clinic))?.dumpedAt).toBe(clock.now);
    // The installation's own dump is still missing.
    expect(await readBackupJob()).toEqual([{ ok: 1, ok_at: startedAt }]);
    await runDump(world, installation);
    const [{ ok_at: oldest } = { ok_at: 0 }] = await readBackupJob();
    expect(oldest).toBeGreaterThan(startedAt);
    expect(oldest).toBe(await findOldestDumpTime(installation.db));
  });
});

describe('the installation’s dump', () => {
  it('is stored under 0 and contains the directory', async () => {
    const world = await clinicWorld();
    await dumpDatabase(world.installation);
    await runDump(world, world.installation);
    const { manifest, rows } = await readNewestDump(world, 0);
    expect(manifest).toMatchObject({ clinic: 0, account: 0, ledgerCents: 0 });
    expect(rows('clinics').map(({ row }) => row.account)).toEqual([world.accountId]);
    expect((await viewDumps(world.installation, 0, null))?.dumps).toHaveLength(1);
  });
});
