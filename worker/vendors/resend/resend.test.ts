import { afterEach, describe, expect, it, vi } from 'vitest';
import { mailApiKey } from '#sandbox/credentials';
import { clearFaults, control, sandboxUrl } from '#tests/support/wire';
import type { Mail } from './port.ts';
import { createResend } from './resend.ts';

const createMailer = (overrides: Partial<Parameters<typeof createResend>[0]> = {}) =>
  createResend({
    baseUrl: sandboxUrl(),
    apiKey: mailApiKey,
    from: 'Tillway <receipts@tillway.example>',
    timeoutMs: 5000,
    ...overrides,
  });
const makeMail = (overrides: Partial<Mail> = {}): Mail => {
  const tag = crypto.randomUUID();
  return {
    to: `${tag}@payer.example`,
    subject: 'Receipt',
    text: 'Paid',
    html: '<p>Paid</p>',
    idempotencyKey: tag,
    clinic: 7,
    ...overrides,
  };
};
const readReceived = ({ to }: Mail) =>
  control<{ from: string; reply_to: string; subject: string; text: string; html: string }[]>(
    `mail?to=${encodeURIComponent(to)}`,
  );
const injectFault = (kind: string) => control('faults', { on: 'mail', do: kind });

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

describe('an email', () => {
  it('arrives unchanged, from our address', async () => {
    const message = makeMail({ subject: 'Receipt – Núñez “Studio”', text: 'Größe\nline two' });
    expect(await createMailer().send(message)).toEqual({ id: expect.stringMatching(/^[\w-]{36}$/) });
    expect(await readReceived(message)).toMatchObject([
      {
        from: 'Tillway <receipts@tillway.example>',
        reply_to: '',
        subject: message.subject,
        text: message.text,
        html: message.html,
      },
    ]);
  });

  it.each([
    ['Maple Street Dental via Tillway', 'Maple Street Dental via Tillway'],
    ['Zahnärzte Núñez & Söhne via Tillway', 'Zahnärzte Núñez & Söhne via Tillway'],
    ['Smith, Lee & Co. via Tillway', '"Smith, Lee & Co. via Tillway"'],
    ['Dr. "Bob" <x@y.example> via Tillway', `"Dr. 'Bob' 'x@y.example' via Tillway"`],
    ['Evil\r\nBcc: a@b.example\u2028via Tillway', '"Evil Bcc: a@b.example via Tillway"'],
    ['a\\" <c@d.example>, b', `"a'' 'c@d.example', b"`],
    ['x'.repeat(300), 'x'.repeat(120)],
  ])('arrives from the name %j as %j, with our address', async (senderName, name) => {
    const message = makeMail({ senderName, replyTo: 'front@maple.example' });
    expect(await createMailer().send(message)).toHaveProperty('id');
    expect(await readReceived(message)).toMatchObject([
      { from: `${name} <receipts@tillway.example>`, reply_to: 'front@maple.example' },
    ]);
  });

  it('arrives once when sent twice under one key', async () => {
    const message = makeMail();
    const [first, second] = [await createMailer().send(message), await createMailer().send(message)];
    expect(second).toEqual(first);
    expect(await readReceived(message)).toHaveLength(1);
  });

  it('is not sent again with changed content once it was accepted', async () => {
    const message = makeMail();
    await injectFault('drop-after');
    await expect(createMailer().send(message)).rejects.toThrow();
    expect(await createMailer().send({ ...message, text: 'Refunded' })).toBe('sent');
    expect(await readReceived(message)).toMatchObject([{ text: 'Paid' }]);
  });

  it('is permanently refused for an invalid address', async () => {
    expect(await createMailer().send(makeMail({ to: 'not an address' }))).toBe('refused');
  });

  it.each(['500', '429', 'html-502', 'drop-before', 'redirect', '401-expired'])(
    'can be retried after %s',
    async (kind) => {
      const message = makeMail();
      await injectFault(kind);
      await expect(createMailer().send(message)).rejects.toThrow();
      expect(await readReceived(message)).toEqual([]);
      expect(await createMailer().send(message)).toHaveProperty('id');
    },
  );

  it.each(['drop-after', '500-after'])('arrives once when its reply was lost (%s) and it is retried', async (kind) => {
    const message = makeMail();
    await injectFault(kind);
    await expect(createMailer().send(message)).rejects.toThrow();
    expect(await createMailer().send(message)).toHaveProperty('id');
    expect(await readReceived(message)).toHaveLength(1);
  });

  it('fails with a wrong key, without naming the key or the recipient', async () => {
    const message = makeMail();
    const failure = await createMailer({ apiKey: 're_wrong' }).send(message).catch(String);
    expect(failure).toMatch(/mail HTTP 40[13]/);
    expect(failure).not.toMatch(/re_wrong|payer\.example/);
  });

  it('never puts a subject into an HTTP header', async () => {
    const requests: RequestInit[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      requests.push(init);
      return Response.json({ id: '1' });
    });
    await createMailer().send(makeMail({ subject: 'A\r\nBcc: all@example.com' }));
    const [init] = requests;
    expect([...new Headers(init?.headers).keys()].sort()).toEqual(['authorization', 'content-type', 'idempotency-key']);
    expect(JSON.parse(String(init?.body))).toMatchObject({ subject: 'A\r\nBcc: all@example.com' });
  });

  it('has its id and clinic number as tags, unless the service would reject them', async () => {
    const bodies: unknown[] = [];
    vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
      bodies.push(JSON.parse(String(init.body)));
      return Response.json({ id: '1' });
    });
    await createMailer().send(makeMail({ idempotencyKey: 'receipt-1' }));
    await createMailer().send(makeMail({ idempotencyKey: 'alert-a:b' }));
    const tags = [
      { name: 'mail', value: 'receipt-1' },
      { name: 'clinic', value: '7' },
    ];
    expect(bodies).toEqual([
      expect.objectContaining({ tags }),
      expect.not.objectContaining({ tags: expect.anything() }),
    ]);
  });
});
