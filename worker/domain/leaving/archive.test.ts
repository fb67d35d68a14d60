import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  fetchParts,
  filesIn,
  lastPartOffset,
  makeArchive,
  manifestIn,
  restoreArchive,
  untilReady,
} from '#tests/support/archives';
import { type ClinicWorld, clinicWorld, pay, useObjects } from '#tests/support/operate-world';
import { findClinic } from '#worker/data/directory/clinics';
import { exportTables } from '#worker/data/operate/export';
import { sessions } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { sealTrails } from '#worker/domain/audit/seal';
import { verifyTrails } from '#worker/domain/audit/verify-trails';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import { inviteStaff } from '#worker/domain/merchants/staff-invitation';
import { eraseClinic } from '#worker/domain/operate/erase';
import { abandonRestoration } from '#worker/domain/operate/restore';
import { erasePerson } from '#worker/domain/retention/erase';
import { fetchPart, makeArchives, requestArchive, viewArchive } from './archive.ts';
import { beginArchiveRestore, endArchiveRestore, restorePart } from './restore-archive.ts';

useObjects();

const HUNDRED_DAYS_MS = 100 * 86_400_000;
const DAY_MS = 86_400_000;

const rowsOf = (files: Record<string, string>, table: string): Record<string, unknown>[] =>
  Object.entries(files)
    .filter(([name]) => new RegExp(`^tables/${table}-\\d+\\.ndjson$`).test(name))
    .flatMap(([, text]) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const selectAll = async (clinicDeps: Deps, sql: string): Promise<string[]> =>
  (await clinicDeps.db.$client.prepare(sql).all<Record<string, string>>()).results.flatMap((row) => Object.values(row));

/** A clinic with paid invoices, signatures, a session, an open invitation and a sealed email. */
async function makeUsedClinic(): Promise<ClinicWorld> {
  const world = await clinicWorld();
  const { clinicDeps, accountId } = world;
  await pay(world, 3);
  const user = { accountId, userId: 7, email: 'ana@maple.example', role: 'admin', last_login_at: 1 };
  await clinicDeps.db.$client
    .prepare('INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, ?, ?, ?, ?)')
    .bind(...Object.values(user))
    .run();
  await clinicDeps.db.insert(sessions).values({
    id: 'session-of-ana',
    accountId,
    userId: 7,
    refreshTokenHash: 'companion-hash',
    createdAt: 1,
    seenAt: 1,
    endsAt: clinicDeps.now() + DAY_MS,
  });
  const person = { email: 'ben@maple.example', name: 'Ben', role: 'desk' } as const;
  expect((await inviteStaff(clinicDeps, accountId, null, person)).kind).toBe('invited');
  await sealTrails(clinicDeps);
  return world;
}

describe('an archive of all records', () => {
  it('contains every table and file, counted and hashed in its manifest', async () => {
    const world = await makeUsedClinic();
    const { clinicDeps, accountId } = world;
    const files = await filesIn(await makeArchive(world, clinicDeps, 'clinic'));
    const manifest = manifestIn(files);
    for (const { name } of exportTables) {
      const n = await clinicDeps.db.$client.prepare(`SELECT count(*) AS n FROM ${name}`).first<number>('n');
      const laterEvents = name === 'audit_events' ? 1 : 0;
      expect(rowsOf(files, name).length, name).toBe((n ?? 0) - laterEvents);
      expect(manifest.counts[name] ?? 0, name).toBe((n ?? 0) - laterEvents);
    }
    for (const { name, sha256, rows } of manifest.pieces) {
      expect(await clinicDeps.sha256(files[name] ?? ''), name).toBe(sha256);
      expect((files[name] ?? '').split('\n').length - 1, name).toBe(rows);
    }
    expect(manifest.files).toEqual({ signatures: 3, receipts: 3, missing: 0 });
    expect(Object.keys(files).filter((name) => name.startsWith(`signatures/${accountId}/`))).toHaveLength(3);
    const listedFiles = ['payments', 'receipts'].flatMap((kind) =>
      (files[`files/${kind}-0.ndjson`] ?? '').split('\n').filter(Boolean),
    );
    expect(listedFiles).toHaveLength(6);
    expect(manifest.ledgerCents).toBe(3 * 18_400);
    const receipt = Object.entries(files).find(([name]) => name.startsWith('receipts/'));
    expect(receipt?.[1]).toContain('$184.00');
    expect(rowsOf(files, 'outbox').map(({ kind }) => kind)).toContain('receipt');
  });

  it('contains no pay id, receipt id, token, session or secret, and lists what is left out', async () => {
    const world = await makeUsedClinic();
    const { clinicDeps } = world;
    const secrets = [
      ...(await selectAll(clinicDeps, 'SELECT pay_id FROM pay_links')),
      ...(await selectAll(clinicDeps, 'SELECT receipt_id FROM payment_attempts')),
      ...(await selectAll(clinicDeps, 'SELECT access_token, refresh_token FROM crm_tokens')),
      ...(await selectAll(clinicDeps, 'SELECT api_key FROM terminals')),
      ...(await selectAll(clinicDeps, 'SELECT id, companion_hash FROM sessions')),
      ...(await selectAll(clinicDeps, 'SELECT secret_hash FROM invitations')),
      ...(await selectAll(clinicDeps, "SELECT details ->> 'token' FROM outbox WHERE details LIKE '%token%'")),
      ...clinicDeps.settings.CAPABILITY_KEYS.split(','),
      ...clinicDeps.settings.TOKEN_KEYS.split(','),
    ];
    expect(secrets.length).toBeGreaterThan(14);
    const files = await filesIn(await makeArchive(world, clinicDeps, 'clinic'));
    const allText = JSON.stringify(files);
    for (const secret of secrets) expect(allText.includes(secret), secret).toBe(false);
    expect(allText).not.toContain('/receipt/');
    const { leftOut } = manifestIn(files);
    for (const name of ['pay_links', 'sessions', 'invitations', 'crm_tokens', 'terminals.api_key', 'outbox.details'])
      expect(leftOut[name]).toMatch(/\w+/);
    expect(leftOut['payment_attempts.receipt_id']).toMatch(/\w+/);
  });

  it('is restored into a new object with all tables and files unchanged', async () => {
    const world = await makeUsedClinic();
    const { clinicDeps, installation, accountId } = world;
    // A restore marks due emails as failed, so none are due here.
    await clinicDeps.db.$client.prepare("UPDATE outbox SET state = 'sent', sent_at = 5 WHERE state = 'due'").run();
    world.clock.now += HUNDRED_DAYS_MS;
    const archive = await makeArchive(world, clinicDeps, 'operator');
    const exportedFiles = await filesIn(archive);
    expect((await eraseClinic(installation, accountId, world.name)).kind).toBe('erased');
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    expect((await env.MEDIA.list({ prefix: 'signatures/' })).objects).toEqual([]);

    const clinic = await restoreArchive(world, archive);
    const restoredDeps = world.deps(clinic);
    expect(await findClinic(installation.installation, accountId)).toBe(clinic);
    const restoredFiles = await filesIn(await makeArchive(world, restoredDeps, 'operator'));
    for (const { name } of exportTables.filter(({ name }) => name !== 'audit_events'))
      expect(rowsOf(restoredFiles, name), name).toEqual(rowsOf(exportedFiles, name));
    const [events, oldEvents] = [rowsOf(restoredFiles, 'audit_events'), rowsOf(exportedFiles, 'audit_events')];
    expect(events.slice(0, oldEvents.length)).toEqual(oldEvents);
    const newActions = events.slice(oldEvents.length).map(({ action }) => action);
    expect(newActions).toEqual(['clinic.restored', 'archive.asked-for']);
    const pictures = Object.keys(exportedFiles).filter((name) => /^(signatures|receipts)\//.test(name));
    expect(pictures).toHaveLength(6);
    for (const name of pictures) expect(restoredFiles[name], name).toBe(exportedFiles[name]);
    expect(await isCatchingUp(restoredDeps, accountId)).toBe(true);
    expect((await env.MEDIA.list({ prefix: `exports/${clinic}/restore` })).objects).toEqual([]);
    await sealTrails(restoredDeps);
    await restoredDeps.db.$client.prepare('UPDATE audit_checks SET due_at = 0').run();
    await verifyTrails(restoredDeps);
    expect(await selectAll(restoredDeps, 'SELECT problem FROM audit_checks')).toEqual(['']);
  });

  it('is restored from a clinic’s own copy without card reader keys, which the provider sends again', async () => {
    const world = await makeUsedClinic();
    const archive = await makeArchive(world, world.clinicDeps, 'clinic');
    await world.installation.clinics.erase(world.clinicDeps.clinic);
    const restoredDeps = world.deps(await restoreArchive(world, archive));
    expect(await selectAll(restoredDeps, 'SELECT api_key FROM terminals')).toEqual(['']);
    expect(await selectAll(restoredDeps, 'SELECT ip_key FROM payment_attempts')).toEqual(['', '', '']);
    expect(await isCatchingUp(restoredDeps, world.accountId)).toBe(true);
  });

  it('is rejected when a single byte is altered', async () => {
    const world = await makeUsedClinic();
    const { installation, accountId } = world;
    const archive = await makeArchive(world, world.clinicDeps, 'operator');
    await installation.clinics.erase(world.clinicDeps.clinic);
    const lastAt = lastPartOffset(archive);
    const lastPart = archive.slice(lastAt);
    for (let index = 0; index < lastPart.length; index++) {
      const tampered = lastPart.slice();
      tampered[index] = (tampered[index] ?? 0) ^ 1;
      expect((await beginArchiveRestore(installation, accountId, tampered)).kind, `byte ${index} of the end`).toBe(
        'not-ours',
      );
    }
    expect(await beginArchiveRestore(installation, accountId + 1, lastPart)).toEqual({
      kind: 'of-another',
      account: accountId,
    });
    const outcome = await beginArchiveRestore(installation, accountId, lastPart);
    if (outcome.kind !== 'begun') throw new Error(outcome.kind);
    expect(outcome.parts.reduce((sum, n) => sum + n, 0)).toBe(lastAt);
    for (let index = 0; index < lastAt; index += 101) {
      const tampered = archive.slice(0, lastAt);
      tampered[index] = (tampered[index] ?? 0) ^ 128;
      const partOutcome = await restorePart(installation, outcome.clinic, 0, tampered);
      expect(partOutcome, `byte ${index}`).toEqual({ kind: 'refused', reason: 'it is not as it was exported' });
    }
    expect((await endArchiveRestore(installation, outcome.clinic, accountId)).kind).toBe('differs');
    expect(await abandonRestoration(installation, outcome.clinic)).toBe(true);
    expect((await restorePart(installation, outcome.clinic, 0, archive.slice(0, lastAt))).kind).toBe('not-found');
  });

  it('is made in pieces, resumes after a failed run, and restarts when records change', async () => {
    const world = await makeUsedClinic();
    const { clinicDeps, accountId, clock } = world;
    await requestArchive(clinicDeps, accountId, 'clinic');
    const media = { ...clinicDeps.media, put: () => Promise.reject(new Error('died')) } as unknown as R2Bucket;
    await makeArchives({ ...clinicDeps, media });
    expect(await viewArchive(clinicDeps, 'clinic')).toMatchObject({ state: 'making', parts: 0 });
    await makeArchives(clinicDeps);
    expect((await viewArchive(clinicDeps, 'clinic')).done).toBe(0);
    clock.now += 60_000;
    const bucket = clinicDeps.media;
    let hasPaid = false;
    const payingBucket = {
      put: async (...args: Parameters<R2Bucket['put']>) => {
        if (!hasPaid) await pay(world, 1);
        hasPaid = true;
        return bucket.put(...args);
      },
    };
    await makeArchives({ ...clinicDeps, media: Object.assign(Object.create(bucket) as R2Bucket, payingBucket) });
    expect((await viewArchive(clinicDeps, 'clinic')).state).toBe('making');
    await untilReady(world, clinicDeps, 'clinic');
    const status = await viewArchive(clinicDeps, 'clinic');
    expect(status).toMatchObject({ state: 'ready', done: status.total });
    const files = await filesIn(joinParts(await fetchParts(clinicDeps, accountId, 'clinic')));
    expect(manifestIn(files)).toMatchObject({ acts: 0, files: { signatures: 4, receipts: 4 } });
  });

  it('is deleted with its files after a week, by a person’s erasure or when a new one is made', async () => {
    const world = await makeUsedClinic();
    const { clinicDeps, accountId, clock } = world;
    await makeArchive(world, clinicDeps, 'clinic');
    const first = await viewArchive(clinicDeps, 'clinic');
    expect(
      (await fetchPart(clinicDeps, { accountId, kind: 'operator', id: first.id ?? '', part: 0 }))?.size,
    ).toBeUndefined();
    await makeArchive(world, clinicDeps, 'clinic');
    const second = await viewArchive(clinicDeps, 'clinic');
    expect(second.id).not.toBe(first.id);
    const keys = (await env.MEDIA.list({ prefix: 'exports/' })).objects.map(({ key }) => key);
    expect(keys.filter((key) => key.includes(first.id ?? ''))).toEqual([]);
    const events = await selectAll(clinicDeps, "SELECT action FROM audit_events WHERE action LIKE 'archive.%'");
    expect(events).toEqual(['archive.asked-for', 'archive.fetched', 'archive.asked-for', 'archive.fetched']);
    await erasePerson(clinicDeps, { accountId, email: 'ana@maple.example' });
    expect((await viewArchive(clinicDeps, 'clinic')).state).toBe('none');
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    await makeArchive(world, clinicDeps, 'clinic');
    clock.now += 7 * DAY_MS;
    expect((await viewArchive(clinicDeps, 'clinic')).state).toBe('none');
    await makeArchives(clinicDeps);
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    expect(await selectAll(clinicDeps, 'SELECT id FROM archives')).toEqual([]);
  });
});

const joinParts = (parts: Uint8Array<ArrayBuffer>[]) => new Uint8Array(parts.flatMap((part) => [...part]));
