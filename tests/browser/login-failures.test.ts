import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { expectGood } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const [dental] = hubs;
const REFUSED = /status of (400|403|502)/;

const clearFaults = product.clearFaults;
const grantOnly = (scopes: string[] | null) => product.set({ granted_scopes: scopes });

async function grant(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('radio', { name: dental.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
}

/** Expects the page to name the failure without a session, and to allow a new login. */
async function expectRetry(page: Page, text: string, name: string): Promise<void> {
  await page.getByText(text, { exact: true }).waitFor();
  expect(await page.context().cookies()).not.toContainEqual(expect.objectContaining({ name: 'authToken' }));
  await expectGood(page, name);
  await clearFaults();
  await grantOnly(null);
  await grant(page);
  await page.waitForURL(`${product.appUrl}/`);
  await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
}

describe('a failed login', () => {
  afterEach(async () => {
    await clearFaults();
    await grantOnly(null);
  });

  it.each([
    ['did not start here', 'code=made-up&state=made-up'],
    ['comes back without a state', 'code=made-up'],
    ['comes back with two codes', 'code=one&code=two&state=made-up'],
  ])('has to be restarted when the redirect %s', async (_, query) => {
    const page = await newPage({ expected: REFUSED });
    const answer = await page.goto(`${product.appUrl}/oauth?${query}`);
    expect(answer?.status()).toBe(400);
    await expectRetry(page, 'Login could not be completed. Please start again.', 'login-invalid');
  });

  it('reports that the CRM does not answer', async () => {
    const page = await newPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/login`);
    await product.fault('/oauth/2026-09/token', '500', { times: 5 });
    await grant(page);
    await expectRetry(page, 'The CRM is not answering. Please try again.', 'login-crm-down');
  });

  it('asks for all scopes when too few were granted', async () => {
    const page = await newPage({ expected: REFUSED });
    await page.goto(`${product.appUrl}/login`);
    await grantOnly(['oauth', 'crm.objects.contacts.read']);
    await grant(page);
    await expectRetry(page, 'Please accept all permissions to continue.', 'login-missing-scopes');
  });
});
