import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type ClinicWorld, clinicWorld, makeDump, pay, restoreDump, useObjects } from '#tests/support/operate-world';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome } from '#tests/support/unit/world';
import { depsOfCapability } from '#worker/clinic/capability-keys';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { listDumpFolders } from '#worker/data/operate/dumps';
import { loadPayable } from '#worker/data/payments/load-payable';
import { crmSyncs } from '#worker/data/schema/schema';
import { isCatchingUp } from '#worker/domain/merchants/after-restore';
import { takePayment } from '#worker/domain/payments/take-payment';
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { eraseClinic } from './erase.ts';
import { beginRestoration, endDumpRestoration, restorePiece } from './restore.ts';
import { inspectClinic, viewClinics } from './view.ts';

useObjects();

const MINUTE = 60_000;
const rowsOf = async ({ db }: ClinicWorld['clinicDeps'], table: string) =>
  (await db.$client.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all()).results;
const COMPARED_TABLES = ['payment_attempts', 'ledger', 'pay_links', 'users', 'terminals', 'daily_totals'];

/** A clinic that was dumped and then lost its object. */
async function makeLostWorld() {
  const world = await clinicWorld();
  await pay(world, 2);
  const folder = await makeDump(world, world.clinicDeps);
  const before = await Promise.all(
    COMPARED_TABLES.map((table) => rowsOf(world.clinicDeps, table === 'daily_totals' ? table : table)),
  );
  await world.installation.clinics.erase(world.clinicDeps.clinic);
  return { world, folder, before };
}

describe('a clinic restored from its dump', () => {
  it('has its money, links, receipts and CRM grant again', async () => {
    const { world, folder, before } = await makeLostWorld();
    const { installation, accountId, payId } = world;
    const clinic = await restoreDump(world, folder);
    const restoredDeps = world.deps(clinic);
    expect(await Promise.all(COMPARED_TABLES.map((table) => rowsOf(restoredDeps, table)))).toEqual(before);
    expect(await inspectClinic(installation, accountId)).toMatchObject({ clinic, isConnected: true, mailsDue: 0 });
    // The number of the lost clinic is retired and leads to the new clinic.
    expect((await viewClinics(installation, 0)).clinics).toMatchObject([
      { clinic: world.clinicDeps.clinic, account: null },
      { clinic, account: accountId },
    ]);
    const oldDeps = depsOfCapability(installation, payId);
    expect(oldDeps?.clinic).toBe(world.clinicDeps.clinic);
    expect(oldDeps && (await loadPayable(oldDeps.db, payId))).toMatchObject({ payable: { link: { payId } } });
  });

  it('takes no payment until CRM records and then the card provider’s transactions were read', async () => {
    const { world, folder } = await makeLostWorld();
    const { accountId, clock, payId, installation } = world;
    const restoredDeps = world.deps(await restoreDump(world, folder));
    const payOnce = async () => {
      const oldDeps = depsOfCapability(installation, payId);
      return oldDeps && (await takePayment(oldDeps, payId, paymentForm(), { clientIp: null })).kind;
    };
    clock.now += 11 * MINUTE;
    await reconcileAccounts(restoredDeps);
    expect(await isCatchingUp(restoredDeps, accountId)).toBe(true);
    expect(await payOnce()).toBe('gateway-unavailable');
    await restoredDeps.db.update(crmSyncs).set({ completeAt: clock.now });
    await reconcileAccounts(restoredDeps);
    expect(await isCatchingUp(restoredDeps, accountId)).toBe(false);
    expect(await payOnce()).toBe('approved');
  });

  it('sends no email that was due at the time of the dump', async () => {
    const world = await clinicWorld();
    await pay(world, 1);
    const { clinicDeps } = world;
    const dueCountSql = "SELECT count(*) AS n FROM outbox WHERE state = 'due'";
    expect(await clinicDeps.db.$client.prepare(dueCountSql).first('n')).toBe(1);
    const folder = await makeDump(world, clinicDeps);
    await world.installation.clinics.erase(clinicDeps.clinic);
    const restoredDeps = world.deps(await restoreDump(world, folder));
    expect(await restoredDeps.db.$client.prepare(dueCountSql).first('n')).toBe(0);
    expect(await restoredDeps.db.$client.prepare('SELECT count(*) AS n FROM outbox').first('n')).toBe(1);
  });

  it('looks up again a payment that was settled during the dump', async () => {
    const world = await clinicWorld();
    const { clinicDeps, clock } = world;
    const { charge } = clinicDeps.gateway;
    clinicDeps.gateway.charge = async () => lostOutcome;
    await expect(pay(world, 1)).rejects.toThrow('pending');
    clinicDeps.gateway.charge = charge;
    // The payment was settled during the dump: its row was dumped as approved, but its ledger entry was not dumped.
    await clinicDeps.db.$client
      .prepare("UPDATE payment_attempts SET state = 'approved', settled_at = ?1")
      .bind(clock.now)
      .run();
    const folder = await makeDump(world, clinicDeps);
    await world.installation.clinics.erase(clinicDeps.clinic);
    const restoredDeps = world.deps(await restoreDump(world, folder));
    expect(await rowsOf(restoredDeps, 'payment_attempts')).toMatchObject([
      { state: 'unknown', settled_at: null, next_check_at: clock.now, receipt_to: '' },
    ]);
  });

  it('can be lost and restored again, and the first pay link still works', async () => {
    const { world, folder } = await makeLostWorld();
    const { installation, payId } = world;
    const second = await restoreDump(world, folder);
    await installation.clinics.erase(second);
    const third = await restoreDump(world, folder);
    expect(third).toBeGreaterThan(second);
    const oldDeps = depsOfCapability(installation, payId);
    expect(oldDeps && (await loadPayable(oldDeps.db, payId))).toMatchObject({ payable: { link: { payId } } });
  });

  it('is refused when a piece was changed, a row is missing or the dump belongs to another account', async () => {
    const { world, folder } = await makeLostWorld();
    const { installation, accountId } = world;
    const outcome = await beginRestoration(installation, accountId, CLINIC_SCHEMA);
    if (outcome.kind !== 'begun') throw new Error(outcome.kind);
    expect(await endDumpRestoration(installation, outcome.clinic, accountId + 1, folder)).toEqual({
      kind: 'not-found',
    });
    expect(await endDumpRestoration(installation, outcome.clinic, accountId, folder)).toMatchObject({
      kind: 'differs',
    });
    const key = `${folder}accounts-0.ndjson.gz`;
    const otherRows = await new Response(
      new Blob(['{"table":"accounts","row":{}}\n']).stream().pipeThrough(new CompressionStream('gzip')),
    ).arrayBuffer();
    await env.BACKUPS.put(key, otherRows);
    expect(await restorePiece(installation, outcome.clinic, folder, 0)).toEqual({
      kind: 'refused',
      reason: 'it is not as it was written',
    });
    await env.BACKUPS.delete(key);
    expect(await restorePiece(installation, outcome.clinic, folder, 0)).toEqual({ kind: 'not-found' });
  });
});

describe('a clinic erased on purpose', () => {
  it('keeps and reports its dumps until they expire, but its old links do not work', async () => {
    const world = await clinicWorld();
    const { installation, accountId, name, clinicDeps, payId, clock } = world;
    const folder = await makeDump(world, clinicDeps);
    const outcome = await eraseClinic(installation, accountId, name);
    expect(outcome).toMatchObject({ kind: 'erased', erased: { dumpsUntil: clock.now + 400 * 24 * 60 * MINUTE } });
    expect(await listDumpFolders(env.BACKUPS, clinicDeps.clinic)).toEqual([folder]);
    await restoreDump(world, folder);
    const oldDeps = depsOfCapability(installation, payId);
    await expect(oldDeps && loadPayable(oldDeps.db, payId)).rejects.toThrow();
  });
});
