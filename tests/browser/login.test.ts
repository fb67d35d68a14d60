import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { DESKTOP, expectAccessible, PHONE, picture, type Theme, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { logIn } from './merchant.ts';
import { expectGood } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const [dental, physio, vet] = hubs;

const VIEWS: [Theme, typeof PHONE][] = [
  ['light', DESKTOP],
  ['dark', PHONE],
];

describe('a merchant', () => {
  it.each(VIEWS)('logs in, sees the logged-in user, renews the token and logs out (%s)', async (theme, viewport) => {
    const page = await newPage({ theme, viewport });
    await page.goto(`${product.appUrl}/login`);
    await logIn(page, product.appUrl, dental);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${product.appUrl}/userinfo`);
    await page
      .getByRole('region', { name: 'User', exact: true })
      .getByText(dental.users[0]?.email ?? '')
      .waitFor();
    await page.getByText('Scope 7', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, `user-info-${theme}`);
    const renewed = page.waitForResponse(/refresh-access-token$/);
    await page.getByRole('button', { name: 'Refresh Access Token' }).click();
    expect((await renewed).status()).toBe(200);
    await page.waitForLoadState('networkidle');
    await page.getByText(dental.domain, { exact: true }).waitFor();
    expect(page.url()).not.toContain('authToken');
    await page
      .getByRole('button', { name: 'Logout' })
      .or(page.getByRole('link', { name: 'Logout' }))
      .last()
      .click();
    await page.waitForURL(`${product.appUrl}/`);
    await page.getByRole('heading', { name: 'Secure Payment Solutions for Modern Business' }).waitFor();
    await page.goto(`${product.appUrl}/userinfo`);
    await page.waitForURL(`${product.appUrl}/login`);
  });

  it('is logged out in every tab after logging out in one', async () => {
    const page = await newPage({ expected: /401/ });
    await logIn(page, product.appUrl, dental);
    const otherTab = await page.context().newPage();
    await otherTab.goto(`${product.appUrl}/logout`);
    await otherTab.waitForURL(`${product.appUrl}/`);
    // This tab may notice at the same moment and already be navigating.
    await page.goto(`${product.appUrl}/userinfo`).catch(() => undefined);
    await page.waitForURL(`${product.appUrl}/login`);
  });

  it('returns from the login to the host name it started at, with no token left in address or history', async () => {
    const page = await newPage();
    const otherHost = product.appUrl.replace('localhost', '127.0.0.1');
    const addresses: string[] = [];
    page.on('request', (request) => addresses.push(request.url()));
    await page.goto(`${otherHost}/login`);
    await page.getByRole('link', { name: 'Login with CRM' }).click();
    await page.getByRole('radio', { name: dental.name }).check();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await page.waitForURL(`${otherHost}/`);
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
    expect(addresses.some((url) => url.startsWith(`${otherHost}/?authToken=`))).toBe(true);
    expect(await page.evaluate(() => `${document.referrer} ${document.cookie}`)).not.toContain('?');
    await page.goBack();
    expect(page.url()).not.toContain('authToken');
  });

  it('finds the login for content staff beside the CRM login', async () => {
    const page = await newPage();
    await page.goto(`${product.appUrl}/login`);
    await page.getByText('Content staff?').waitFor();
    expect(await page.getByRole('link', { name: 'Log in here' }).getAttribute('href')).toBe('/cms/login');
    await expectAccessible(page);
  });

  it('gets an explanation after denying access and can start again', async () => {
    const page = await newPage();
    await page.goto(`${product.appUrl}/login`);
    await page.getByRole('link', { name: 'Login with CRM' }).click();
    await page.getByRole('radio', { name: dental.name }).check();
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('Login was cancelled.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Login with CRM' }).waitFor();
  });
});

describe('a clinic', () => {
  it.each(VIEWS)('sees its application link, its log and a way out after applying (%s)', async (theme, viewport) => {
    const page = await newPage({ theme, viewport });
    await logIn(page, product.appUrl, vet);
    await page.getByRole('heading', { name: vet.name }).waitFor();
    const link = page.getByRole('link', { name: 'Complete Setup Process' });
    expect(await link.getAttribute('href')).toContain(product.sandboxUrl);
    const applied = page.getByRole('listitem').filter({ hasText: 'Applied' });
    expect(await applied.locator('time').innerText()).toMatch(/\d{4}.*\d:\d\d/);
    await expectAccessible(page);
    // On a later call the server may list no steps.
    await page.route('**/api/token/get-merchant-data', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), logs: [] } });
    });
    await page.getByText('No logs available.').waitFor();
  });

  it('signs up, is approved and boarded by the provider, and the dashboard opens without a reload', async () => {
    await product.forgetMerchant(physio.hubId);
    const page = await newPage({ expected: /422/ });
    await logIn(page, product.appUrl, physio);
    await page.getByRole('heading', { name: 'Merchant Account Sign Up' }).waitFor();
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Please enter a business name of 1 to 100 characters.').waitFor();
    await expectGood(page, 'sign-up-refused');
    await page.getByLabel('DBA Name:').fill('Harbor Physio');
    await page.getByRole('button', { name: 'Submit' }).click();
    const link = page.getByRole('link', { name: 'Complete Setup Process' });
    await link.waitFor();
    await expectGood(page, 'merchant-information');

    // The page of the provider, where its staff decide.
    const provider = await page.context().newPage();
    await provider.goto((await link.getAttribute('href')) ?? '');
    for (const name of ['Approve', 'Board']) await provider.getByRole('button', { name, exact: true }).click();
    // Chromium ignores the close of a tab that is navigating, so wait for the answer to the form.
    await provider.getByRole('row', { name: /^Boarded .* delivered \(204\)$/ }).waitFor();
    await provider.close();
    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor({ timeout: 30_000 });
    await expectAccessible(page);
  });
});
