import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { clinicWorld, exportAll, pay, restoreExport, useObjects } from '#tests/support/operate-world';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import type { Db } from '#worker/data/db';
import { findClinic } from '#worker/data/directory/clinics';
import { insertRestoredRows } from '#worker/data/operate/restore';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import { eraseClinic } from './erase.ts';
import { abandonRestoration, beginRestoration, endRestoration, restoreRows } from './restore.ts';
import { inspectClinic } from './view.ts';

useObjects();

const HUNDRED_DAYS_MS = 100 * 86_400_000;

describe('a clinic exported, erased and restored', () => {
  it('has its money, trail and lists again, and takes no payment until the gateway’s records were read', async () => {
    const world = await clinicWorld();
    await pay(world, 3);
    world.clock.now += HUNDRED_DAYS_MS;
    const before = await exportAll(world);
    const days = await world.clinicDeps.db.$client.prepare('SELECT * FROM daily_totals ORDER BY day').all();
    const lists = await world.clinicDeps.db.$client.prepare('SELECT * FROM list_counts ORDER BY list, status').all();
    const owedTotals = await world.clinicDeps.db.$client.prepare('SELECT * FROM owed_totals ORDER BY due_day').all();
    const owingCustomers = await world.clinicDeps.db.$client
      .prepare('SELECT * FROM owing_customers ORDER BY first_due')
      .all();

    expect(JSON.stringify(before.rows)).not.toContain(world.payId);
    const erased = await eraseClinic(world.installation, world.accountId, world.name);
    expect(erased).toMatchObject({ kind: 'erased' });

    const clinic = await restoreExport(world, before);
    expect(clinic).not.toBe(world.clinicDeps.clinic);
    expect(await findClinic(world.installation.installation, world.accountId)).toBe(clinic);
    const restoredExport = await exportAll(world);
    const { accounts: _, audit_events: events = [], outbox: mails, ...rows } = restoredExport.rows;
    const { accounts: __, audit_events: eventsBefore = [], outbox: dueMails = [], ...rowsBefore } = before.rows;
    // An email that was due before is no longer due.
    expect(mails).toEqual(dueMails.map((mail) => ({ ...mail, state: 'failed', sent_at: world.clock.now })));
    expect(rows).toEqual(rowsBefore);
    expect(events.slice(0, eventsBefore.length)).toEqual(eventsBefore);
    expect(events.slice(eventsBefore.length)).toMatchObject([{ action: 'clinic.restored' }]);
    const { db } = world.deps(clinic);
    expect((await db.$client.prepare('SELECT * FROM daily_totals ORDER BY day').all()).results).toEqual(days.results);
    expect((await db.$client.prepare('SELECT * FROM list_counts ORDER BY list, status').all()).results).toEqual(
      lists.results,
    );
    expect((await db.$client.prepare('SELECT * FROM owed_totals ORDER BY due_day').all()).results).toEqual(
      owedTotals.results,
    );
    expect((await db.$client.prepare('SELECT * FROM owing_customers ORDER BY first_due').all()).results).toEqual(
      owingCustomers.results,
    );
    const matches = await db.$client
      .prepare('SELECT count(*) AS n FROM invoice_search WHERE invoice_search MATCH ?1')
      .bind(`"h${world.accountId}_marta"`)
      .first('n');
    expect(matches).toBe(4);
    expect(await isCatchingUp(world.deps(clinic), world.accountId)).toBe(true);
    expect(await inspectClinic(world.installation, world.accountId)).toMatchObject({
      clinic,
      isConnected: false,
      isCatchingUp: true,
      mailsDue: 0,
      payments: { approved: 3 },
    });
    // The triggers are restored.
    await expect(db.$client.prepare('DELETE FROM ledger').run()).rejects.toThrow('only added to');
  });
});

describe('a restore', () => {
  it('is refused for an account whose clinic holds records', async () => {
    const world = await clinicWorld();
    expect(await beginRestoration(world.installation, world.accountId, CLINIC_SCHEMA)).toEqual({
      kind: 'there-is-one',
    });
  });

  it('is refused for a newer export or one from before the first release', async () => {
    const world = await clinicWorld();
    expect((await beginRestoration(world.installation, 4711, 9999)).kind).toBe('newer');
    expect((await beginRestoration(world.installation, 4711, 47)).kind).toBe('too-old');
    expect(await findClinic(world.installation.installation, 4711)).toBeUndefined();
  });

  it('leaves nothing behind when abandoned and accepts no further rows', async () => {
    const world = await clinicWorld();
    const outcome = await beginRestoration(world.installation, 4712, CLINIC_SCHEMA);
    if (outcome.kind !== 'begun') throw new Error(outcome.kind);
    expect(await abandonRestoration(world.installation, outcome.clinic)).toBe(true);
    expect(await restoreRows(world.installation, outcome.clinic, 'users', [])).toEqual({ kind: 'not-found' });
    await runInDurableObject(env.CLINICS.getByName(String(outcome.clinic)), (_, { storage }) => {
      expect(
        storage.sql.exec("SELECT name FROM sqlite_schema WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      ).toEqual([]);
    });
  });

  it('rejects rows of another account, and links no other account to the clinic', async () => {
    const world = await clinicWorld();
    const outcome = await beginRestoration(world.installation, 4713, CLINIC_SCHEMA);
    if (outcome.kind !== 'begun') throw new Error(outcome.kind);
    const putRow = (table: string, row: Record<string, string | number | null>) =>
      restoreRows(world.installation, outcome.clinic, table, [row]);
    const account = { name: 'Elm', domain: 'elm.example', time_zone: 'UTC', connected_at: 1 };
    expect(await putRow('accounts', { ...account, account_id: 4714 })).toEqual({
      kind: 'refused',
      reason: expect.any(String),
    });
    expect(await putRow('accounts', account)).toMatchObject({ kind: 'refused' });
    expect(await putRow('accounts', { ...account, account_id: 4713 })).toEqual({ kind: 'back' });
    const endFor = (account: number) =>
      endRestoration(world.installation, outcome.clinic, { account, counts: { accounts: 1 }, ledgerCents: 0 });
    expect(await endFor(4714)).toMatchObject({ kind: 'differs' });
    expect(await findClinic(world.installation.installation, 4714)).toBeUndefined();
    expect(await endFor(4713)).toMatchObject({ kind: 'ended' });
  });

  it('ignores columns that no export contains', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    const before = await exportAll(world);
    await world.installation.clinics.erase(world.clinicDeps.clinic);
    for (const row of before.rows.payment_attempts as Record<string, unknown>[]) row.pay_id = 'chosen';
    for (const row of before.rows.payment_attempts as Record<string, unknown>[]) row.receipt_id = 'chosen';
    for (const row of before.rows.accounts as Record<string, unknown>[]) row.restored_at = 1;
    const restoredDeps = world.deps(await restoreExport(world, before));
    const attempt = await restoredDeps.db.query.paymentAttempts.findFirst();
    expect(attempt?.payId).not.toBe('chosen');
    expect(attempt?.receiptId).toMatch(/^\w+-[\w-]{27}-[\w-]{16}$/);
    expect(await isCatchingUp(restoredDeps, world.accountId)).toBe(true);
  });

  it('checks every exported table, even if the manifest omits it', async () => {
    const world = await clinicWorld();
    const before = await exportAll(world);
    await world.installation.clinics.erase(world.clinicDeps.clinic);
    const { invoices: _, ...counts } = before.counts;
    await expect(restoreExport(world, { ...before, counts })).rejects.toThrow('invoices has 1 rows of 0');
  });

  it('binds no value above the platform’s limit and uses one transaction', async () => {
    const boundSizes: number[] = [];
    const batchSizes: number[] = [];
    const prepare = () => ({
      bind(...values: string[]) {
        boundSizes.push(...values.map((value) => new TextEncoder().encode(value).length));
        return { all: async () => ({ results: [{ name: 'user_id' }, { name: 'email' }] }) };
      },
    });
    const batch = async (statements: unknown[]) => void batchSizes.push(statements.length);
    const rows = Array.from({ length: 100 }, (_, index) => ({ user_id: index, email: 'ü'.repeat(20_000) }));
    const db = { $client: { prepare, batch } } as unknown as Db;
    await insertRestoredRows(db, { name: 'users' }, rows, { omitted: [], fill: () => ({}) });
    expect(Math.max(...boundSizes)).toBeLessThan(2_000_000);
    expect(batchSizes).toEqual([boundSizes.length - 1]);
  });

  it('returns the database error for a rejected row', async () => {
    const world = await clinicWorld();
    const outcome = await beginRestoration(world.installation, 4715, CLINIC_SCHEMA);
    if (outcome.kind !== 'begun') throw new Error(outcome.kind);
    const row = { account_id: 4715, name: 'Elm', domain: 'elm.example', time_zone: 'UTC', connected_at: 'x' };
    const outcomeOfRow = await restoreRows(world.installation, outcome.clinic, 'accounts', [row]);
    expect(outcomeOfRow).toEqual({ kind: 'refused', reason: expect.stringContaining('accounts.connected_at') });
  });
});
