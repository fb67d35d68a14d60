import { describe, expect, it } from 'vitest';
import { makeApp } from '#tests/support/login';
import { ownPayPageParts } from './app.ts';
import type { Env } from './deps.ts';

const HTML = '<html><head><style>a{}</style></head><body><script>start()</script></body></html>';
const ASSETS = { fetch: async () => new Response(HTML, { headers: { 'content-type': 'text/html' } }) };

describe('the pay page that the tamper monitor reads from this Worker', () => {
  it.each(['open', 'paused'])(
    'has the headers of an open pay page and logs nothing while payments are %s',
    async (state) => {
      const lines: string[] = [];
      const log = { info: (event: string) => void lines.push(event), alert: (event: string) => void lines.push(event) };
      const app = makeApp({ log }, { PAY_PAGE: state });
      const page = await (await ownPayPageParts({ ASSETS } as unknown as Env, app.deps)).page();
      expect(page.status).toBe(200);
      expect(page.headers.get('x-frame-options')).toBe('DENY');
      expect(page.headers.get('referrer-policy')).toBe('no-referrer');
      expect(lines).toEqual([]);
    },
  );

  it('includes the provider’s script as the provider serves it', async () => {
    const app = makeApp();
    const parts = ownPayPageParts({ ASSETS } as unknown as Env, app.deps);
    expect(await parts.providerScript()).toMatchObject({ status: 200, type: expect.stringContaining('javascript') });
    const gateway = {
      ...app.deps.gateway,
      browser: { ...app.deps.gateway.browser, scriptUrl: 'no address' },
    };
    expect(await ownPayPageParts({ ASSETS } as unknown as Env, { ...app.deps, gateway }).providerScript()).toBe(
      'unavailable',
    );
  });
});
