import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MediaItem } from '#shared/contracts/content/content';
import { freshJpeg } from '#tests/support/content/images';
import { fileOf, mediaForm } from '#tests/support/content/media';
import { logInWriter } from '#tests/support/content/writer';
import { useProduct } from '#tests/support/product/product';
import { answerOf, ask, expectGuarded, expectPrivate } from './answers.ts';
import { registeredRoutes } from './routes.ts';

const product = useProduct();
const { appUrl } = product;

/**
 * One address of each kind: the patterns that the Worker answers before files or leaves to them, its routes, and the
 * pages of the site. New kinds are included automatically.
 */
function everyKind(): string[] {
  const [, list = ''] = /^run_worker_first = \[(.*)\]$/m.exec(readFileSync('wrangler.toml', 'utf8')) ?? [];
  const patterns = [...list.matchAll(/"([^"]+)"/g)].map(([, pattern = '']) => pattern);
  const patternAddresses = patterns.map((pattern) => pattern.replace(/^!/, '').replace('*', 'nothing'));
  const routes = registeredRoutes()
    .filter((route) => route.startsWith('GET '))
    .map((route) =>
      route
        .slice('GET '.length)
        .replace(/:\w+(\{[^}]*\})?\??/g, '1')
        .replaceAll('*', 'nothing'),
    );
  const pages = globSync('**/*.{astro,ts}', { cwd: 'site/pages' }).map((file) =>
    `/${file.replaceAll(path.sep, '/').replace(/\.(astro|ts)$/, '')}`.replace(/\[\w+\]/g, '1').replace(/\/index$/, '/'),
  );
  return [...new Set([...patternAddresses, ...routes, ...pages])];
}

describe('the security headers', () => {
  it('are on every kind of address, found or not, and keep calls out of caches', async () => {
    const all = everyKind();
    for (const kind of [
      '/',
      '/media/nothing',
      '/oauth',
      '/cms',
      '/operator/shell',
      '/api/nothing',
      '/make/payment/1',
      '/blog/1',
      '/blog/',
      '/blog/page/1',
    ])
      expect(all).toContain(kind);
    expect(all.filter((pattern) => pattern.startsWith('/api/')).length).toBeGreaterThan(80);
    for (const address of all) {
      const answer = await ask(appUrl, address);
      const check = address.startsWith('/api/') ? expectPrivate : expectGuarded;
      expect(() => check(answer), address).not.toThrow();
      // Before the schedule has run, the health check reports a problem.
      if (address !== '/api/health') expect(answer.status, address).toBeLessThan(500);
    }
  });

  it('are on an uploaded file, the operator’s page and the writers’ login', async () => {
    const writer = await logInWriter(appUrl, product.output);
    const { localUrl: file } = await writer.call<MediaItem>('POST', 'media/upload', mediaForm(fileOf(freshJpeg())));
    for (const address of [file, '/operator', '/cms/login']) {
      const answer = await ask(appUrl, address);
      expect(answer.status, address).toBe(200);
      expectGuarded(answer);
    }
    expect((await ask(appUrl, file)).headers.get('content-type')).toMatch(/^image\//);
  });

  it('are on every page and file, found or not', async () => {
    const paths = ['/', '/terms', '/privacy', '/cookie-policy', '/robots.txt', '/favicon.svg', '/nowhere', '/nowhere/'];
    for (const path of paths) expectGuarded(await ask(appUrl, path));
  });

  it('are on page fragments too, which return 404 at their own address', async () => {
    for (const path of [
      '/404',
      '/receipt-shell',
      '/app/post',
      '/app/post-failed',
      '/app/no-post',
      '/app/no-preview',
      '/app/shell',
    ]) {
      const answer = await ask(appUrl, path);
      expect(answer.status, path).toBe(404);
      expectGuarded(answer);
      expect(answer.text, path).toContain('Page not found');
    }
    expect((await ask(appUrl, '/rss.xml')).headers.get('content-type')).toBe('application/rss+xml; charset=utf-8');
  });

  it('come with built public pages and files, which no Worker serves', async () => {
    // Each answer of the Worker has the id of its log line.
    const isFromWorker = async (path: string) => (await ask(appUrl, path)).headers.has('x-request-id');
    const built = ['/blog', '/demo', '/proof', '/claims', '/terms', '/privacy', '/cookie-policy'];
    for (const path of [...built, '/offline', '/register', '/rss.xml', '/sitemap.xml', '/robots.txt', '/favicon.svg'])
      expect(await isFromWorker(path), path).toBe(false);
    // An article's file is sent by the Worker, which compares it with the article as last saved.
    for (const path of ['/', '/login', '/blog/card-or-bank-debit', '/pages/security', '/blog/no-such-post', '/app_url'])
      expect(await isFromWorker(path), path).toBe(true);
  });

  it('let browsers cache files with hashed names forever, and revalidate everything else', async () => {
    const [home, demo] = [await ask(appUrl, '/'), await ask(appUrl, '/demo')];
    const find = (text: string, pattern: RegExp) => pattern.exec(text)?.[0] ?? 'not there';
    const hashedFiles = [
      find(home.text, /\/_astro\/counter-waiting-light\.[^"]+\.webp/),
      find(demo.text, /\/_astro\/step-1-light-1440\.[^" ]+\.webp/),
      find(demo.text, /\/_astro\/[^"]+\.css/),
      find(demo.text, /\/_astro\/[^"]+\.woff2/),
    ];
    for (const path of hashedFiles) {
      const { status, headers } = await ask(appUrl, path);
      expect([status, headers.get('cache-control')], path).toEqual([200, 'public, max-age=31536000, immutable']);
      expect(headers.has('x-request-id'), path).toBe(false);
    }
    for (const path of ['/demo', '/proof', '/claims', '/blog', '/pages/security', '/favicon.svg', '/sitemap.xml'])
      expect((await ask(appUrl, path)).headers.get('cache-control'), path).toMatch(/max-age=0, must-revalidate/);
  });

  it('are on every answer of a public call, with any status', async () => {
    const { payId } = await product.makeLink();
    const requests: [string, string][] = [
      ['GET', `/api/invoices/${payId}`],
      ['GET', `/api/invoices/${payId}/payment`],
      ['POST', `/api/invoices/takePaymentSDK/${payId}`],
      ['DELETE', `/api/invoices/${payId}`],
      ['GET', '/api/invoices/nothing'],
      ['GET', '/api/invoices'],
      ['GET', '/api/nowhere'],
      ['GET', `/make/payment/${payId}`],
      ['GET', '/make/payment/nothing'],
      ['GET', '/receipt/nothing'],
    ];
    const statuses = new Set<number>();
    for (const [method, path] of requests) {
      const answer = await ask(appUrl, path, { method });
      statuses.add(answer.status);
      expectPrivate(answer);
    }
    expect([...statuses].sort()).toEqual([200, 401, 404, 405, 415]);
  });

  it('allow only the provider and our own files on the pay page, and nothing inline', async () => {
    const { address } = await product.makeLink();
    const answer = await answerOf(await fetch(address));
    const policy = Object.fromEntries(
      (answer.headers.get('content-security-policy') ?? '')
        .split('; ')
        .map((part) => [part.split(' ')[0] ?? '', part.split(' ').slice(1)]),
    );
    const provider = new URL(product.sandboxUrl).origin;
    expect(policy['default-src']).toEqual(["'none'"]);
    expect(policy['base-uri']).toEqual(["'none'"]);
    expect(policy['object-src']).toEqual(["'none'"]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(policy['form-action']).toEqual(["'self'"]);
    expect(policy['frame-src']).toEqual([provider]);
    expect(policy['connect-src']).toEqual(["'self'", provider]);
    const scripts = policy['script-src'] ?? [];
    expect(scripts.filter((source) => !source.startsWith("'sha256-")).sort()).toEqual(["'self'", provider].sort());
    expect(JSON.stringify(policy)).not.toMatch(/unsafe|\*|https?:(?!\/\/localhost)/);
    expect(answer.headers.get('x-robots-tag')).toContain('noindex');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('reveal no server software', async () => {
    const answer = await ask(appUrl, '/api/invoices/nothing');
    expect(answer.headers.get('server')).toBeNull();
    expect(answer.headers.get('x-powered-by')).toBeNull();
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });

  it('name the content type and charset of every text', async () => {
    const { payId } = await product.makeLink();
    const home = await ask(appUrl, '/terms');
    const files = [...home.text.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css|svg|webmanifest))"/g)].map(
      ([, to = '']) => to,
    );
    expect(files.some((file) => file.endsWith('.css'))).toBe(true);
    const paths = [
      '/',
      '/terms',
      '/nowhere',
      '/login',
      '/rss.xml',
      '/sitemap.xml',
      '/robots.txt',
      '/sw.js',
      '/offline',
    ];
    for (const path of [...paths, ...files, '/favicon.svg', `/make/payment/${payId}`, '/receipt/nothing']) {
      const type = (await ask(appUrl, path)).headers.get('content-type') ?? '';
      expect(type, path).toMatch(
        /^(text\/|application\/rss\+xml|application\/xml|image\/svg\+xml).*; ?charset=utf-8$|json/i,
      );
    }
    for (const path of ['/api/nowhere', `/api/invoices/${payId}`, '/app_url'])
      expect((await ask(appUrl, path)).headers.get('content-type'), path).toBe('application/json');
  });

  it('let no other origin read, nor preflight a write', async () => {
    const { payId } = await product.makeLink();
    const origin = 'https://evil.example';
    for (const path of [
      '/',
      '/terms',
      '/api/public/posts',
      `/api/invoices/${payId}`,
      '/api/invoices',
      '/api/cms/posts',
    ]) {
      for (const method of ['GET', 'OPTIONS']) {
        const preflight = {
          origin,
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'authorization',
        };
        const answer = await ask(appUrl, path, { method, headers: preflight });
        const allowed = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(allowed, `${method} ${path}`).toEqual([]);
      }
    }
  });
});

describe('paths that are not served', () => {
  it('return 404 for repository files, settings and folder listings', async () => {
    const paths = [
      '/.git/HEAD',
      '/.git/config',
      '/.gitignore',
      '/package.json',
      '/package-lock.json',
      '/wrangler.toml',
    ];
    const extra = ['/production.json', '/.dev.vars', '/.env', '/worker/index.ts', '/_headers', '/.assetsignore'];
    for (const path of [...paths, ...extra, '/_astro/', '/_astro', '/demo/../.git/HEAD', '/media/', '/%2egit/HEAD']) {
      const answer = await ask(appUrl, path);
      expect(answer.status, path).toBe(404);
      expectGuarded(answer);
    }
  });
});
