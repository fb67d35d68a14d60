import { afterEach, expect, it, vi } from 'vitest';
import { createResend } from '#worker/vendors/resend/resend';
import { answerOf, fetchFrom, quietWorld } from '../straight-line.ts';
import type { WireRequest } from '../vendor.ts';
import { createMail, type MailFault } from './mail.ts';

const service = { baseUrl: 'https://mail.example', apiKey: 're_key' };

afterEach(() => vi.unstubAllGlobals());

function worldOf() {
  const world = quietWorld();
  const mails = createMail(world, service);
  vi.stubGlobal('fetch', fetchFrom(world, mails, 10_000));
  return {
    world,
    mails,
    resend: createResend({ ...service, from: 'Tillway <us@tillway.example>', timeoutMs: 60_000 }),
  };
}

const letter = (more: object = {}) => ({
  to: 'ana@payer.example',
  subject: 'Receipt',
  text: 'Paid',
  html: '<p>Paid</p>',
  idempotencyKey: 'receipt-1',
  clinic: 1,
  ...more,
});

it('sends a mail once for repeated requests under one key', async () => {
  const { mails, resend } = worldOf();
  expect([await resend.send(letter()), await resend.send(letter())]).toEqual([{ id: 'mail-1' }, { id: 'mail-1' }]);
  expect(mails.truth()).toMatchObject([{ key: 'receipt-1', to: ['ana@payer.example'], subject: 'Receipt' }]);
});

it('sends no different text under a used key', async () => {
  const { mails, resend } = worldOf();
  await resend.send(letter());
  expect(await resend.send(letter({ text: 'Refunded' }))).toBe('sent');
  expect(mails.truth().map(({ text }) => text)).toEqual(['Paid']);
});

it('forgets a key after a day', async () => {
  const { world, mails, resend } = worldOf();
  await resend.send(letter());
  world.pass(24 * 3_600_000);
  await resend.send(letter());
  expect(mails.truth()).toHaveLength(2);
});

it('sends two mails for two keys', async () => {
  const { mails, resend } = worldOf();
  await resend.send(letter());
  await resend.send(letter({ idempotencyKey: 'receipt-2' }));
  expect(mails.truth().map(({ key }) => key)).toEqual(['receipt-1', 'receipt-2']);
});

it.each(['silent', '500', 'html-502', '429', '403'] satisfies MailFault[])(
  'sends and loses nothing when it fails before reading the request: %s',
  async (fault) => {
    const { mails, resend } = worldOf();
    mails.fail(fault, { calls: 1 });
    await expect(resend.send(letter())).rejects.toThrow();
    expect(mails.truth()).toEqual([]);
    expect(await resend.send(letter())).toEqual({ id: 'mail-1' });
    expect(mails.truth()).toHaveLength(1);
  },
);

it('does not send a mail again after sending it and answering 500', async () => {
  const { mails, resend } = worldOf();
  mails.fail('500-after', { calls: 1 });
  await expect(resend.send(letter())).rejects.toThrow();
  expect(mails.truth()).toHaveLength(1);
  expect(await resend.send(letter())).toEqual({ id: 'mail-1' });
  expect(mails.truth()).toHaveLength(1);
});

it('refuses a mail without a valid address, and one it answers with 422', async () => {
  const { mails, resend } = worldOf();
  expect(await resend.send(letter({ to: 'nobody' }))).toBe('refused');
  mails.fail('422', { calls: 1 });
  expect(await resend.send(letter())).toBe('refused');
  expect(mails.truth()).toEqual([]);
});

it('refuses a second request under a key while the first is under way', () => {
  const { world, mails } = worldOf();
  const request: WireRequest = {
    method: 'POST',
    url: new URL(`${service.baseUrl}/emails`),
    headers: new Headers({ authorization: `Bearer ${service.apiKey}`, 'idempotency-key': 'receipt-1' }),
    body: JSON.stringify({ from: 'us@tillway.example', to: ['ana@payer.example'], subject: 'Receipt', text: 'Paid' }),
  };
  const first = mails.receive(request);
  expect(mails.receive(request)).toMatchObject({ status: 409 });
  if (!('run' in first)) throw new Error('answered at once');
  expect(first.run()).toMatchObject({ status: 200 });
  expect(answerOf(world, mails, request)).toMatchObject({ status: 200 });
  expect(mails.truth()).toHaveLength(1);
});

it('accepts no mail without the right API key', async () => {
  const { mails } = worldOf();
  const stranger = createResend({ ...service, apiKey: 'guessed', from: 'us@tillway.example', timeoutMs: 60_000 });
  await expect(stranger.send(letter())).rejects.toThrow('mail HTTP 403');
  expect(mails.truth()).toEqual([]);
});
