import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type ClinicWorld, clinicWorld, pay, useObjects } from '#tests/support/operate-world';
import { paymentForm } from '#tests/support/pay-form';
import { findClinic } from '#worker/data/directory/clinics';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { viewOnlineBlock } from '#worker/domain/not-payable-reason';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS, runJobs } from '#worker/domain/run-schedule';
import { closeDueAccount, finishErasures, scheduleClosing, undoClosing, viewClosing } from './closing.ts';

useObjects();

const DAY_MS = 86_400_000;
const admin = (accountId: number, userId = 7) =>
  ({ sessionId: 's', accountId, userId, role: 'admin' }) as Parameters<typeof undoClosing>[1];

/** A clinic with two administrators and a payment that was made `days` days ago. */
async function makeSettledClinic(days = 100): Promise<ClinicWorld & { administrator: ReturnType<typeof admin> }> {
  const world = await clinicWorld();
  const { clinicDeps, accountId, clock } = world;
  await pay(world, 1);
  for (const [id, role] of [
    [7, 'admin'],
    [8, 'admin'],
    [9, 'desk'],
  ] as const)
    await clinicDeps.db.$client
      .prepare('INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, ?, ?, ?, 1)')
      .bind(accountId, id, `${id}@maple.example`, role)
      .run();
  clock.now += days * DAY_MS;
  return { ...world, administrator: admin(accountId) };
}

async function requestClosing(
  { clinicDeps, administrator, name }: Awaited<ReturnType<typeof makeSettledClinic>>,
  days = 30,
): Promise<string> {
  const day = new Date(clinicDeps.now() + days * DAY_MS).toISOString().slice(0, 10);
  const outcome = await scheduleClosing(clinicDeps, administrator, { closes_on: day, business: name });
  if (outcome.kind !== 'closes') throw new Error(outcome.kind);
  return day;
}

const listClosingActions = async (clinicDeps: Deps) =>
  (
    await clinicDeps.db.$client
      .prepare("SELECT action FROM audit_events WHERE action LIKE 'closing.%' ORDER BY seq")
      .all()
  ).results;

describe('closing an account', () => {
  it('stops new charges at once, mails the administrators, and allows charges again when undone', async () => {
    const world = await makeSettledClinic(1);
    const { clinicDeps, accountId, payId, mails, administrator } = world;
    expect((await viewLink(clinicDeps, payId)) as object).toMatchObject({ kind: 'ready' });
    const day = await requestClosing(world);
    expect(await viewClosing(clinicDeps, accountId)).toMatchObject({
      closes_on: day,
      asked_by: '7@maple.example',
      stood: [],
    });
    expect((await viewLink(clinicDeps, payId)) as object).toMatchObject({ kind: 'closing' });
    expect(await viewOnlineBlock(clinicDeps, accountId)).toEqual({ online_off: 'closing', closes_on: day });
    expect(await takePayment(clinicDeps, payId, paymentForm(), { clientIp: null })).toEqual({ kind: 'closing' });
    expect(await clinicDeps.db.$client.prepare('SELECT count(*) AS n FROM payment_attempts').first('n')).toBe(1);
    const due = await clinicDeps.db.$client
      .prepare("SELECT id FROM outbox WHERE kind = 'closing' ORDER BY id")
      .all<{ id: string }>();
    for (const { id } of due.results) expect(await sendMail(clinicDeps, id)).toBe('sent');
    expect(mails.slice(-2).map(({ to }) => to)).toEqual(['7@maple.example', '8@maple.example']);
    expect(mails.at(-1)?.text).toContain('No new payments are taken from now on.');
    expect(mails.at(-1)?.text).toContain('Afterwards, uninstall the app in your CRM');
    expect(mails.at(-1)?.text).toContain('/account/records');

    expect(await scheduleClosing(clinicDeps, administrator, { closes_on: day, business: world.name })).toEqual({
      kind: 'closes-already',
    });
    expect(await undoClosing(clinicDeps, admin(accountId, 9))).toBe(false);
    expect(await undoClosing(clinicDeps, admin(accountId, 8))).toBe(true);
    expect(await undoClosing(clinicDeps, administrator)).toBe(false);
    expect(await viewClosing(clinicDeps, accountId)).toMatchObject({ closes_on: null });
    expect((await takePayment(clinicDeps, payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
    expect(await listClosingActions(clinicDeps)).toEqual([
      { action: 'closing.asked-for' },
      { action: 'closing.taken-back' },
    ]);
  });

  it('requires the account’s name, a day 7 to 90 days ahead, and an administrator', async () => {
    const { clinicDeps, administrator, name, accountId } = await makeSettledClinic();
    const dayIn = (days: number) => new Date(clinicDeps.now() + days * DAY_MS).toISOString().slice(0, 10);
    expect(await scheduleClosing(clinicDeps, administrator, { closes_on: dayIn(30), business: 'Elm' })).toMatchObject({
      kind: 'other-name',
    });
    for (const day of [dayIn(1), dayIn(95), '2026-02-31'])
      expect((await scheduleClosing(clinicDeps, administrator, { closes_on: day, business: name })).kind, day).toBe(
        'other-day',
      );
    const refusedOutcome = await scheduleClosing(clinicDeps, admin(accountId, 9), {
      closes_on: dayIn(30),
      business: name,
    });
    expect(refusedOutcome).toEqual({ kind: 'forbidden' });
    expect(await listClosingActions(clinicDeps)).toEqual([]);
    expect(await clinicDeps.db.$client.prepare('SELECT closes_at FROM accounts').first('closes_at')).toBeNull();
  });

  it('erases the account on the night of its closing day, not before, and keeps the evidence', async () => {
    const world = await makeSettledClinic();
    const { clinicDeps, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T05:00:00Z`);
    await closeDueAccount(clinicDeps);
    expect(await findClinic(installation.installation, accountId)).toBe(clinicDeps.clinic);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    await runJobs(clinicDeps, { closing: CLINIC_STEPS.closing ?? (async () => undefined) });
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();
    const evidence = await env.MEDIA.get(`kept/${clinicDeps.clinic}/manifest.json`);
    expect((await evidence?.json<{ ledgerCents: number }>())?.ledgerCents).toBe(18_400);
    await runInDurableObject(env.CLINICS.getByName(String(clinicDeps.clinic)), async (_, { storage }) => {
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  it('waits while money may still move, reports why, and retries the next day', async () => {
    const world = await makeSettledClinic();
    const { clinicDeps, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    installation.gateway.listBatches = async () => [{ status: 'open', salesCount: 1, refundCount: 0 } as never];
    await closeDueAccount(clinicDeps);
    expect(await viewClosing(clinicDeps, accountId)).toMatchObject({ closes_on: day, stood: ['1 batches are open'] });
    installation.gateway.listBatches = async () => [];
    await closeDueAccount(clinicDeps);
    expect(await findClinic(installation.installation, accountId)).toBe(clinicDeps.clinic);
    clock.now += DAY_MS;
    await closeDueAccount(clinicDeps);
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();
  });

  it('is finished by the cron if the erasure was interrupted, without touching a live clinic', async () => {
    const world = await makeSettledClinic();
    const { clinicDeps, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    const list = () => Promise.reject(new Error('died'));
    const backups = { ...installation.backups, list } as unknown as R2Bucket;
    await expect(closeDueAccount({ ...clinicDeps, backups })).rejects.toThrow('died');
    expect(await findClinic(installation.installation, accountId)).toBe(clinicDeps.clinic);
    clock.now += 60 * 60_000;
    await finishErasures(installation);
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();

    const otherWorld = await makeSettledClinic();
    await env.MEDIA.put(
      `kept/${otherWorld.clinicDeps.clinic}/manifest.json`,
      JSON.stringify({ at: otherWorld.clock.now, foundedAt: 1 }),
    );
    otherWorld.clock.now += 60 * 60_000;
    await finishErasures(otherWorld.installation);
    expect(await findClinic(otherWorld.installation.installation, otherWorld.accountId)).toBe(
      otherWorld.clinicDeps.clinic,
    );
  });
});
