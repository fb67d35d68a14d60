import { describe, expect, it } from 'vitest';
import type { Delivery } from '#shared/contracts/lists/mail-values';
import { mailEventBody, signedHeaders } from '#tests/support/mail-news';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld, type World } from '#tests/support/unit/world';
import { queueMail } from '#worker/data/mail/outbox';
import { takePayment } from '#worker/domain/payments/take-payment';
import { checkMailDelivery, handleMailWebhook } from './delivery.ts';
import { sendMail } from './send.ts';

const DAY = 86_400_000;
const queryAll = async <T>(world: World, sql: string) => (await world.db.$client.prepare(sql).all<T>()).results;
type Row = { id: string; state: string; delivery: Delivery | null; provider_id: string | null; ask_at: number | null };
const readMails = (world: World) =>
  queryAll<Row>(world, 'SELECT id, state, delivery, provider_id, ask_at FROM outbox ORDER BY id');
const readBadAddresses = (world: World) =>
  queryAll<{ address: string; why: string }>(world, 'SELECT address, why FROM mail_addresses ORDER BY address');

/** Sends one email to each address; the mail service accepts them all. */
async function sendMails(world: World, ...recipients: string[]) {
  world.deps.mailer.send = async ({ idempotencyKey }) => ({ id: `em-${idempotencyKey}` });
  const ids = recipients.map((_, n) => `sign-up-${n}`);
  for (const [n, recipient] of recipients.entries()) {
    const details = { url: 'https://provider.example/a' };
    const mail = { id: ids[n] ?? '', kind: 'staff-removed' as const, recipient, accountId: world.accountId, details };
    await queueMail(world.db, mail, world.clock.now);
    expect(await sendMail(world.deps, mail.id)).toBe('sent');
  }
  return ids;
}

type MailEvent = { type: string; at: number; mail: string; more?: object; id?: string };
async function sendEvent(world: World, { id, ...event }: MailEvent) {
  const body = mailEventBody({ ...event, clinic: world.deps.clinic, providerId: `em-${event.mail}` });
  const headers = signedHeaders(body, { now: world.clock.now, ...(id && { id }) });
  const signed = { id: headers['svix-id'], timestamp: headers['svix-timestamp'], signature: headers['svix-signature'] };
  return handleMailWebhook(world.installation, signed, new TextEncoder().encode(body));
}
const PERMANENT = { more: { bounce: { type: 'Permanent' } } };
const TRANSIENT = { more: { bounce: { type: 'Transient' } } };

describe('an email accepted by the mail service', () => {
  it('counts as accepted, not delivered, until an event reports its delivery', async () => {
    const world = await makeWorld();
    const [mail = ''] = await sendMails(world, 'ana@payer.example');
    expect(await readMails(world)).toMatchObject([{ state: 'sent', delivery: 'accepted', provider_id: `em-${mail}` }]);
    expect(await sendEvent(world, { type: 'email.delivered', at: 5, mail })).toBe('heard');
    expect(await readMails(world)).toMatchObject([{ delivery: 'delivered' }]);
  });

  it('is found by its tag and counts as sent when the service’s answer was lost', async () => {
    const world = await makeWorld();
    world.deps.mailer.send = () => Promise.reject(new Error('lost'));
    await queueMail(
      world.db,
      { id: 'gone-1', kind: 'staff-removed', recipient: 'ana@payer.example', accountId: world.accountId },
      world.clock.now,
    );
    expect(await sendMail(world.deps, 'gone-1')).toBe('queued');
    await sendEvent(world, { type: 'email.delivered', at: world.clock.now, mail: 'gone-1' });
    expect(await readMails(world)).toMatchObject([{ state: 'sent', delivery: 'delivered', provider_id: 'em-gone-1' }]);
  });

  it('keeps an event that arrived before the service’s answer', async () => {
    const world = await makeWorld();
    world.deps.mailer.send = async () => {
      await sendEvent(world, { type: 'email.delivered', at: world.clock.now, mail: 'fast-1' });
      return { id: 'em-fast-1' };
    };
    const mail = { id: 'fast-1', kind: 'staff-removed' as const, recipient: 'a@b.example', accountId: world.accountId };
    await queueMail(world.db, mail, world.clock.now);
    await sendMail(world.deps, mail.id);
    expect(await readMails(world)).toMatchObject([{ state: 'sent', delivery: 'delivered' }]);
  });

  it('ignores an event for another email with the same tag', async () => {
    const world = await makeWorld();
    const [mail = ''] = await sendMails(world, 'ana@payer.example');
    const body = mailEventBody({
      type: 'email.bounced',
      mail,
      clinic: world.deps.clinic,
      providerId: 'other',
      ...PERMANENT,
    });
    const {
      'svix-id': id,
      'svix-timestamp': timestamp,
      'svix-signature': signature,
    } = signedHeaders(body, {
      now: world.clock.now,
    });
    await handleMailWebhook(world.installation, { id, timestamp, signature }, new TextEncoder().encode(body));
    expect(await readMails(world)).toMatchObject([{ delivery: 'accepted' }]);
    expect(await readBadAddresses(world)).toEqual([]);
  });

  it('has a repeated event recorded once and is not changed by unknown event types or unknown emails', async () => {
    const world = await makeWorld();
    const [mail = ''] = await sendMails(world, 'ana@payer.example');
    for (let n = 0; n < 3; n++) await sendEvent(world, { type: 'email.delivered', at: 5, mail, id: 'msg-1' });
    await sendEvent(world, { type: 'email.something_new', at: 6, mail });
    expect(await sendEvent(world, { type: 'email.bounced', at: 7, mail: 'nobody', ...PERMANENT })).toBe('heard');
    expect(await queryAll(world, 'SELECT mail_id, type, at FROM mail_events ORDER BY at')).toEqual([
      { mail_id: mail, type: 'email.delivered', at: 5 },
      { mail_id: mail, type: 'email.something_new', at: 6 },
      { mail_id: 'nobody', type: 'email.bounced', at: 7 },
    ]);
    expect(await readMails(world)).toMatchObject([{ delivery: 'delivered' }]);
  });
});

describe('a recipient’s address', () => {
  const MARTA = 'Marta@Payer.example';
  it.each([
    ['email.bounced', PERMANENT, 'bounced'],
    ['email.complained', {}, 'complained'],
    ['email.suppressed', {}, 'suppressed'],
  ])('is marked as bad by %s', async (type, details, reason) => {
    const world = await makeWorld();
    const [mail = ''] = await sendMails(world, MARTA);
    await sendEvent(world, { type, at: 5, mail, ...details });
    expect(await readBadAddresses(world)).toEqual([{ address: MARTA.toLowerCase(), why: reason }]);
  });

  it('is not marked as bad by a full mailbox or a service failure', async () => {
    const world = await makeWorld();
    const [mail = ''] = await sendMails(world, MARTA);
    await sendEvent(world, { type: 'email.bounced', at: 5, mail, ...TRANSIENT });
    await sendEvent(world, { type: 'email.failed', at: 6, mail });
    expect(await readBadAddresses(world)).toEqual([]);
  });

  it('is marked as good again after a later delivery, unless its owner complained', async () => {
    const world = await makeWorld();
    const [one = '', two = ''] = await sendMails(world, MARTA, 'marta@payer.example');
    await sendEvent(world, { type: 'email.bounced', at: 5, mail: one, ...PERMANENT });
    await sendEvent(world, { type: 'email.delivered', at: 9, mail: two });
    expect(await readBadAddresses(world)).toEqual([]);
    await sendEvent(world, { type: 'email.complained', at: 7, mail: one });
    await sendEvent(world, { type: 'email.delivered', at: 12, mail: two });
    expect(await readBadAddresses(world)).toMatchObject([{ why: 'complained' }]);
  });
});

describe('a receipt without a delivery event for a day', () => {
  async function sendReceipt(world: World) {
    world.deps.mailer.send = async () => ({ id: 'em-r' });
    const mail = { id: 'r-1', kind: 'receipt' as const, recipient: 'ana@payer.example', accountId: world.accountId };
    await queueMail(world.db, mail, world.clock.now);
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
    const [attempt] = await world.attempts();
    await world.db.$client.prepare('UPDATE outbox SET attempt_id = ? WHERE id = ?').bind(attempt?.id, 'r-1').run();
    expect(await sendMail(world.deps, 'r-1')).toBe('sent');
  }
  const trackQueries = (world: World, queried: string[]) => {
    const lastEvent = { type: 'delivered', delivery: 'delivered' as const, isFinal: false };
    world.deps.mailTracking = {
      read: async () => 'off' as const,
      readLastEvent: async (id) => {
        queried.push(id);
        return lastEvent;
      },
    };
  };

  it('is looked up at the mail service once', async () => {
    const world = await makeWorld();
    await sendReceipt(world);
    const queried: string[] = [];
    trackQueries(world, queried);
    await checkMailDelivery(world.deps);
    expect(queried).toEqual([]);
    world.clock.now += DAY;
    await checkMailDelivery(world.deps);
    await checkMailDelivery(world.deps);
    expect(queried).toEqual(['em-r']);
    expect((await readMails(world)).find(({ id }) => id === 'r-1')).toMatchObject({
      delivery: 'delivered',
      ask_at: null,
    });
  });

  it('is not looked up once its delivery was reported', async () => {
    const world = await makeWorld();
    await sendReceipt(world);
    const body = mailEventBody({ type: 'email.delivered', mail: 'r-1', clinic: world.deps.clinic, providerId: 'em-r' });
    const headers = signedHeaders(body, { now: world.clock.now });
    const signed = {
      id: headers['svix-id'],
      timestamp: headers['svix-timestamp'],
      signature: headers['svix-signature'],
    };
    expect(await handleMailWebhook(world.installation, signed, new TextEncoder().encode(body))).toBe('heard');
    const queried: string[] = [];
    trackQueries(world, queried);
    world.clock.now += 2 * DAY;
    await checkMailDelivery(world.deps);
    expect(queried).toEqual([]);
  });
});
