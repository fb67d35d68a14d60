import { afterEach, describe, expect, it, vi } from 'vitest';
import { mailEventBody, signatureOf } from '#tests/support/mail-news';
import type { MailEvent, SignatureHeaders } from './port.ts';
import { createMailTracking } from './resend.ts';

const NOW = Date.UTC(2026, 10, 23, 12, 0, 0);
const [KEY, OLD, OTHER] = ['a', 'b', 'c'].map((char) => `whsec_${btoa(char.repeat(32))}`) as [string, string, string];

const trackingFor = (secrets: string) =>
  createMailTracking({ MAIL_API_BASE: 'http://127.0.0.1:1', MAIL_API_KEY: 'k', MAIL_WEBHOOK_SECRET: secrets });
const makeEvent = (type: string, more: object = {}) =>
  mailEventBody({ type, at: NOW - 2000, mail: 'receipt-1', clinic: 7, more });
const sign = (body: string, secret = KEY, overrides: Partial<SignatureHeaders> = {}): SignatureHeaders => {
  const [id, timestamp] = [overrides.id ?? 'msg_1', overrides.timestamp ?? String(NOW / 1000)];
  return { id, timestamp, signature: overrides.signature ?? signatureOf(secret, id, timestamp, body) };
};
const readWebhook = (body: string, signed = sign(body), secrets = KEY) =>
  trackingFor(secrets).read(signed, new TextEncoder().encode(body), NOW);

describe('a mail service webhook', () => {
  const body = makeEvent('email.delivered');

  it('is read when signed with our secret', async () => {
    expect(await readWebhook(body)).toEqual({
      id: 'msg_1',
      type: 'email.delivered',
      delivery: 'delivered',
      isFinal: false,
      providerId: 'em-1',
      at: Date.UTC(2026, 10, 23, 11, 59, 58),
      mail: { clinic: 7, id: 'receipt-1' },
    } satisfies MailEvent);
  });

  it('matches the Standard Webhooks example byte by byte', async () => {
    const secrets = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const payload = '{"test": 2432232314}';
    const signed = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' };
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    const tracking = trackingFor(secrets);
    const at = 1_614_265_330_000;
    expect(await tracking.read({ ...signed, signature }, new TextEncoder().encode(payload), at)).toBe('unreadable');
    expect(await tracking.read({ ...signed, signature }, new TextEncoder().encode(`${payload} `), at)).toBe('forged');
  });

  it.each([
    ['another secret', sign(body, OTHER)],
    ['no signature', sign(body, KEY, { signature: '' })],
    [
      'a signature of another kind',
      sign(body, KEY, { signature: signatureOf(KEY, 'msg_1', NOW / 1000, body).replace('v1', 'v2') }),
    ],
    ['the signature of another message', { ...sign(body), id: 'msg_2' }],
    ['the signature of another time', { ...sign(body), timestamp: String(NOW / 1000 - 1) }],
    ['a cut signature', { ...sign(body), signature: sign(body).signature.slice(0, 20) }],
    ['a time of five minutes and a second ago', sign(body, KEY, { timestamp: String(NOW / 1000 - 301) })],
    ['a time of five minutes and a second ahead', sign(body, KEY, { timestamp: String(NOW / 1000 + 301) })],
    ['a time that is not a number', sign(body, KEY, { timestamp: 'now' })],
    ['no id', sign(body, KEY, { id: '' })],
  ])('is rejected as forged with %s', async (_case, signed) => {
    expect(await readWebhook(body, signed)).toBe('forged');
  });

  it('is valid up to five minutes before and after its time', async () => {
    for (const seconds of [NOW / 1000 - 300, NOW / 1000 + 300])
      expect(await readWebhook(body, sign(body, KEY, { timestamp: String(seconds) }))).toHaveProperty('id');
  });

  it('is valid with any of our secrets and any of its signatures', async () => {
    expect(await readWebhook(body, sign(body, OLD), `${KEY},${OLD}`)).toHaveProperty('id');
    const bothSignatures = `${signatureOf(OTHER, 'msg_1', NOW / 1000, body)} ${signatureOf(KEY, 'msg_1', NOW / 1000, body)}`;
    expect(await readWebhook(body, sign(body, KEY, { signature: bothSignatures }))).toHaveProperty('id');
  });

  it('is not read while no secret is set', async () => {
    expect(await readWebhook(body, sign(body), '')).toBe('off');
  });

  it.each([
    ['email.sent', {}, 'accepted', false],
    ['email.delivery_delayed', {}, 'delayed', false],
    ['email.delivered', {}, 'delivered', false],
    ['email.opened', {}, 'delivered', false],
    ['email.bounced', { bounce: { type: 'Permanent' } }, 'bounced', true],
    ['email.bounced', { bounce: { type: 'Transient' } }, 'bounced', false],
    ['email.failed', { failed: { reason: 'x' } }, 'failed', false],
    ['email.suppressed', {}, 'suppressed', true],
    ['email.complained', {}, 'complained', true],
    ['email.scheduled', {}, null, false],
    ['domain.updated', {}, null, false],
    ['something.new', {}, null, false],
  ])('maps %s with %o to %s', async (type, data, delivery, isFinal) => {
    expect(await readWebhook(makeEvent(type, data))).toMatchObject({ type, delivery, isFinal });
  });

  it('reads our tags as an object or a list, and ignores others', async () => {
    const readTaggedMail = async (tags: unknown) => {
      const result = await readWebhook(makeEvent('email.sent', { tags }));
      return typeof result === 'string' ? result : result.mail;
    };
    const ourTags = { clinic: 0, id: 'alert-1' };
    expect(await readTaggedMail({ mail: 'alert-1', clinic: '0' })).toEqual(ourTags);
    expect(
      await readTaggedMail([
        { name: 'mail', value: 'alert-1' },
        { name: 'clinic', value: '0' },
      ]),
    ).toEqual(ourTags);
    for (const invalid of [null, undefined, {}, [], { mail: 'a' }, { mail: 'a', clinic: '-1' }, 5])
      expect(await readTaggedMail(invalid)).toBeNull();
  });

  it('is unreadable when it is signed but not an event', async () => {
    for (const invalid of ['', 'x', '[]', '{"type":5}']) expect(await readWebhook(invalid)).toBe('unreadable');
  });
});

describe('a mail status query', () => {
  afterEach(() => void vi.unstubAllGlobals());
  const queryStatus = (answer: Response) => {
    vi.stubGlobal('fetch', async () => answer);
    return trackingFor(KEY).readLastEvent('em-1');
  };

  it('returns the last event, and a bounce does not block the address', async () => {
    expect(await queryStatus(Response.json({ last_event: 'delivered' }))).toMatchObject({ delivery: 'delivered' });
    expect(await queryStatus(Response.json({ last_event: 'bounced' }))).toMatchObject({
      delivery: 'bounced',
      isFinal: false,
    });
  });

  it('returns nothing when our key may only send', async () => {
    expect(await queryStatus(Response.json({ name: 'restricted_api_key' }, { status: 401 }))).toBeNull();
    expect(await queryStatus(new Response('x'))).toBeNull();
  });
});
