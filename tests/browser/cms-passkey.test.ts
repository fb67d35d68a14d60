import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { PASSWORD, useWriters } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const { appUrl } = product;
const writers = useWriters(product);

/** Adds a virtual authenticator that presents its passkeys without a prompt. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

const typePassword = async (page: Page, email: string) => {
  await page.goto(`${appUrl}/cms/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
};
const waitForDashboard = (page: Page) => page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
const logOut = async (page: Page) => {
  await page.evaluate(() => localStorage.removeItem('cms_token'));
  await page.context().clearCookies();
};

describe('a passkey of a content account', { timeout: 120_000 }, () => {
  it('is created with the password, required at the next login, and replaced by a single-use recovery code', async () => {
    const { email } = await writers.makeWriter();
    const page = await newPage({ expected: /401/ });
    await writers.logIn(page, email);
    await page.goto(`${appUrl}/cms/account`);
    await page.getByRole('heading', { name: 'Passkeys' }).waitFor();
    await expectAccessible(page);
    await addAuthenticator(page);
    await page.getByLabel('Name of the passkey').fill('Laptop');
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Make a passkey' }).click();
    await page.getByText('Your recovery codes are shown this once.').waitFor();
    await page.getByText(/^Laptop, since/).waitFor();
    const codes = await page.locator('.passkey-codes code').allInnerTexts();
    expect(codes).toHaveLength(8);
    // The codes are in columns, and the button of each passkey is at the right edge.
    const tops = async (selector: string) =>
      Promise.all((await page.locator(selector).all()).map(async (part) => (await part.boundingBox())?.y ?? 0));
    expect(new Set(await tops('.passkey-codes li')).size).toBeLessThan(codes.length);
    const remove = await page.getByRole('button', { name: 'Remove Laptop' }).boundingBox();
    const list = await page.locator('.passkey-list').boundingBox();
    expect((remove?.x ?? 0) + (remove?.width ?? 0)).toBeCloseTo((list?.x ?? 0) + (list?.width ?? 0), 0);
    await expectAccessible(page);
    await picture(page, 'content-passkeys');

    await logOut(page);
    await typePassword(page, email);
    await page.getByRole('heading', { name: 'Confirm your identity' }).waitFor();
    await page.getByRole('button', { name: 'Show your passkey' }).click();
    await waitForDashboard(page);

    const logInWithCode = async () => {
      await logOut(page);
      await typePassword(page, email);
      await page.getByRole('button', { name: 'I lost my passkey' }).click();
      await page.getByLabel('Recovery code').fill(codes[0] ?? '');
      await page.getByRole('button', { name: 'Log in', exact: true }).click();
    };
    await logInWithCode();
    await waitForDashboard(page);
    await logInWithCode();
    await page.getByText('Login failed').first().waitFor();
    await page.getByLabel('Password').waitFor();
  });
});
