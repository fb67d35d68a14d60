import { expect, test } from 'vitest';
import { mailApiKey } from '#sandbox/credentials';
import { startSandbox, uniqueName } from './start.ts';

type SendReply = { id: string; name?: string };
type Mail = { id: string; from: string; to: string; subject: string; text: string; html: string };

const world = await startSandbox();
const authorization = `Bearer ${mailApiKey}`;
const mail = (to: string, fields: Record<string, unknown> = {}) => ({
  from: 'Tillway <receipts@tillway.example>',
  to: [to],
  subject: 'Receipt',
  text: 'Paid 184.00',
  html: '<p>Paid 184.00</p>',
  ...fields,
});
const send = (body: unknown, headers: Record<string, string> = {}) =>
  world.post<SendReply>('/emails', body, { authorization, ...headers });
const readMail = async (to: string) => (await world.get<Mail[]>(`/_sandbox/mail?to=${to}`)).json;
const address = () => `${uniqueName('payer')}@example.com`;

test('an email is stored as sent and found by its recipient', async () => {
  const to = address();
  const response = await send(mail(`Ada <${to}>`));
  expect(response.status).toBe(200);
  expect(await readMail(to)).toMatchObject([
    { id: response.json.id, subject: 'Receipt', text: 'Paid 184.00', html: '<p>Paid 184.00</p>' },
  ]);
});

test('a repeated idempotency key returns the same id and stores one email, and another body is a conflict', async () => {
  const [to, key] = [address(), uniqueName('key')];
  const first = await send(mail(to), { 'idempotency-key': key });
  const second = await send(mail(to), { 'idempotency-key': key });
  expect(second.json.id).toBe(first.json.id);
  expect(await readMail(to)).toHaveLength(1);
  const conflict = await send(mail(to, { subject: 'Other' }), { 'idempotency-key': key });
  expect([conflict.status, conflict.json.name]).toEqual([409, 'invalid_idempotent_request']);
  await send(mail(to));
  expect(await readMail(to)).toHaveLength(2);
});

test('a missing key, a wrong key and an invalid email are rejected and not stored', async () => {
  const to = address();
  expect((await world.post('/emails', mail(to))).status).toBe(401);
  expect((await world.post('/emails', mail(to), { authorization: 'Bearer re_wrong' })).status).toBe(403);
  expect((await send(mail('nobody'))).status).toBe(422);
  expect((await send({ ...mail(to), text: undefined, html: undefined })).status).toBe(422);
  expect(await readMail(to)).toEqual([]);
});

test('the mailbox displays mail without running its content', async () => {
  const to = address();
  const { json } = await send(mail(to, { subject: 'Hello <b>you</b>', html: '<script>alert(1)</script><p>Hi</p>' }));
  expect((await world.get('/mail')).text).toContain('Hello &lt;b&gt;you&lt;/b&gt;');
  const page = await world.get(`/mail/${json.id}`);
  expect(page.text).not.toContain('<script>alert');
  const html = await world.get(`/mail/${json.id}/html`);
  expect(html.headers.get('content-security-policy')).toMatch(/^sandbox(?!.*allow-scripts)/);
});
