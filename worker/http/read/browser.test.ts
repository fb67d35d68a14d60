import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { browserOf } from './browser.ts';

const nameFor = async (agent: string | null): Promise<string> => {
  const app = new Hono().get('/', (c) => c.text(browserOf(c)));
  return (await app.request('/', { headers: agent === null ? {} : { 'user-agent': agent } })).text();
};

describe('the browser named for a request', () => {
  it.each([
    ['Firefox on Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'Edge on Windows',
      'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36 Edg/138.0',
    ],
    [
      'Safari on iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    ],
    ['Chrome on Android', 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/138.0 Mobile Safari/537.36'],
    ['', 'curl/8.5.0'],
    ['', null],
  ])('is “%s” according to its user agent', async (name, agent) => {
    expect(await nameFor(agent)).toBe(name);
  });

  it('is never free text from the request', async () => {
    expect(await nameFor(`<script>Firefox/${'1'.repeat(5000)} on Windows`)).toBe('Firefox');
  });
});
