import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type ClinicWorld, clinicWorld, pay, useObjects } from '#tests/support/operate-world';
import { paymentForm } from '#tests/support/pay-form';
import { findClinic } from '#worker/data/directory/clinics';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { viewOnlineBlock } from '#worker/domain/offer';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS, runJobs } from '#worker/domain/run-schedule';
import { closeDue, finishErasures, scheduleClosing, undoClosing, viewClosing } from './closing.ts';

useObjects();

const DAY_MS = 86_400_000;
const admin = (accountId: number, userId = 7) =>
  ({ sessionId: 's', accountId, userId, role: 'admin' }) as Parameters<typeof undoClosing>[1];

/** A clinic with an administrator, whose payments are long settled. */
async function settled(days = 100): Promise<ClinicWorld & { you: ReturnType<typeof admin> }> {
  const world = await clinicWorld();
  const { own, accountId, clock } = world;
  await pay(world, 1);
  for (const [id, role] of [
    [7, 'admin'],
    [8, 'admin'],
    [9, 'desk'],
  ] as const)
    await own.db.$client
      .prepare('INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, ?, ?, ?, 1)')
      .bind(accountId, id, `${id}@maple.example`, role)
      .run();
  clock.now += days * DAY_MS;
  return { ...world, you: admin(accountId) };
}

async function requestClosing({ own, you, name }: Awaited<ReturnType<typeof settled>>, days = 30): Promise<string> {
  const day = new Date(own.now() + days * DAY_MS).toISOString().slice(0, 10);
  const outcome = await scheduleClosing(own, you, { closes_on: day, business: name });
  if (outcome.kind !== 'closes') throw new Error(outcome.kind);
  return day;
}

const actions = async (own: Deps) =>
  (await own.db.$client.prepare("SELECT action FROM audit_events WHERE action LIKE 'closing.%' ORDER BY seq").all())
    .results;

describe('closing an account', () => {
  it('stops new charges at once, mails the administrators, and allows charges again when undone', async () => {
    const world = await settled(1);
    const { own, accountId, payId, mails, you } = world;
    expect((await viewLink(own, payId)) as object).toMatchObject({ kind: 'ready' });
    const day = await requestClosing(world);
    expect(await viewClosing(own, accountId)).toMatchObject({
      closes_on: day,
      asked_by: '7@maple.example',
      stood: [],
    });
    expect((await viewLink(own, payId)) as object).toMatchObject({ kind: 'closing' });
    expect(await viewOnlineBlock(own, accountId)).toEqual({ online_off: 'closing', closes_on: day });
    expect(await takePayment(own, payId, paymentForm(), { clientIp: null })).toEqual({ kind: 'closing' });
    expect(await own.db.$client.prepare('SELECT count(*) AS n FROM payment_attempts').first('n')).toBe(1);
    const due = await own.db.$client
      .prepare("SELECT id FROM outbox WHERE kind = 'closing' ORDER BY id")
      .all<{ id: string }>();
    for (const { id } of due.results) expect(await sendMail(own, id)).toBe('sent');
    expect(mails.slice(-2).map(({ to }) => to)).toEqual(['7@maple.example', '8@maple.example']);
    expect(mails.at(-1)?.text).toContain('No new payments are taken from now on.');
    expect(mails.at(-1)?.text).toContain('Afterwards, uninstall the app in your CRM');
    expect(mails.at(-1)?.text).toContain('/account/records');

    expect(await scheduleClosing(own, you, { closes_on: day, business: world.name })).toEqual({
      kind: 'closes-already',
    });
    expect(await undoClosing(own, admin(accountId, 9))).toBe(false);
    expect(await undoClosing(own, admin(accountId, 8))).toBe(true);
    expect(await undoClosing(own, you)).toBe(false);
    expect(await viewClosing(own, accountId)).toMatchObject({ closes_on: null });
    expect((await takePayment(own, payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
    expect(await actions(own)).toEqual([{ action: 'closing.asked-for' }, { action: 'closing.taken-back' }]);
  });

  it('requires the account’s name, a day 7 to 90 days ahead, and an administrator', async () => {
    const { own, you, name, accountId } = await settled();
    const dayIn = (days: number) => new Date(own.now() + days * DAY_MS).toISOString().slice(0, 10);
    expect(await scheduleClosing(own, you, { closes_on: dayIn(30), business: 'Elm' })).toMatchObject({
      kind: 'other-name',
    });
    for (const day of [dayIn(1), dayIn(95), '2026-02-31'])
      expect((await scheduleClosing(own, you, { closes_on: day, business: name })).kind, day).toBe('other-day');
    const other = await scheduleClosing(own, admin(accountId, 9), { closes_on: dayIn(30), business: name });
    expect(other).toEqual({ kind: 'forbidden' });
    expect(await actions(own)).toEqual([]);
    expect(await own.db.$client.prepare('SELECT closes_at FROM accounts').first('closes_at')).toBeNull();
  });

  it('erases the account on the night of its day, not before, and keeps the evidence', async () => {
    const world = await settled();
    const { own, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T05:00:00Z`);
    await closeDue(own);
    expect(await findClinic(installation.installation, accountId)).toBe(own.clinic);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    await runJobs(own, { closing: CLINIC_STEPS.closing ?? (async () => undefined) });
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();
    const evidence = await env.MEDIA.get(`kept/${own.clinic}/manifest.json`);
    expect((await evidence?.json<{ ledgerCents: number }>())?.ledgerCents).toBe(18_400);
    await runInDurableObject(env.CLINICS.getByName(String(own.clinic)), async (_, { storage }) => {
      expect(await storage.getAlarm()).toBeNull();
    });
  });

  it('waits while money may still move, reports why, and retries the next day', async () => {
    const world = await settled();
    const { own, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    installation.gateway.listBatches = async () => [{ status: 'open', salesCount: 1, refundCount: 0 } as never];
    await closeDue(own);
    expect(await viewClosing(own, accountId)).toMatchObject({ closes_on: day, stood: ['1 batches are open'] });
    installation.gateway.listBatches = async () => [];
    await closeDue(own);
    expect(await findClinic(installation.installation, accountId)).toBe(own.clinic);
    clock.now += DAY_MS;
    await closeDue(own);
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();
  });

  it('is finished by the cron when the erasure died midway, without touching a live clinic', async () => {
    const world = await settled();
    const { own, accountId, clock, installation } = world;
    const day = await requestClosing(world, 8);
    clock.now = Date.parse(`${day}T07:00:00Z`);
    const list = () => Promise.reject(new Error('died'));
    const backups = { ...installation.backups, list } as unknown as R2Bucket;
    await expect(closeDue({ ...own, backups })).rejects.toThrow('died');
    expect(await findClinic(installation.installation, accountId)).toBe(own.clinic);
    clock.now += 60 * 60_000;
    await finishErasures(installation);
    expect(await findClinic(installation.installation, accountId)).toBeUndefined();

    const other = await settled();
    await env.MEDIA.put(
      `kept/${other.own.clinic}/manifest.json`,
      JSON.stringify({ at: other.clock.now, foundedAt: 1 }),
    );
    other.clock.now += 60 * 60_000;
    await finishErasures(other.installation);
    expect(await findClinic(other.installation.installation, other.accountId)).toBe(other.own.clinic);
  });
});
