import { describe, expect, it } from 'vitest';
import { MerchantData } from '#shared/contracts/staff/session';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { createApi } from './api.ts';

const NOW = 1_800_000_000_000;
const tokenFor = (name: string, lifeMs: number) =>
  `${name}.${Buffer.from(JSON.stringify({ exp: (NOW + lifeMs) / 1000 })).toString('base64url')}.s`;
const VALID_TOKEN = tokenFor('long', 600_000);
const EXPIRING_TOKEN = tokenFor('ending', 30_000);
const merchantData = { merchant: null, devices: [], logs: [] };

const fetchData = (api: ReturnType<typeof createApi>) =>
  api.call('/api/token/get-merchant-data', readWith(MerchantData));
const noStepUp = () => Promise.reject(new Error('no proof was needed'));

/**
 * Connects a client to a server that refuses the tokens in `refused`. A renewal returns the token `next`, or is refused
 * if `next` is null.
 */
function connectClient({
  cookie,
  next,
  refused = [],
}: {
  cookie: string | null;
  next: string | null;
  refused?: string[];
}) {
  let token = cookie;
  const sent: string[] = [];
  const redirects: string[] = [];
  const reply = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });
  const unauthorized = { error: { code: 'unauthorized', message: 'Please log in again.' } };
  const api = createApi({
    cookies: () => (token ? `x=1; authToken=${token}` : 'x=1'),
    now: () => NOW,
    leave: (path) => redirects.push(path),
    stepUp: noStepUp,
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
  return { api, sent, redirects };
}

describe('API call of the merchant app', () => {
  it('sends nothing and redirects to the login if there is no token', async () => {
    const { api, sent, redirects } = connectClient({ cookie: null, next: VALID_TOKEN });
    expect(await fetchData(api)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
    expect(await api.renew()).toMatchObject({ ok: false });
    expect(sent).toEqual([]);
    expect(redirects).toEqual(['/login']);
  });

  it('sends the token and does not renew it while it is valid', async () => {
    const { api, sent, redirects } = connectClient({ cookie: VALID_TOKEN, next: null });
    expect(await fetchData(api)).toEqual({ ok: true, value: merchantData });
    expect([sent, redirects]).toEqual([['token/get-merchant-data long'], []]);
  });

  it('renews an expiring token first, once for all waiting calls', async () => {
    const { api, sent } = connectClient({ cookie: EXPIRING_TOKEN, next: VALID_TOKEN });
    const answers = await Promise.all([fetchData(api), fetchData(api)]);
    expect(answers.every(({ ok }) => ok)).toBe(true);
    expect(sent).toEqual([
      'refresh-access-token ending',
      'token/get-merchant-data long',
      'token/get-merchant-data long',
    ]);
  });

  it('renews the token only once if a new token also seems to expire, since the clock may be wrong', async () => {
    const { api, sent } = connectClient({ cookie: EXPIRING_TOKEN, next: EXPIRING_TOKEN });
    await fetchData(api);
    await fetchData(api);
    expect(sent.filter((call) => call.startsWith('refresh'))).toHaveLength(1);
  });

  it('renews the token and retries once on a 401', async () => {
    const otherToken = tokenFor('other', 600_000);
    const { api, sent, redirects } = connectClient({ cookie: VALID_TOKEN, next: otherToken, refused: [VALID_TOKEN] });
    expect(await fetchData(api)).toMatchObject({ ok: true });
    expect(sent).toEqual([
      'token/get-merchant-data long',
      'refresh-access-token long',
      'token/get-merchant-data other',
    ]);
    expect(redirects).toEqual([]);
  });

  it('logs the user out if the renewal or the renewed token is refused', async () => {
    for (const next of [null, VALID_TOKEN]) {
      const { api, sent, redirects } = connectClient({ cookie: VALID_TOKEN, next, refused: [VALID_TOKEN] });
      expect(await fetchData(api)).toMatchObject({ ok: false, error: { code: 'unauthorized' } });
      expect(sent).toHaveLength(next ? 3 : 2);
      expect(redirects).toEqual(['/logout']);
    }
  });

  it('keeps the session if the server cannot be reached or sends an unreadable reply', async () => {
    const redirects: string[] = [];
    const browser = {
      cookies: () => `authToken=${VALID_TOKEN}`,
      now: () => NOW,
      leave: (path: string) => redirects.push(path),
      stepUp: noStepUp,
    };
    const offlineApi = createApi({ ...browser, fetch: () => Promise.reject(new TypeError('offline')) });
    expect(await fetchData(offlineApi)).toMatchObject({ error: { code: 'unreachable' } });
    const garbledApi = createApi({ ...browser, fetch: async () => new Response('<html>') });
    expect(await fetchData(garbledApi)).toMatchObject({ error: { code: 'unreadable' } });
    const invalidReplyApi = createApi({
      ...browser,
      fetch: async () => Response.json({ ...merchantData, devices: [{}] }),
    });
    expect(await fetchData(invalidReplyApi)).toMatchObject({ error: { code: 'unreadable' } });
    expect(redirects).toEqual([]);
  });

  it('returns an image unchanged and passes the headers to the reader', async () => {
    const api = createApi({
      cookies: () => `authToken=${VALID_TOKEN}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: noStepUp,
      fetch: async () => new Response('png', { headers: { 'content-type': 'image/png', 'x-kept': 'yes' } }),
    });
    const answer = await api.call('/api/x', (body, headers) => [body instanceof Blob, headers.get('x-kept')]);
    expect(answer).toEqual({ ok: true, value: [true, 'yes'] });
  });

  it('returns the server’s error with its fields', async () => {
    const error = { code: 'invalid', message: 'Please enter a name.', fields: ['dbaName'] };
    const api = createApi({
      cookies: () => `authToken=${VALID_TOKEN}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: noStepUp,
      fetch: async () => Response.json({ error }, { status: 422 }),
    });
    expect(await api.call('/api/x', (body) => body)).toEqual({ ok: false, error: { ...error, status: 422 } });
  });

  it('returns a streamed response without waiting for its end', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    const api = createApi({
      cookies: () => `authToken=${VALID_TOKEN}`,
      now: () => NOW,
      leave: () => undefined,
      stepUp: noStepUp,
      fetch: async () => new Response(readable, { status: 202, headers: { 'content-type': 'application/x-ndjson' } }),
    });
    const answer = await api.call('/api/x', (body) => body as Response);
    if (!answer.ok) throw new Error('the reply was not returned');
    const encoder = new TextEncoder();
    void writer.write(encoder.encode('{"sale":7}\n\n'));
    void writer.close();
    expect(await answer.value.text()).toBe('{"sale":7}\n\n');
  });
});
