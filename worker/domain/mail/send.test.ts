import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { startRandom } from '#tests/support/random';
import { testSettings } from '#tests/support/unit/settings';
import { declinedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { control, sandboxUrl } from '#tests/support/wire';
import { listDueMail, queueMail, receiptMailId } from '#worker/data/mail/outbox';
import { createDeps, type Env } from '#worker/deps';
import { takePayment } from '#worker/domain/payments/take-payment';
import { runSchedule } from '../run-schedule.ts';
import { sendMail } from './send.ts';

const HOUR = 3_600_000;

const sendReceipt = ({ deps }: World, attemptId: string) => sendMail(deps, receiptMailId(attemptId));

async function makePayment(world: World) {
  await takePayment(world.deps, world.payId, paymentForm(), { clientIp: `ip-${world.accountId}` });
  const [attempt] = await world.attempts();
  if (!attempt) throw new Error('no attempt');
  return attempt;
}
const rowOf = async (world: World, attemptId: string) =>
  (await world.outbox()).find((row) => row.attemptId === attemptId);

describe('a receipt due for a payment', () => {
  it('is sent once, to the address the CRM had at the time of payment', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    if (world.crm.invoice) world.crm.invoice.contact.email = 'other@example.test';
    await sendReceipt(world, attempt.id);
    await sendReceipt(world, attempt.id);
    await runSchedule(world.deps);
    expect(world.mails).toMatchObject([{ to: 'marta@example.test', idempotencyKey: `receipt-${attempt.id}` }]);
    expect(await rowOf(world, attempt.id)).toMatchObject({ state: 'sent', sentAt: world.clock.now });
  });

  it('is sent once by many concurrent senders', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    await Promise.all(Array.from({ length: 10 }, () => sendReceipt(world, attempt.id)));
    expect(world.mails).toHaveLength(1);
  });

  it('is retried after pauses that double from half a minute, and is sent once the service is back', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    const { send } = world.deps.mailer;
    let tries = 0;
    world.deps.mailer.send = () => {
      tries++;
      return Promise.reject(new Error('mail HTTP 503'));
    };
    const pauses: number[] = [];
    for (let n = 0; n < 5; n++) {
      await runSchedule(world.deps);
      const row = await rowOf(world, attempt.id);
      pauses.push((row?.nextTryAt ?? 0) - world.clock.now);
      world.clock.now += (pauses.at(-1) ?? 0) - 1;
      await runSchedule(world.deps);
      expect(tries).toBe(n + 1);
      world.clock.now += 1;
    }
    expect(pauses).toEqual([30_000, 60_000, 120_000, 240_000, 480_000]);
    world.deps.mailer.send = send;
    await runSchedule(world.deps);
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(1);
    expect(new Set(world.mails.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('is given up after twelve tries, with an alert to the operator', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    let tries = 0;
    world.deps.mailer.send = () => {
      tries++;
      return Promise.reject(new Error('mail HTTP 503'));
    };
    const startedAt = world.clock.now;
    let lastPause = 0;
    for (let n = 0; n < 20; n++) {
      await runSchedule(world.deps);
      const row = await rowOf(world, attempt.id);
      if (row?.state !== 'due') break;
      lastPause = row.nextTryAt - world.clock.now;
      world.clock.now = row.nextTryAt;
    }
    expect(tries).toBe(12);
    expect(lastPause).toBe(6 * HOUR);
    // The mail service remembers an email's key for a day: a later try could send it twice.
    expect(world.clock.now - startedAt).toBeLessThan(23 * HOUR);
    expect((await rowOf(world, attempt.id))?.state).toBe('failed');
    expect(world.logs).toContain('ALERT mail-given-up');
    world.clock.now += 48 * HOUR;
    await runSchedule(world.deps);
    expect(tries).toBe(12);
  });

  it('is not retried when the service refuses the address, and alerts the operator', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    let tries = 0;
    world.deps.mailer.send = async () => {
      tries++;
      return 'refused';
    };
    for (let n = 0; n < 3; n++) {
      await runSchedule(world.deps);
      world.clock.now += 12 * HOUR;
    }
    expect(tries).toBe(1);
    expect(world.logs).toContain('ALERT mail-refused');
    expect((await rowOf(world, attempt.id))?.state).toBe('failed');
  });

  it('is sent again with the same key if the sender was interrupted after sending', async () => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    const { send } = world.deps.mailer;
    world.deps.mailer.send = async (mail) => {
      await send(mail);
      throw new Error('the Worker is gone');
    };
    await sendReceipt(world, attempt.id);
    world.deps.mailer.send = send;
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(1);
    world.clock.now += 30_000;
    await runSchedule(world.deps);
    const [first, second] = world.mails;
    expect(world.mails).toHaveLength(2);
    expect(second).toEqual(first);
  });

  it.each([
    ['is not sent again once its key is forgotten', 24 * HOUR, 1, 'failed', 0],
    ['is sent with the same key before that', 24 * HOUR - 1, 1, 'sent', 1],
    ['is sent when it became due after the restore', 24 * HOUR, 0, 'sent', 1],
  ])('%s, when a restore may have lost the record of sending', async (_, pause, restoredAfter, state, mails) => {
    const world = await makeWorld();
    const attempt = await makePayment(world);
    world.deps.settings.RESTORED_AT = ((await rowOf(world, attempt.id))?.createdAt ?? 0) + restoredAfter;
    world.clock.now += pause;
    await sendReceipt(world, attempt.id);
    expect(world.mails).toHaveLength(mails);
    expect((await rowOf(world, attempt.id))?.state).toBe(state);
  });

  it('does not delay another payment’s receipt when it fails', async () => {
    const [failingWorld, workingWorld] = [await makeWorld(), await makeWorld()];
    const failingAttempt = await makePayment(failingWorld);
    await makePayment(workingWorld);
    const sentKeys: string[] = [];
    workingWorld.deps.mailer.send = async (mail) => {
      if (mail.idempotencyKey.endsWith(failingAttempt.id)) throw new Error('mail HTTP 500');
      sentKeys.push(mail.idempotencyKey);
      return 'sent';
    };
    await runSchedule(workingWorld.deps);
    expect(sentKeys).toHaveLength(1);
  });

  it('is not due without a payment or without an address', async () => {
    const unpaidWorld = await makeWorld();
    unpaidWorld.gateway.script.charge = declinedOutcome;
    await makePayment(unpaidWorld);
    const worldWithoutAddress = await makeWorld();
    if (worldWithoutAddress.crm.invoice) worldWithoutAddress.crm.invoice.contact.email = '';
    await makePayment(worldWithoutAddress);
    for (const world of [unpaidWorld, worldWithoutAddress]) {
      const [attempt] = await world.attempts();
      await sendReceipt(world, attempt?.id ?? '');
      await runSchedule(world.deps);
      expect(world.mails).toEqual([]);
      expect(await rowOf(world, attempt?.id ?? '')).toBeUndefined();
    }
  });
});

describe('a hundred emails whose senders are killed midway', () => {
  it('arrive exactly once each, at no other address', async () => {
    const { random } = startRandom();
    const world = await makeWorld();
    const { id: attemptId } = await makePayment(world);
    const idPrefix = crypto.randomUUID().slice(0, 8);
    const mails = Array.from({ length: 100 }, (_, n) => ({
      id: `${idPrefix}-${n}`,
      recipient: `${idPrefix}-${n}@payer.example`,
    }));
    for (const mail of mails)
      await queueMail(world.db, { ...mail, kind: 'receipt', attemptId, accountId: world.accountId }, 0);
    const { mailer } = createDeps({ ...env, ...testSettings(sandboxUrl()) } as unknown as Env);
    world.deps.mailer.send = async (mail) => {
      const failure = random.below(4);
      if (failure === 0) throw new Error('killed before the mail left');
      const result = await mailer.send(mail);
      if (failure === 1) throw new Error('killed with the mail out');
      return result;
    };
    const dueMails = () => world.db.$client.prepare("SELECT id FROM outbox WHERE state = 'due'").all();
    while ((await dueMails()).results.length > 0) {
      await Promise.all([runSchedule(world.deps), runSchedule(world.deps)]);
      world.clock.now += 6 * HOUR;
    }
    const allMails = await control<{ to: string[] }[]>('mail');
    const arrivedAddresses = allMails.flatMap(({ to }) => to).filter((to) => to.startsWith(idPrefix));
    expect(arrivedAddresses.sort()).toEqual(mails.map(({ recipient }) => recipient).sort());
  });
});

describe('the outbox', () => {
  it('sends receipts before links that have waited longer', async () => {
    const { db, accountId, clock } = await makeWorld();
    const mail = { recipient: 'a@example.test', accountId };
    await queueMail(db, { ...mail, id: `link-${accountId}`, kind: 'pay-link' }, clock.now - 60_000);
    await queueMail(db, { ...mail, id: `receipt-${accountId}`, kind: 'receipt' }, clock.now);
    const due = await listDueMail(db, clock.now, 50);
    expect(due.map(({ id }) => id)).toEqual([`receipt-${accountId}`, `link-${accountId}`]);
  });
});
