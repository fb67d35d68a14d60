import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { isOwnHost, refuseMisdirected, requireSameOrigin } from './host-and-origin.ts';

const APP = 'http://localhost:8787';

const statusOf = async (url: string, headers: Record<string, string> = {}, appUrl = APP) => {
  const app = new Hono()
    .use((c, next) => (isOwnHost(appUrl, c.req.url) ? next() : Promise.resolve(refuseMisdirected(c))))
    .use(requireSameOrigin())
    .post('/*', (c) => c.body(null, 204));
  return (await app.request(url, { method: 'POST', headers })).status;
};

describe('the host name of a request', () => {
  it.each([`${APP}/x`, 'http://127.0.0.1:8787/x', 'http://[::1]:8787/x'])('is accepted as ours: %s', async (url) => {
    expect(await statusOf(url)).toBe(204);
  });

  it.each([
    'https://localhost:8787/x',
    'https://127.0.0.1:8787/x',
    'http://evil.example:8787/x',
    'http://localhost.evil.example:8787/x',
  ])('is rejected: %s', async (url) => {
    expect(await statusOf(url)).toBe(421);
  });

  it('is accepted in only one form on the internet', async () => {
    expect(await statusOf('https://pay.example/x', {}, 'https://pay.example')).toBe(204);
    for (const url of [
      'http://pay.example/x',
      'https://pay.example:8443/x',
      'https://localhost/x',
      'http://localhost/x',
    ])
      expect(await statusOf(url, {}, 'https://pay.example'), url).toBe(421);
  });
});

describe('the Origin header of a write', () => {
  it.each(['http://localhost:8787', 'http://127.0.0.1:8787'])('is accepted when it is ours: %s', async (origin) => {
    expect(await statusOf(`${origin}/x`, { origin })).toBe(204);
  });

  it.each([
    'https://localhost:8787',
    'http://localhost:8788',
    'http://localhost',
    // This is one of our names, but not the origin of the request.
    'http://127.0.0.1:8787',
    'http://localhost:8787.evil.example',
    'http://evil.example',
    'null',
    '',
  ])('is rejected otherwise: %j', async (origin) => {
    expect(await statusOf(`${APP}/x`, { origin })).toBe(403);
  });

  it.each([
    ['same-origin', 204],
    ['none', 204],
    ['same-site', 403],
    ['cross-site', 403],
  ])('is combined with the Sec-Fetch-Site header: %s', async (site, status) => {
    expect(await statusOf(`${APP}/x`, { origin: APP, 'sec-fetch-site': site })).toBe(status);
  });
});
