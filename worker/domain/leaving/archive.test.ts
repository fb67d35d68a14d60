import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  archived,
  fetched,
  filesIn,
  lastPartAt,
  manifestIn,
  restoredFromArchive,
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
import { askArchive, fetchPart, makeArchives, viewArchive } from './archive.ts';
import { beginArchive, endArchive, restorePart } from './restore-archive.ts';

useObjects();

const MONTHS_MS = 100 * 86_400_000;
const DAY_MS = 86_400_000;

const rowsOf = (files: Record<string, string>, table: string): Record<string, unknown>[] =>
  Object.entries(files)
    .filter(([name]) => new RegExp(`^tables/${table}-\\d+\\.ndjson$`).test(name))
    .flatMap(([, text]) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const selectAll = async (own: Deps, sql: string): Promise<string[]> =>
  (await own.db.$client.prepare(sql).all<Record<string, string>>()).results.flatMap((row) => Object.values(row));

/** A clinic with paid invoices, signatures, a session, an open invitation and a sealed email. */
async function makeUsedClinic(): Promise<ClinicWorld> {
  const world = await clinicWorld();
  const { own, accountId } = world;
  await pay(world, 3);
  const connected = { accountId, userId: 7, email: 'ana@maple.example', role: 'admin', last_login_at: 1 };
  await own.db.$client
    .prepare('INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, ?, ?, ?, ?)')
    .bind(...Object.values(connected))
    .run();
  await own.db.insert(sessions).values({
    id: 'session-of-ana',
    accountId,
    userId: 7,
    refreshTokenHash: 'companion-hash',
    createdAt: 1,
    seenAt: 1,
    endsAt: own.now() + DAY_MS,
  });
  const person = { email: 'ben@maple.example', name: 'Ben', role: 'desk' } as const;
  expect((await inviteStaff(own, accountId, null, person)).kind).toBe('invited');
  await sealTrails(own);
  return world;
}

describe('an archive of all records', () => {
  it('contains every table and file, counted and hashed in its manifest', async () => {
    const world = await makeUsedClinic();
    const { own, accountId } = world;
    const files = await filesIn(await archived(world, own, 'clinic'));
    const manifest = manifestIn(files);
    for (const { name } of exportTables) {
      const n = await own.db.$client.prepare(`SELECT count(*) AS n FROM ${name}`).first<number>('n');
      const later = name === 'audit_events' ? 1 : 0;
      expect(rowsOf(files, name).length, name).toBe((n ?? 0) - later);
      expect(manifest.counts[name] ?? 0, name).toBe((n ?? 0) - later);
    }
    for (const { name, sha256, rows } of manifest.pieces) {
      expect(await own.sha256(files[name] ?? ''), name).toBe(sha256);
      expect((files[name] ?? '').split('\n').length - 1, name).toBe(rows);
    }
    expect(manifest.files).toEqual({ signatures: 3, receipts: 3, missing: 0 });
    expect(Object.keys(files).filter((name) => name.startsWith(`signatures/${accountId}/`))).toHaveLength(3);
    const listed = ['payments', 'receipts'].flatMap((by) =>
      (files[`files/${by}-0.ndjson`] ?? '').split('\n').filter(Boolean),
    );
    expect(listed).toHaveLength(6);
    expect(manifest.ledgerCents).toBe(3 * 18_400);
    const receipt = Object.entries(files).find(([name]) => name.startsWith('receipts/'));
    expect(receipt?.[1]).toContain('$184.00');
    expect(rowsOf(files, 'outbox').map(({ kind }) => kind)).toContain('receipt');
  });

  it('contains no pay id, receipt id, token, session or secret, and lists what is left out', async () => {
    const world = await makeUsedClinic();
    const { own } = world;
    const secrets = [
      ...(await selectAll(own, 'SELECT pay_id FROM pay_links')),
      ...(await selectAll(own, 'SELECT receipt_id FROM payment_attempts')),
      ...(await selectAll(own, 'SELECT access_token, refresh_token FROM crm_tokens')),
      ...(await selectAll(own, 'SELECT api_key FROM terminals')),
      ...(await selectAll(own, 'SELECT id, companion_hash FROM sessions')),
      ...(await selectAll(own, 'SELECT secret_hash FROM invitations')),
      ...(await selectAll(own, "SELECT details ->> 'token' FROM outbox WHERE details LIKE '%token%'")),
      ...own.settings.CAPABILITY_KEYS.split(','),
      ...own.settings.TOKEN_KEYS.split(','),
    ];
    expect(secrets.length).toBeGreaterThan(14);
    const files = await filesIn(await archived(world, own, 'clinic'));
    const all = JSON.stringify(files);
    for (const secret of secrets) expect(all.includes(secret), secret).toBe(false);
    expect(all).not.toContain('/receipt/');
    const { leftOut } = manifestIn(files);
    for (const name of ['pay_links', 'sessions', 'invitations', 'crm_tokens', 'terminals.api_key', 'outbox.details'])
      expect(leftOut[name]).toMatch(/\w+/);
    expect(leftOut['payment_attempts.receipt_id']).toMatch(/\w+/);
  });

  it('restores into a fresh object with every table and file equal', async () => {
    const world = await makeUsedClinic();
    const { own, installation, accountId } = world;
    // A restore marks due emails as failed, so none are due here.
    await own.db.$client.prepare("UPDATE outbox SET state = 'sent', sent_at = 5 WHERE state = 'due'").run();
    world.clock.now += MONTHS_MS;
    const archive = await archived(world, own, 'operator');
    const before = await filesIn(archive);
    expect((await eraseClinic(installation, accountId, world.name)).kind).toBe('erased');
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    expect((await env.MEDIA.list({ prefix: 'signatures/' })).objects).toEqual([]);

    const clinic = await restoredFromArchive(world, archive);
    const restored = world.deps(clinic);
    expect(await findClinic(installation.installation, accountId)).toBe(clinic);
    const after = await filesIn(await archived(world, restored, 'operator'));
    for (const { name } of exportTables.filter(({ name }) => name !== 'audit_events'))
      expect(rowsOf(after, name), name).toEqual(rowsOf(before, name));
    const [events, old] = [rowsOf(after, 'audit_events'), rowsOf(before, 'audit_events')];
    expect(events.slice(0, old.length)).toEqual(old);
    const added = events.slice(old.length).map(({ action }) => action);
    expect(added).toEqual(['clinic.restored', 'archive.asked-for']);
    const pictures = Object.keys(before).filter((name) => /^(signatures|receipts)\//.test(name));
    expect(pictures).toHaveLength(6);
    for (const name of pictures) expect(after[name], name).toBe(before[name]);
    expect(await isCatchingUp(restored, accountId)).toBe(true);
    expect((await env.MEDIA.list({ prefix: `exports/${clinic}/restore` })).objects).toEqual([]);
    await sealTrails(restored);
    await restored.db.$client.prepare('UPDATE audit_checks SET due_at = 0').run();
    await verifyTrails(restored);
    expect(await selectAll(restored, 'SELECT problem FROM audit_checks')).toEqual(['']);
  });

  it('restores from a clinic’s own copy, with card readers waiting for the provider to send their keys', async () => {
    const world = await makeUsedClinic();
    const archive = await archived(world, world.own, 'clinic');
    await world.installation.clinics.erase(world.own.clinic);
    const own = world.deps(await restoredFromArchive(world, archive));
    expect(await selectAll(own, 'SELECT api_key FROM terminals')).toEqual(['']);
    expect(await selectAll(own, 'SELECT ip_key FROM payment_attempts')).toEqual(['', '', '']);
    expect(await isCatchingUp(own, world.accountId)).toBe(true);
  });

  it('is rejected when a single byte is altered', async () => {
    const world = await makeUsedClinic();
    const { installation, accountId } = world;
    const archive = await archived(world, world.own, 'operator');
    await installation.clinics.erase(world.own.clinic);
    const lastAt = lastPartAt(archive);
    const last = archive.slice(lastAt);
    for (let index = 0; index < last.length; index++) {
      const tampered = last.slice();
      tampered[index] = (tampered[index] ?? 0) ^ 1;
      expect((await beginArchive(installation, accountId, tampered)).kind, `byte ${index} of the end`).toBe('not-ours');
    }
    expect(await beginArchive(installation, accountId + 1, last)).toEqual({ kind: 'of-another', account: accountId });
    const begun = await beginArchive(installation, accountId, last);
    if (begun.kind !== 'begun') throw new Error(begun.kind);
    expect(begun.parts.reduce((sum, n) => sum + n, 0)).toBe(lastAt);
    for (let index = 0; index < lastAt; index += 101) {
      const tampered = archive.slice(0, lastAt);
      tampered[index] = (tampered[index] ?? 0) ^ 128;
      const put = await restorePart(installation, begun.clinic, 0, tampered);
      expect(put, `byte ${index}`).toEqual({ kind: 'refused', why: 'it is not as it was exported' });
    }
    expect((await endArchive(installation, begun.clinic, accountId)).kind).toBe('differs');
    expect(await abandonRestoration(installation, begun.clinic)).toBe(true);
    expect((await restorePart(installation, begun.clinic, 0, archive.slice(0, lastAt))).kind).toBe('not-found');
  });

  it('is made in pieces, resumes after a failed turn, and restarts when records change', async () => {
    const world = await makeUsedClinic();
    const { own, accountId, clock } = world;
    await askArchive(own, accountId, 'clinic');
    const media = { ...own.media, put: () => Promise.reject(new Error('died')) } as unknown as R2Bucket;
    await makeArchives({ ...own, media });
    expect(await viewArchive(own, 'clinic')).toMatchObject({ state: 'making', parts: 0 });
    await makeArchives(own);
    expect((await viewArchive(own, 'clinic')).done).toBe(0);
    clock.now += 60_000;
    const bucket = own.media;
    let paid = false;
    const busy = {
      put: async (...args: Parameters<R2Bucket['put']>) => {
        if (!paid) await pay(world, 1);
        paid = true;
        return bucket.put(...args);
      },
    };
    await makeArchives({ ...own, media: Object.assign(Object.create(bucket) as R2Bucket, busy) });
    expect((await viewArchive(own, 'clinic')).state).toBe('making');
    await untilReady(world, own, 'clinic');
    const status = await viewArchive(own, 'clinic');
    expect(status).toMatchObject({ state: 'ready', done: status.total });
    const files = await filesIn(joinedOf(await fetched(own, accountId, 'clinic')));
    expect(manifestIn(files)).toMatchObject({ acts: 0, files: { signatures: 4, receipts: 4 } });
  });

  it('is deleted with its files after a week, by a person’s erasure or when a new one is made', async () => {
    const world = await makeUsedClinic();
    const { own, accountId, clock } = world;
    await archived(world, own, 'clinic');
    const first = await viewArchive(own, 'clinic');
    expect((await fetchPart(own, { accountId, kind: 'operator', id: first.id ?? '', part: 0 }))?.size).toBeUndefined();
    await archived(world, own, 'clinic');
    const second = await viewArchive(own, 'clinic');
    expect(second.id).not.toBe(first.id);
    const keys = (await env.MEDIA.list({ prefix: 'exports/' })).objects.map(({ key }) => key);
    expect(keys.filter((key) => key.includes(first.id ?? ''))).toEqual([]);
    const events = await selectAll(own, "SELECT action FROM audit_events WHERE action LIKE 'archive.%'");
    expect(events).toEqual(['archive.asked-for', 'archive.fetched', 'archive.asked-for', 'archive.fetched']);
    await erasePerson(own, 'ana@maple.example');
    expect((await viewArchive(own, 'clinic')).state).toBe('none');
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    await archived(world, own, 'clinic');
    clock.now += 7 * DAY_MS;
    expect((await viewArchive(own, 'clinic')).state).toBe('none');
    await makeArchives(own);
    expect((await env.MEDIA.list({ prefix: 'exports/' })).objects).toEqual([]);
    expect(await selectAll(own, 'SELECT id FROM archives')).toEqual([]);
  });
});

const joinedOf = (parts: Uint8Array<ArrayBuffer>[]) => new Uint8Array(parts.flatMap((part) => [...part]));
