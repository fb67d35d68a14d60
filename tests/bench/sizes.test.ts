import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { languages } from '#shared/words/language';
import { outcomeWords } from '#shared/words/outcome-words';
import { formWords } from '#shared/words/pay-words';
import { productOfWorker } from '#tests/support/product/product';
import { closureOf, gzipBytes, pageScripts, screenBytes, shellBytes } from '#tests/support/sizes';
import { printFigures, recordFigure } from './report.ts';

printFigures();
const site = path.join(productOfWorker().state, 'site');
const kB = (bytes: number) => `${(bytes / 1000).toFixed(3)} kB`;

describe('the size budget', () => {
  it('keeps the pay page within 92 kB of its own JavaScript, 3 kB of it before the first paint, and wallets within 15 kB more', () => {
    const client = path.join(site, 'client');
    for (const language of languages) {
      const shell = readFileSync(path.join(client, `make/payment/shell-${language}.html`), 'utf8');
      // The Worker sends this island only where the business accepts a wallet.
      const html = shell.replace(/<astro-island[^>]*component-export="Wallets"[\s\S]*?<\/astro-island>/, '');
      expect(html.length).toBeLessThan(shell.length);
      const { inlineBytes, allBytes, files } = pageScripts(client, html);
      const walletBytes = pageScripts(client, shell).allBytes - allBytes;
      recordFigure(`pay page (${language}), wallets, gz`, kB(walletBytes), '<= 15 kB more', walletBytes <= 15_000);
      expect(walletBytes).toBeGreaterThan(0);
      expect(walletBytes).toBeLessThanOrEqual(15_000);
      expect(files.length).toBeGreaterThan(1);
      recordFigure(`pay page (${language}), own JavaScript, gz`, kB(allBytes), '<= 92 kB', allBytes <= 92_000);
      recordFigure(`pay page (${language}), before first paint, gz`, kB(inlineBytes), '<= 3 kB', inlineBytes <= 3000);
      expect(allBytes).toBeLessThanOrEqual(92_000);
      expect(inlineBytes).toBeLessThanOrEqual(3000);
      // No script or style in the head may delay the first paint, and no script may come before the painted content.
      expect(html.match(/<script[^>]*\bsrc=(?![^>]*\b(?:async|defer|type="module"))/g)).toBeNull();
      expect(html.indexOf('<script>')).toBeGreaterThan(html.indexOf('</footer>'));
      // The words of the page are in its shell, so none travel in the other language.
      const scripts = files.map((file) => readFileSync(file, 'utf8')).join('');
      for (const { en, es } of [outcomeWords.doNotPayAgain, formWords.otherAddress]) {
        expect(scripts.includes(en) || scripts.includes(es), language).toBe(false);
      }
    }
  });

  it('keeps the homepage within 500 bytes of JavaScript, all of it inline', () => {
    const client = path.join(site, 'client');
    const html = readFileSync(path.join(client, 'index.html'), 'utf8');
    const { allBytes, files } = pageScripts(client, html);
    recordFigure('homepage, JavaScript, gz', kB(allBytes), '<= 0.5 kB', allBytes <= 500);
    expect(files).toEqual([]);
    expect(allBytes).toBeLessThanOrEqual(500);
  });

  it('keeps the script that picks the header of a public page within 150 bytes', () => {
    const client = path.join(site, 'client');
    for (const page of ['terms', 'blog', 'app/post']) {
      const { allBytes, files } = pageScripts(client, readFileSync(path.join(client, `${page}.html`), 'utf8'));
      recordFigure(`${page}, JavaScript, gz`, `${allBytes} B`, '<= 150 B', allBytes <= 150);
      expect(files, page).toEqual([]);
      expect(allBytes, page).toBeLessThanOrEqual(150);
    }
  });

  it('keeps the first lists within 110 kB of JavaScript, and the dashboard with any view within 135 kB', () => {
    const client = path.join(site, 'client');
    const html = readFileSync(path.join(client, 'app/shell.html'), 'utf8');
    for (const [name, chunks] of [
      ['dashboard with open invoices', ['Dashboard', 'OpenInvoices']],
      ['list of invoices', ['InvoiceList']],
      ['list of customers', ['CustomerList']],
    ] as const) {
      const bytes = screenBytes(client, html, [...chunks]);
      recordFigure(`merchant app, ${name}, gz`, kB(bytes), '<= 110 kB', bytes <= 110_000);
      expect(bytes, name).toBeLessThanOrEqual(110_000);
    }
    // It shows one view at a time, which loads its own dialogs and tables later.
    const source = readFileSync('site/islands/merchant/shell/views.ts', 'utf8');
    const views = [...source.matchAll(/(\w+)\.tsx'/g)].map(([, name = '']) => name);
    expect(views).toContain('PaymentAnalytics');
    for (const name of views) {
      const bytes = screenBytes(client, html, ['Dashboard', name], true);
      recordFigure(`merchant app, dashboard showing ${name}, gz`, kB(bytes), '<= 135 kB', bytes <= 135_000);
      expect(bytes, name).toBeLessThanOrEqual(135_000);
    }
    const trail = screenBytes(client, html, ['AuditTrail']);
    recordFigure('merchant app, audit trail, gz', kB(trail), '<= 135 kB', trail <= 135_000);
    expect(trail).toBeLessThanOrEqual(135_000);
    recordFigure(
      'merchant app, dashboard after every view was looked at, gz',
      kB(screenBytes(client, html, ['Dashboard', ...views], true)),
      'printed',
      true,
    );
  });

  it('keeps the staff login within 92 kB of JavaScript, none of it render-blocking', () => {
    const client = path.join(site, 'client');
    const html = readFileSync(path.join(client, 'login.html'), 'utf8');
    const { allBytes } = pageScripts(client, html);
    recordFigure('login of staff, JavaScript, gz', kB(allBytes), '<= 92 kB', allBytes <= 92_000);
    expect(allBytes).toBeLessThanOrEqual(92_000);
    expect(html.match(/<script[^>]*\bsrc=(?![^>]*\b(?:async|defer|type="module"))/g)).toBeNull();
  });

  it('keeps the content area’s lists within 110 kB of JavaScript, and the editor within 240 kB more', () => {
    const client = path.join(site, 'client');
    const html = readFileSync(path.join(client, 'cms/shell.html'), 'utf8');
    const lists = shellBytes(client, html);
    const editor = screenBytes(client, html, ['EditorScreen']) - lists;
    recordFigure('content area, lists with all that they need, gz', kB(lists), '<= 110 kB', lists <= 110_000);
    recordFigure('content area, editor beyond that, gz', kB(editor), '<= 240 kB', editor <= 240_000);
    expect(lists).toBeLessThanOrEqual(110_000);
    expect(editor).toBeLessThanOrEqual(240_000);
  });

  it('keeps the operator’s area within 110 kB of JavaScript', () => {
    const client = path.join(site, 'client');
    const bytes = shellBytes(client, readFileSync(path.join(client, 'operator/shell.html'), 'utf8'));
    recordFigure('operator’s area, gz', kB(bytes), '<= 110 kB', bytes <= 110_000);
    expect(bytes).toBeLessThanOrEqual(110_000);
  });

  it('keeps the Worker’s static imports within 250 kB', () => {
    const files = closureOf([path.join(site, 'server/entry.mjs')], false);
    const bytes = files.reduce((sum, file) => sum + gzipBytes(file), 0);
    recordFigure('Worker, static closure, gz', kB(bytes), '<= 250 kB', bytes <= 250_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });
});
