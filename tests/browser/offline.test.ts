import net from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { cardNumber, expectGood, payerPage, payWith, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const OFFLINE = 'You are offline. Nothing was sent.';

/** Starts a proxy to the product whose connection can be cut. */
async function startProxy() {
  const sockets = new Set<net.Socket>();
  const { hostname, port } = new URL(product.appUrl);
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far).pipe(near);
  });
  const listen = (at: number) => new Promise<void>((resolve) => server.listen(at, 'localhost', resolve));
  await listen(0);
  const proxyPort = (server.address() as net.AddressInfo).port;
  const cut = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  onTestFinished(async () => {
    if (server.listening) await cut();
  });
  return { url: `http://localhost:${proxyPort}`, cut, restore: () => listen(proxyPort) };
}

/** Returns the paths of everything in the browser's caches for this site. */
const cachedPaths = (page: Page) =>
  page.evaluate(async () => {
    const all = await Promise.all(
      (await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)),
    );
    return all.flat().map((url) => new URL(url).pathname);
  });

const isControlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null);

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/oauth/start`);
  await page.getByRole('radio', { name: hubs[0].name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${url}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

describe('without a network connection', () => {
  it('the app reports that it is offline and nothing was sent, and continues after reconnecting', async () => {
    const proxy = await startProxy();
    const page = await newPage({ serviceWorkers: 'allow', expected: /ERR_|Failed to fetch|Failed to load/ });
    await logIn(page, proxy.url);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.goto(`${proxy.url}/userinfo`);
    expect(await isControlled(page)).toBe(true);
    await page.getByText('Scope 7', { exact: true }).waitFor();

    await proxy.cut();
    for (const path of ['/', '/userinfo', '/login', '/terms']) {
      await page.goto(`${proxy.url}${path}`);
      await page.getByRole('heading', { name: OFFLINE }).waitFor();
    }
    await page.goto(`${proxy.url}/userinfo`);
    await expectGood(page, 'offline');
    const fonts = () => document.fonts.load('16px "Hanken Grotesk Variable"').then(({ length }) => length);
    expect(await page.evaluate(fonts)).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: OFFLINE }).waitFor();

    await proxy.restore();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByText('Scope 7', { exact: true }).waitFor();
  });

  it('a payer sees the browser’s own offline page', async () => {
    const proxy = await startProxy();
    const { payId } = await product.makeLink();
    const page = await payerPage(newPage, { serviceWorkers: 'allow', expected: /ERR_|Failed to load/ });
    await page.goto(`${proxy.url}/login`);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await page.goto(`${proxy.url}/make/payment/${payId}`);
    await cardNumber(page).waitFor();
    await proxy.cut();
    for (const path of [`/make/payment/${payId}`, '/receipt/nothing', '/oauth']) {
      await expect(page.goto(`${proxy.url}${path}`), path).rejects.toThrow(/ERR_CONNECTION_REFUSED/);
    }
    expect(await page.getByText(OFFLINE).count()).toBe(0);
  });
});

describe('the service worker', () => {
  it('caches only the offline page with its style and font after a walk through the whole app', async () => {
    const page = await payerPage(newPage, { serviceWorkers: 'allow', expected: /status of 404/ });
    const paidLink = await product.makeLink();
    const openLink = await product.makeLink();
    await page.goto(product.appUrl);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await until(
      () => cachedPaths(page),
      (paths) => paths.length > 0,
    );
    await logIn(page, product.appUrl);
    expect(await isControlled(page)).toBe(true);
    const payPages = [`/make/payment/${openLink.payId}`, '/make/payment/nothing'];
    for (const path of ['/userinfo', '/terms', '/no/such', ...payPages]) {
      await page.goto(`${product.appUrl}${path}`, { waitUntil: 'networkidle' });
    }
    await payWith(page, paidLink.address);
    await successHeading(page).waitFor();
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('heading', { name: 'Receipt' }).waitFor();
    await page.goto(`${product.appUrl}/logout`);

    const paths = await cachedPaths(page);
    expect(paths).toContain('/offline');
    expect(paths.filter((path) => path !== '/offline' && !/^\/_astro\/[\w.-]+\.(?:css|woff2)$/.test(path))).toEqual([]);
    const texts = await page.evaluate(async () => {
      const cache = await caches.open('offline-1');
      return Promise.all((await cache.matchAll()).map((response) => response.text()));
    });
    const privateText = new RegExp(`${paidLink.number}|${openLink.number}|184\\.00|Núñez`);
    for (const text of texts) expect(text).not.toMatch(privateText);
  });
});
