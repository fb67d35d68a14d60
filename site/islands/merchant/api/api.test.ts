import { describe, expect, it } from 'vitest';
import { MerchantData } from '#shared/contracts/staff/session';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { createApi } from './api.ts';

const NOW = 1_800_000_000_000;
const tokenFor = (name: string, lifeMs: number) =>
  `${name}.${Buffer.from(JSON.stringify({ exp: (NOW + lifeMs) / 1000 })).toString('base64url')}.s`;
const LONG = tokenFor('long', 600_000);
const ENDING = tokenFor('ending', 30_000);
const merchantData = { merchant: null, devices: [], logs: [] };

const look = (api: ReturnType<typeof createApi>) => api.call('/api/token/get-merchant-data', readWith(MerchantData));
const notAsked = () => Promise.reject(new Error('no proof was needed'));

/** A browser and a server that refuses the named tokens; `next` is a renewal's token, null: the renewal is refused. */
function world({ cookie, next, refused = [] }: { cookie: string | null; next: string | null; refused?: string[] }) {
  let token = cookie;
  const sent: string[] = [];
  const left: string[] = [];
  const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  const unauthorized = { error: { code: 'unauthorized', message: 'Please log in again.' } };
  const api = createApi({
    cookies: () => (token ? `x=1; authToken=${token}` : 'x=1'),
    now: () => NOW,
    leave: (path) => left.push(path),
    stepUp: notAsked,
    fetch: async (path, init) => {
      const bearer = new Headers(init.headers).get('authorization') ?? '';
      sent.push(`${path.replace('/api/', '')} ${bearer.split(' ')[1]?.split('.')[0] ?? ''}`.trim());
      if (path === '/api/refresh-access-token') {
        if (!next) return reply(401, unauthorized);
        token = next;
        return reply(200, { accessToken: next });
      }
      return refused.some((name) => bearer.endsWith(name)) ? reply(401, unauthorized) : reply(200, merchantData);
    },
  });
  return { api, sent, left };
}

describe('an API call of the merchant app', () => {
  it('sends nothing without the cookie and goes to the login', async () => {
    const { api, sent, left } = world({ cookie: null, next: LONG });
    expect(await look(api)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(await api.renew()).toMatchObject({ ok: false });
    expect(sent).toEqual([]);
    expect(left).toEqual(['/login']);
  });

  it('sends the token and does not renew it while it is valid', async () => {
    const { api, sent, left } = world({ cookie: LONG, next: null });
    expect(await look(api)).toEqual({ ok: true, value: merchantData });
    expect([sent, left]).toEqual([['token/get-merchant-data long'], []]);
  });

  it('renews the token before it expires, once for all waiting calls', async () => {
    const { api, sent } = world({ cookie: ENDING, next: LONG });
    const answers = await Promise.all([look(api), look(api)]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(sent).toEqual([
      'refresh-access-token ending',
      'token/get-merchant-data long',
      'token/get-merchant-data long',
    ]);
  });

  it('does not renew repeatedly when the clock is wrong', async () => {
    const { api, sent } = world({ cookie: ENDING, next: ENDING });
    await look(api);
    await look(api);
    expect(sent.filter((one) => one.startsWith('refresh'))).toHaveLength(1);
  });

  it('renews the token and retries once on a 401', async () => {
    const other = tokenFor('other', 600_000);
    const { api, sent, left } = world({ cookie: LONG, next: other, refused: [LONG] });
    expect(await look(api)).toMatchObject({ ok: true });
    expect(sent).toEqual([
      'token/get-merchant-data long',
      'refresh-access-token long',
      'token/get-merchant-data other',
    ]);
    expect(left).toEqual([]);
  });

  it('logs out when the renewal or the renewed token is refused', async () => {
    for (const next of [null, LONG]) {
      const { api, sent, left } = world({ cookie: LONG, next, refused: [LONG] });
      expect(await look(api)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
      expect(sent).toHaveLength(next ? 3 : 2);
      expect(left).toEqual(['/logout']);
    }
  });

  it('keeps the session when the server cannot be reached or sends an unreadable reply', async () => {
    const left: string[] = [];
    const doors = {
      cookies: () => `authToken=${LONG}`,
      now: () => NOW,
      leave: (path: string) => left.push(path),
      stepUp: notAsked,
    };
    const offline = createApi({ ...doors, fetch: () => Promise.reject(new TypeError('offline')) });
    expect(await look(offline)).toMatchObject({ error: { code: 'unreachable' } });
    const garbled = createApi({ ...doors, fetch: async () => new Response('<html>') });
    expect(await look(garbled)).toMatchObject({ error: { code: 'unreadable' } });
    const wrong = createApi({ ...doors, fetch: async () => Response.json({ ...merchantData, devices: [{}] }) });
    expect(await look(wrong)).toMatchObject({ error: { code: 'unreadable' } });
    expect(left).toEqual([]);
  });

  it('returns a picture unchanged and passes the headers to the reader', async () => {
    const api = createApi({
      cookies: () => `authToken=${LONG}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: notAsked,
      fetch: async () => new Response('png', { headers: { 'content-type': 'image/png', 'x-kept': 'yes' } }),
    });
    const answer = await api.call('/api/x', (body, headers) => [body instanceof Blob, headers.get('x-kept')]);
    expect(answer).toEqual({ ok: true, value: [true, 'yes'] });
  });

  it('returns the server’s error with its fields', async () => {
    const error = { code: 'invalid', message: 'Please enter a name.', fields: ['dbaName'] };
    const api = createApi({
      cookies: () => `authToken=${LONG}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: notAsked,
      fetch: async () => Response.json({ error }, { status: 422 }),
    });
    expect(await api.call('/api/x', (body) => body)).toEqual({ ok: false, error: { ...error, status: 422 } });
  });

  it('returns a streamed response without waiting for its end', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const api = createApi({
      cookies: () => `authToken=${LONG}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: notAsked,
      fetch: async () => new Response(readable, { status: 202, headers: { 'content-type': 'application/x-ndjson' } }),
    });
    const answer = await api.call('/api/x', (body) => body as Response);
    if (!answer.ok) throw new Error('the reply was not handed on');
    const text = new TextEncoder();
    void writer.write(text.encode('{"sale":7}\n\n'));
    void writer.close();
    expect(await answer.value.text()).toBe('{"sale":7}\n\n');
  });
});
