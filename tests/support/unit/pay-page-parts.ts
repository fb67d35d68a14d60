import { type Inventory, inlineHash, THIRD_PARTY_SCRIPTS } from '#shared/tamper-monitor';
import type { Deps, PayPageParts } from '#worker/deps';
import type { BrowserScript } from '#worker/vendors/gateway-port';

const INLINE = ['start()', 'define()'];
const FILES: Record<string, string> = {
  '/_astro/PayPage.AAAAAAAA.js': 'import{r}from"./react.BBBBBBBB.js";const later=()=>import("./Pad.CCCCCCCC.js")',
  '/_astro/react.BBBBBBBB.js': 'export const r=1',
  '/_astro/Pad.CCCCCCCC.js': 'import"./PayPage.AAAAAAAA.js"',
};
const POLICY = (provider: string, hashes: string[]) =>
  `default-src 'none'; script-src 'self' ${hashes.map((hash) => `'${hash}'`).join(' ')} ${provider}; style-src 'self' 'sha256-c3R5bGU='`;

export const JAVASCRIPT = 'text/javascript; charset=utf-8';
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A pay page and a provider's script that tests can change, with an inventory that matches them. */
export async function makePayPage(deps: Pick<Deps, 'sha256' | 'gateway'>) {
  const provider = deps.gateway.browser.origin;
  const hashes = await Promise.all(INLINE.map(async (code) => inlineHash(await deps.sha256(code))));
  const page = {
    tags: '',
    headers: new Map([
      ['content-security-policy', POLICY(provider, hashes)],
      ['x-frame-options', 'DENY'],
      ['content-type', 'text/html; charset=utf-8'],
    ]),
    script: { status: 200, type: JAVASCRIPT, body: bytesOf('provide()') } as BrowserScript,
    google: { status: 200, type: JAVASCRIPT, body: bytesOf('pay()') } as BrowserScript,
    /** The number of first requests to the provider that fail. */
    failures: 0,
    /** The number of requests to the provider. */
    requestCount: 0,
  };
  const html = () =>
    `${INLINE.map((code) => `<script>${code}</script>`).join('')}<script type="application/json">{}</script>
<astro-island component-url="/_astro/PayPage.AAAAAAAA.js"></astro-island>${page.tags}`;
  const parts: PayPageParts = {
    page: async () => new Response(html(), { headers: [...page.headers] }),
    file: async (path) =>
      path in FILES
        ? new Response(FILES[path], { headers: { 'content-type': 'text/javascript' } })
        : new Response('', { status: 404 }),
    providerScript: async () => {
      page.requestCount += 1;
      if (page.failures === 0) return page.script;
      page.failures -= 1;
      return 'unavailable';
    },
    googleScript: async () => page.google,
  };
  const inventory: Inventory = {
    scripts: ['/_astro/PayPage.*.js', '/_astro/react.*.js', '/_astro/Pad.*.js', ...THIRD_PARTY_SCRIPTS].map((url) => ({
      url,
    })),
    inline: hashes.map((hash) => ({ hash })),
    headers: {
      'content-security-policy': "default-src 'none'; script-src 'self' {provider} {inline}; style-src 'self'",
      'x-frame-options': 'DENY',
    },
  };
  return { page, inventory, payPage: async () => parts };
}
