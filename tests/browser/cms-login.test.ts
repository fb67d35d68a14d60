import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { DESKTOP, expectAccessible, PHONE, type Theme, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { logIn as logInMerchant } from './merchant.ts';
import { expectGood } from './payer.ts';
import { freshEmail, PASSWORD, useWriters } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

const VIEWS: [Theme, typeof PHONE][] = [
  ['light', DESKTOP],
  ['dark', PHONE],
];

describe('login to the content area', () => {
  it.each(VIEWS)('takes a user from the login to the screens and out again (%s)', async (theme, viewport) => {
    const { email, name } = await writers.makeWriter();
    const page = await newPage({ theme, viewport, expected: /401/ });
    await page.goto(`${appUrl}/cms/posts`);
    await page.waitForURL(`${appUrl}/cms/login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: /CRM/ }).getAttribute('href')).toBe('/login');

    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('Please enter your email address.').waitFor();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('alert').getByText('Login failed').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cms_token'))).toBeNull();

    await writers.logIn(page, email);
    if (viewport === PHONE) await page.getByRole('button', { name: 'Menu' }).click();
    await page.getByText(`Welcome, ${name}`).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cms_token'))).toMatch(/^\S+\.\S+\.\S+$/);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${appUrl}/cms/login`);
    expect(await page.evaluate(() => localStorage.getItem('cms_token'))).toBeNull();
    await page.goto(`${appUrl}/cms/media`);
    await page.waitForURL(`${appUrl}/cms/login`);
  });

  it('keeps out a merchant and a visitor who has only the cookies', async () => {
    const page = await newPage({ expected: /401/ });
    await logInMerchant(page, appUrl, hubs[0]);
    await page.goto(`${appUrl}/cms/posts`);
    await page.waitForURL(`${appUrl}/cms/login`);
    const { email } = await writers.makeWriter();
    await writers.logIn(page, email);
    await page.evaluate(() => localStorage.removeItem('cms_token'));
    await page.goto(`${appUrl}/cms/pages`);
    await page.waitForURL(`${appUrl}/cms/login`);
  });

  it('returns to the same screen after a login and renews an expired token', async () => {
    const { email } = await writers.makeWriter();
    const page = await newPage({ expected: /401/ });
    await writers.logIn(page, email);
    // An invalid token that the browser can still renew.
    await page.evaluate(() => localStorage.setItem('cms_token', 'a.b.c'));
    await page.goto(`${appUrl}/cms/pages`);
    await page.getByRole('heading', { level: 1, name: 'Pages' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('cms_token'))).not.toBe('a.b.c');
    // Without cookies it cannot be renewed.
    await page.evaluate(() => localStorage.setItem('cms_token', 'a.b.c'));
    await page.context().clearCookies();
    await page.getByRole('link', { name: 'Media' }).click();
    await page.waitForURL(`${appUrl}/cms/login`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${appUrl}/cms/media`);
  });
});

/** Expects the next call of the screen, by a click or by an earlier poll of the build, to lead to the login. */
async function expectLoggedOut(page: Page): Promise<void> {
  const ended = page.getByText('Your session has ended. Log in again.');
  await page.getByRole('link', { name: 'Posts', exact: true }).or(ended).first().click();
  await ended.waitFor();
}

describe('a content account', () => {
  it.each(VIEWS)('waits for an owner’s approval after registration (%s)', async (theme, viewport) => {
    const email = freshEmail();
    const page = await newPage({ theme, viewport, expected: /422|ERR_FAILED/ });
    await page.goto(`${appUrl}/register`);
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Name').fill('Ada Young');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill('something else');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Passwords do not match').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('password123456');
    await page.getByLabel('Confirm password').fill('password123456');
    await page.getByText('Passwords do not match').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('This password is too easy to guess.').waitFor();
    await page.route('**/api/auth/register', (route) => route.abort());
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('alert').getByText('Registration failed').waitFor();
    await page.unroute('**/api/auth/register');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Your account is waiting for the owner.').waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => [!!localStorage.getItem('token'), localStorage.getItem('cms_token')])).toEqual([
      true,
      null,
    ]);
    await page.goto(`${appUrl}/cms`);
    await page.waitForURL(`${appUrl}/cms/login`);

    const owner = await newPage({ theme, viewport });
    await writers.logIn(owner, writers.owner, writers.ownerPassword);
    await owner.goto(`${appUrl}/cms/users`);
    const row = owner.getByRole('listitem').filter({ hasText: email });
    await row.getByRole('button', { name: 'Approve as editor' }).click();
    await row.getByRole('combobox').waitFor();
    await expectAccessible(owner);
    await writers.logIn(page, email);
    // Only owners see the list of writers.
    expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0);
    await row.getByRole('button', { name: /Remove/ }).click();
    await owner.getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('can be refused while it waits, after a confirmation', async () => {
    const email = freshEmail();
    await writers.call('POST', '/api/auth/register', { name: 'Ada Young', email, password: PASSWORD });
    const owner = await newPage();
    await writers.logIn(owner, writers.owner, writers.ownerPassword);
    await owner.getByRole('link', { name: 'Users' }).click();
    const row = owner.getByRole('listitem').filter({ hasText: email });
    await row.getByRole('button', { name: 'Refuse Ada Young' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Refuse Ada Young?' });
    await dialog.getByText(`The account of ${email} is deleted.`).waitFor();
    await expectAccessible(owner);
    await owner.keyboard.press('Escape');
    expect(await row.count()).toBe(1);
    await row.getByRole('button', { name: 'Refuse Ada Young' }).click();
    await dialog.getByRole('button', { name: 'Refuse' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('shows why an account cannot be changed, also after the list is reloaded', async () => {
    const { email, name } = await writers.makeWriter('owner');
    const page = await newPage({ expected: /409/ });
    await writers.logIn(page, email);
    const message = 'There must be at least one owner. Make someone else an owner first.';
    await page.route('**/api/cms/users/*', (route) =>
      route.fulfill({ status: 409, json: { error: { code: 'conflict', message } } }),
    );
    await page.getByRole('link', { name: 'Users' }).click();
    const ownRow = page.getByRole('listitem').filter({ hasText: '(you)' });
    await ownRow.locator('strong', { hasText: name }).waitFor();
    let reads = 0;
    await page.route('**/api/cms/users', async (route) => {
      const list = await (await route.fetch()).text();
      await route.fulfill({ body: list.replaceAll(name, `Read ${++reads}`), contentType: 'application/json' });
    });
    await ownRow.getByRole('combobox').selectOption('editor');
    await ownRow.locator('strong', { hasText: 'Read 1' }).waitFor();
    expect(await page.getByText(message).count()).toBe(1);
    expect(await ownRow.getByRole('combobox').inputValue()).toBe('owner');
    await page.getByRole('button', { name: 'Close message' }).click();
    await ownRow.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await ownRow.locator('strong', { hasText: 'Read 2' }).waitFor();
    expect(await page.getByText(message).count()).toBe(1);
  });

  it('has invitations that can be withdrawn; focus stays nearby when a row is removed', async () => {
    const invited = [freshEmail(), freshEmail()];
    const waiting = freshEmail();
    await writers.call('POST', '/api/auth/register', { name: 'Ada Young', email: waiting, password: PASSWORD });
    const token = await writers.ownerToken();
    for (const email of invited)
      await writers.call('POST', '/api/cms/users/invitations', { email, role: 'editor' }, token);
    const owner = await newPage();
    await writers.logIn(owner, writers.owner, writers.ownerPassword);
    await owner.getByRole('link', { name: 'Users' }).click();
    const focused = () => owner.evaluate(() => document.activeElement?.textContent);
    for (const email of invited) {
      await owner.getByRole('button', { name: `Cancel invitation of ${email}` }).click();
      await owner.getByRole('dialog').getByRole('button', { name: 'Cancel invitation' }).click();
      await owner.getByRole('listitem').filter({ hasText: email }).waitFor({ state: 'detached' });
      await expect.poll(focused).toBe('Invite someone');
    }
    const row = owner.getByRole('listitem').filter({ hasText: waiting });
    await row.getByRole('button', { name: 'Refuse Ada Young' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Refuse' }).click();
    await row.waitFor({ state: 'detached' });
    // The section disappears with its last request.
    await expect.poll(focused).toMatch(/^(Waiting for you|Who writes here)$/);
    await expectAccessible(owner);
  });

  it('is created by a single-use invitation, with its rights from the start', async () => {
    const email = freshEmail();
    const owner = await newPage({ expected: /409/ });
    await writers.logIn(owner, writers.owner, writers.ownerPassword);
    await owner.getByRole('link', { name: 'Users' }).click();
    await owner.getByLabel('Email').fill(email);
    await owner.getByRole('button', { name: 'Invite' }).click();
    await owner
      .getByRole('list', { name: 'Open invitations' })
      .getByRole('listitem')
      .filter({ hasText: email })
      .waitFor();
    const link = await writers.linkTo(email, '/register');

    const page = await newPage({ expected: /410/ });
    await page.goto(link);
    await page.getByText('You are invited to write for this site as an editor.').waitFor();
    expect(page.url()).not.toContain('invitation');
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await page.getByLabel('Name').fill('Bo Lind');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(`${appUrl}/cms`);
    await page.getByText('Welcome, Bo Lind').waitFor();
    // The link also works in a tab that already shows the registration page.
    await page.goto(`${appUrl}/register`);
    await page.getByRole('button', { name: 'Register' }).waitFor();
    await page.goto(link);
    await page.getByText('This invitation is no longer valid. Please ask for a new one.').waitFor();
  });

  it('gets a new password through a single-use mailed link, which ends all its sessions', async () => {
    const { email } = await writers.makeWriter();
    const otherSession = await newPage({ expected: /401/ });
    await writers.logIn(otherSession, email);
    const page = await newPage();
    await page.goto(`${appUrl}/cms/login`);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Check your mailbox.').waitFor();
    const link = await writers.linkTo(email, '/cms/login');

    // Opens the link in the tab that requested it.
    await page.goto(link);
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
    expect(page.url()).not.toContain('reset');
    await expectGood(page, 'cms-reset');
    await page.getByLabel('New password', { exact: true }).fill('seven patient herons');
    await page.getByLabel('Confirm password').fill('seven patient herons');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await writers.logIn(page, email, 'seven patient herons');
    await expectLoggedOut(otherSession);

    const lateVisitor = await newPage({ expected: /410/ });
    await lateVisitor.goto(link);
    await lateVisitor.getByLabel('New password', { exact: true }).fill('eight patient herons');
    await lateVisitor.getByLabel('Confirm password').fill('eight patient herons');
    await lateVisitor.getByRole('button', { name: 'Change password' }).click();
    await lateVisitor.getByText('This link is no longer valid. Please ask for a new one.').waitFor();
    await lateVisitor.getByRole('button', { name: 'Ask for a new link' }).click();
    await lateVisitor.getByRole('heading', { name: 'A new password' }).waitFor();
  });

  it('changes its password only with the current one; password fields are masked and accept pasting', async () => {
    const { email, name } = await writers.makeWriter();
    const otherSession = await newPage({ expected: /401/ });
    await writers.logIn(otherSession, email);
    const page = await newPage({ expected: /422/ });
    await writers.logIn(page, email);
    await page.getByRole('link', { name: `Welcome, ${name}` }).click();
    await page.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await expectGood(page, 'cms-account');
    const [current, next, again] = ['Current password', 'New password', 'Confirm password'].map((label) =>
      page.getByLabel(label, { exact: true }),
    );
    for (const field of [current, next, again]) expect(await field?.getAttribute('type')).toBe('password');
    await current?.fill('not the password');
    for (const field of [next, again]) {
      await field?.focus();
      await field?.evaluate((element) => {
        const data = new DataTransfer();
        data.setData('text/plain', 'six unhurried storks');
        const isRead = element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));
        if (!isRead) throw new Error('the field refuses the pasted text');
      });
      await field?.fill('six unhurried storks');
    }
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    await current?.fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed. Other browsers are logged out.').waitFor();
    await page.getByRole('link', { name: 'Posts', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Posts' }).waitFor();
    await expectLoggedOut(otherSession);
    await writers.logIn(await newPage(), email, 'six unhurried storks');
  });
});
