import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { crmApp, type HubCredentials, productScopes } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { launchBrowser } from '#tests/support/browser/chromium';
import { dental, physio, vet } from './start.ts';

/** Stands in for the product: the page to which the browser returns. */
const product = createServer((_, response) => response.end('back'));
await new Promise<void>((resolve) => product.listen(0, 'localhost', resolve));
const productUrl = `http://localhost:${(product.address() as AddressInfo).port}`;
const sandbox = await listenSandbox({ file: ':memory:', port: 0, productUrl });
const browser = await launchBrowser();
afterAll(async () => {
  await browser.close();
  await sandbox.close();
  product.closeAllConnections();
  product.close();
});

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const query = { client_id: crmApp.clientId, redirect_uri: `${productUrl}/oauth`, scope: productScopes.join(' ') };
  await page.goto(`${sandbox.url}/oauth/authorize?${new URLSearchParams({ ...query, state: 'kept' })}`);
  return page;
}

const idOf = (hub: HubCredentials, user: number) => String(hub.users[user]?.userId);
const hubOf = (page: Page) => page.locator('input[name="hub_id"]:checked').inputValue();
const userOf = (page: Page) => page.getByLabel('User').inputValue();

/** The account and user that the browser returns with, by its code. */
async function readReturn(page: Page) {
  await page.waitForURL(`${productUrl}/oauth?**`);
  const { searchParams } = new URL(page.url());
  expect(searchParams.get('state')).toBe('kept');
  const code = searchParams.get('code');
  if (!code) return searchParams.get('error');
  const form = {
    grant_type: 'authorization_code',
    client_id: crmApp.clientId,
    client_secret: crmApp.clientSecret,
    redirect_uri: `${productUrl}/oauth`,
    code,
  };
  const answer = await fetch(`${sandbox.url}/oauth/2026-09/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { user_id } = (await answer.json()) as { user_id: number };
  return String(user_id);
}

test('choosing an account selects its user, and choosing a user selects the account', async () => {
  const page = await open();
  await page.getByRole('radio', { name: physio.name, exact: true }).check();
  expect(await userOf(page)).toBe(idOf(physio, 0));
  expect(await page.locator('optgroup:not([hidden]) option').count()).toBe(2);
  await page.getByLabel('User').selectOption(idOf(vet, 1));
  expect(await hubOf(page)).toBe(String(vet.hubId));
  await page.getByRole('button', { name: 'Grant access' }).click();
  expect(await readReturn(page)).toBe(idOf(vet, 1));
});

test('access can be granted by keyboard alone', async () => {
  const page = await open();
  await page.getByRole('radio', { name: dental.name }).focus();
  for (const key of ['ArrowDown', 'Tab', 'ArrowDown', 'Tab', 'Enter']) await page.keyboard.press(key);
  expect(await readReturn(page)).toBe(idOf(physio, 1));
});

test('the page reloads with the users of the chosen account without JavaScript', async () => {
  const page = await open({ javaScriptEnabled: false });
  await page.getByRole('radio', { name: vet.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.getByRole('alert').waitFor();
  expect([await hubOf(page), await userOf(page)]).toEqual([String(vet.hubId), idOf(vet, 0)]);
  await page.getByRole('button', { name: 'Grant access' }).click();
  expect(await readReturn(page)).toBe(idOf(vet, 0));
});

test('the page names the app, and mentions the sandbox only in elements marked as such', async () => {
  const page = await open();
  const bodyText = async () => (await page.locator('body').innerText()).toLowerCase();
  expect(await bodyText()).toContain(`${crmApp.name.toLowerCase()} asks to read`);
  expect(await bodyText()).toContain('a simulation on this machine');
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[data-sandbox]')) part.remove();
  });
  for (const word of ['sandbox', 'simulation', 'localhost', 'fail', 'whoever'])
    expect(await bodyText()).not.toContain(word);
  await page.getByRole('button', { name: 'Grant access' }).click();
  expect(await readReturn(page)).toBe(idOf(dental, 0));
});

test('Deny returns to the app with an error', async () => {
  const page = await open();
  await page.getByRole('button', { name: 'Deny' }).click();
  expect(await readReturn(page)).toBe('access_denied');
});
