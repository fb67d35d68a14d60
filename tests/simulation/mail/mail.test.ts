import { afterEach, expect, it, vi } from 'vitest';
import { createResend } from '#worker/vendors/resend/resend';
import { answerOf, fetchFrom, quietWorld } from '../straight-line.ts';
import type { WireRequest } from '../vendor.ts';
import { createMail, type MailFault } from './mail.ts';

const service = { baseUrl: 'https://mail.example', apiKey: 're_key' };

afterEach(() => vi.unstubAllGlobals());

function makeWorld() {
  const world = quietWorld();
  const mails = createMail(world, service);
  vi.stubGlobal('fetch', fetchFrom(world, mails, 10_000));
  return {
    world,
    mails,
    resend: createResend({ ...service, from: 'Tillway <us@tillway.example>', timeoutMs: 60_000 }),
  };
}

const makeMail = (changes: object = {}) => ({
  to: 'ana@payer.example',
  subject: 'Receipt',
  text: 'Paid',
  html: '<p>Paid</p>',
  idempotencyKey: 'receipt-1',
  clinic: 1,
  ...changes,
});

it('repeated requests under one key send a mail once', async () => {
  const { mails, resend } = makeWorld();
  expect([await resend.send(makeMail()), await resend.send(makeMail())]).toEqual([{ id: 'mail-1' }, { id: 'mail-1' }]);
  expect(mails.truth()).toMatchObject([{ key: 'receipt-1', to: ['ana@payer.example'], subject: 'Receipt' }]);
});

it('a used key sends no different text', async () => {
  const { mails, resend } = makeWorld();
  await resend.send(makeMail());
  expect(await resend.send(makeMail({ text: 'Refunded' }))).toBe('sent');
  expect(mails.truth().map(({ text }) => text)).toEqual(['Paid']);
});

it('the mail service forgets a key after a day', async () => {
  const { world, mails, resend } = makeWorld();
  await resend.send(makeMail());
  world.pass(24 * 3_600_000);
  await resend.send(makeMail());
  expect(mails.truth()).toHaveLength(2);
});

it('two keys send two mails', async () => {
  const { mails, resend } = makeWorld();
  await resend.send(makeMail());
  await resend.send(makeMail({ idempotencyKey: 'receipt-2' }));
  expect(mails.truth().map(({ key }) => key)).toEqual(['receipt-1', 'receipt-2']);
});

it.each(['silent', '500', 'html-502', '429', '403'] satisfies MailFault[])(
  'a failure before reading the request sends and loses nothing: %s',
  async (fault) => {
    const { mails, resend } = makeWorld();
    mails.fail(fault, { calls: 1 });
    await expect(resend.send(makeMail())).rejects.toThrow();
    expect(mails.truth()).toEqual([]);
    expect(await resend.send(makeMail())).toEqual({ id: 'mail-1' });
    expect(mails.truth()).toHaveLength(1);
  },
);

it('a mail sent with an answer of 500 is not sent again', async () => {
  const { mails, resend } = makeWorld();
  mails.fail('500-after', { calls: 1 });
  await expect(resend.send(makeMail())).rejects.toThrow();
  expect(mails.truth()).toHaveLength(1);
  expect(await resend.send(makeMail())).toEqual({ id: 'mail-1' });
  expect(mails.truth()).toHaveLength(1);
});

it('a mail without a valid address is refused, as is a mail under the fault 422', async () => {
  const { mails, resend } = makeWorld();
  expect(await resend.send(makeMail({ to: 'nobody' }))).toBe('refused');
  mails.fail('422', { calls: 1 });
  expect(await resend.send(makeMail())).toBe('refused');
  expect(mails.truth()).toEqual([]);
});

it('a second request under a key is refused while the first is in progress', () => {
  const { world, mails } = makeWorld();
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

it('a mail without the right API key is refused', async () => {
  const { mails } = makeWorld();
  const unauthorized = createResend({ ...service, apiKey: 'guessed', from: 'us@tillway.example', timeoutMs: 60_000 });
  await expect(unauthorized.send(makeMail())).rejects.toThrow('mail HTTP 403');
  expect(mails.truth()).toEqual([]);
});
