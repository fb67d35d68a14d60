import { describe, expect, it } from 'vitest';
import { comparePayPage, inventoryName, PROVIDER_SCRIPT } from './tamper-monitor.ts';
import { GOOGLE_PAY_SCRIPT } from './wallet-origins.ts';

const [app, provider, google] = ['https://pay.maple.example', 'https://gateway.example', 'https://pay.google.com'];
const origins = { app, provider };
const inventory = {
  scripts: [{ url: PROVIDER_SCRIPT }, { url: GOOGLE_PAY_SCRIPT }],
  inline: [],
  headers: {
    'content-security-policy': "script-src 'self' {provider}; connect-src 'self' {provider}; frame-src {provider}",
    'permissions-policy': 'camera=(), payment=(), usb=()',
  },
};
const PLAIN = `script-src 'self' ${provider}; connect-src 'self' ${provider}; frame-src ${provider}`;
const WITH_GOOGLE = `script-src 'self' ${provider} ${google}; connect-src 'self' ${provider} ${google}; frame-src ${provider} ${google}`;
const permissionsWith = (payment: string) => `camera=(), payment=(${payment}), usb=()`;
const APPLE = `self "${provider}"`;
const GOOGLE = `self "${provider}" "${google}"`;

const script = (url: string) => ({ name: inventoryName(url, origins), status: 200, type: 'text/javascript', bytes: 1 });
const PROVIDER = { ...script(`${provider}/js-sdk/js/clearent-host.js`), sha256: 'aa' };
const PAY_JS = { ...script(`${google}/gp/p/js/pay.js`), sha256: 'bb' };

/** Returns the kinds and subjects of the findings about a page. `usedOrigins`: of its frames and connections. */
function findingsOf(policy: string, payment: string, scripts = [PROVIDER], usedOrigins: string[] = []) {
  const headers = { 'content-security-policy': policy, 'permissions-policy': permissionsWith(payment) };
  const observedPage = { scripts, inline: [], headers, frames: usedOrigins, connections: usedOrigins };
  const approved = new Set(['aa', 'bb']);
  return comparePayPage(observedPage, { inventory, origins, approved, files: null, followsImports: true }).map(
    ({ kind, subject }) => `${kind} ${subject}`,
  );
}

describe('the tamper monitor with wallets', () => {
  it.each([
    ['without a wallet', PLAIN, '', [PROVIDER], []],
    ['with Apple Pay', PLAIN, APPLE, [PROVIDER], []],
    ['with Google Pay', WITH_GOOGLE, GOOGLE, [PROVIDER, PAY_JS], [google]],
    ['with Google Pay on a device that does not load its script', WITH_GOOGLE, GOOGLE, [PROVIDER], []],
  ])('accepts a page %s', (_title, policy, payment, scripts, used) => {
    expect(findingsOf(policy, payment, scripts, used)).toEqual([]);
  });

  it.each([
    ['Google’s origin in the policy only', WITH_GOOGLE, '', 'header-differs content-security-policy script-src'],
    ['Google’s origin as permission only', PLAIN, GOOGLE, 'header-differs content-security-policy frame-src'],
    ['another origin as permission', PLAIN, `${APPLE} "https://evil.example"`, 'header-differs permissions-policy'],
  ])('reports %s', (_title, policy, payment, expected) => {
    expect(findingsOf(policy, payment)).toContain(expected);
  });

  it('reports Google’s frames and connections on a page without Google Pay', () => {
    expect(findingsOf(PLAIN, '', [PROVIDER], [google])).toEqual([
      `frame-not-listed ${google}`,
      `connection-not-listed ${google}`,
    ]);
  });

  it('reports a version of Google’s script that no one has approved', () => {
    expect(findingsOf(WITH_GOOGLE, GOOGLE, [PROVIDER, { ...PAY_JS, sha256: 'cc' }])).toEqual([
      `script-changed ${GOOGLE_PAY_SCRIPT}`,
    ]);
  });
});
