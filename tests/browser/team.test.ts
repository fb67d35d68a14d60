import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { logIn, VIEWS } from './merchant.ts';
import { act, CODE, invite, join, newPerson, readFromMail } from './staff.ts';

const product = useProduct();
const newPage = useBrowser();
const { appUrl } = product;
const [dental] = hubs;
const REFUSED = /40[139]|410|422/;

/** Opens a page of the account's first administrator in a separate session. */
async function adminPage(options: Parameters<typeof newPage>[0] = {}) {
  const page = await newPage({ expected: REFUSED, ...options });
  await logIn(page, appUrl, dental);
  await page.evaluate(() => localStorage.setItem('cookieConsent', 'accepted'));
  return page;
}

describe('the screens under Account', () => {
  it.each([
    ['/account/team', 'Members', 'Invite a colleague'],
    ['/account/payments', 'Bank account', 'Partial payments'],
    ['/userinfo', 'Passkeys and PIN', 'Sessions'],
    ['/account/records', 'Download everything', 'Close the account'],
  ])('fill a wide window with two columns, and a phone with one: %s', async (path, first, second) => {
    const page = await adminPage();
    const boxOf = async (name: string) => {
      const box = await page.getByRole('heading', { name, exact: true }).boundingBox();
      if (!box) throw new Error(`${name} is not visible`);
      return box;
    };
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(appUrl + path);
    await page.getByRole('heading', { name: second, exact: true }).waitFor();
    expect((await boxOf(second)).x).toBeGreaterThan(640);
    expect((await boxOf(first)).x).toBeLessThan(640);
    await page.setViewportSize({ width: 390, height: 844 });
    const [above, below] = [await boxOf(first), await boxOf(second)];
    expect(below.x).toBe(above.x);
    expect(below.y).toBeGreaterThan(above.y);
  });
});

describe('an invited person', () => {
  it.each(VIEWS)(
    'sees the inviter, the clinic and the role, can accept once, and works without the CRM (%s)',
    async (_name, view) => {
      const admin = await adminPage();
      const person = newPerson('Ana');
      const link = await invite(product, admin, person, 'Front desk');

      const page = await newPage({ ...view, expected: REFUSED });
      await page.goto(link);
      await page.getByRole('heading', { name: `Join ${dental.name}` }).waitFor();
      await page.getByText(`invites ${person.name} to work with`).waitFor();
      await page.getByText('as front desk staff').waitFor();
      await picture(page, `join-${view.theme}`);
      await join(page, link, appUrl);
      await page.getByRole('button', { name: /^Account, / }).click();
      await page.getByRole('button', { name: 'Switch person' }).waitFor();
      expect(await page.getByRole('link', { name: 'Team' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: /^Close Batch/ }).count()).toBe(0);

      const lateVisitor = await newPage({ expected: REFUSED });
      await lateVisitor.goto(link);
      await lateVisitor.getByRole('heading', { name: 'This invitation has ended' }).waitFor();
      await expectAccessible(lateVisitor);

      await admin.goto(`${appUrl}/account/team`);
      await act(admin, `Remove ${person.name}`, 'Remove');
      await admin.getByText(`${person.name} was removed.`).waitFor();
      await page.goto(`${appUrl}/invoices`);
      await page.waitForURL(`${appUrl}/login?login=removed`);
    },
  );

  it.each(VIEWS)('logs in with a mailed code, sees all their sessions and ends them (%s)', async (_name, view) => {
    const admin = await adminPage();
    const person = newPerson('Bo');
    const otherBrowser = await newPage({ expected: REFUSED });
    await join(otherBrowser, await invite(product, admin, person, 'Reader'), appUrl);

    const page = await newPage({ ...view, expected: REFUSED });
    await page.goto(`${appUrl}/login`);
    await picture(page, `login-ways-${view.theme}`);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('Code', { exact: true }).fill('00000000');
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByText('This code is wrong or has expired.').waitFor();
    await picture(page, `login-code-${view.theme}`);
    await page.getByLabel('Code', { exact: true }).fill(await readFromMail(product, person.email, CODE));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(`${appUrl}/`);

    // A reader sees no action that changes anything.
    await page.goto(`${appUrl}/openInvoices`);
    // The list starts with invoices of other tests.
    await page.locator('main a[href^="/invoice/"]').first().waitFor();
    expect(await page.getByRole('button', { name: /^Email / }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Take Payment' }).count()).toBe(0);

    await page.goto(`${appUrl}/userinfo`);
    await page.getByText('This device', { exact: true }).waitFor();
    await picture(page, `sessions-${view.theme}`);
    const rows = page.getByRole('listitem').filter({ hasText: 'Last seen' });
    expect(await rows.count()).toBe(2);
    await rows.filter({ hasNotText: 'This device' }).getByRole('button').click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
    await expect.poll(() => rows.count()).toBe(1);
    await otherBrowser.goto(`${appUrl}/invoices`);
    await otherBrowser.waitForURL(`${appUrl}/login?login=ended`);
    await act(page, 'End all sessions', 'End all');
    await page.waitForURL(`${appUrl}/login`);

    await admin.goto(`${appUrl}/account/team`);
    await act(admin, `Remove ${person.name}`, 'Remove');
    await admin.getByText(`${person.name} was removed.`).waitFor();
  });
});

describe('team', () => {
  it.each(VIEWS)('lets its administrator change a role and withdraw an invitation (%s)', async (_name, view) => {
    const admin = await adminPage(view);
    const [person, guest] = [newPerson('Carla'), newPerson('Dan')];
    const page = await newPage({ expected: REFUSED });
    await join(page, await invite(product, admin, person, 'Front desk'), appUrl);
    await invite(product, admin, guest, 'Manager');
    await admin.getByText('Unconfirmed').waitFor();
    await picture(admin, `team-${view.theme}`);

    await admin.getByRole('button', { name: `Cancel the invitation of ${guest.name}` }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Cancel invitation' }).click();
    await admin.getByText('The invitation was cancelled.').waitFor();

    await admin.getByRole('button', { name: `Change role of ${person.name}` }).click();
    await admin
      .getByRole('dialog')
      .getByRole('radio', { name: /^Manager/ })
      .check();
    await expectAccessible(admin);
    await picture(admin, `change-role-${view.theme}`);
    await admin.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
    await admin.getByText(`${person.name} is now a manager.`).waitFor();
    await page.reload();
    await page
      .getByRole('button', { name: /^Close Batch/ })
      .first()
      .waitFor();

    await act(admin, `Remove ${person.name}`, 'Remove');
    await admin.getByText(`${person.name} was removed.`).waitFor();
  });

  it('refuses to remove its last administrator and says why', async () => {
    const admin = await adminPage();
    await admin.goto(`${appUrl}/account/team`);
    const ownRow = admin.getByRole('listitem').filter({ hasText: '(you)' });
    await ownRow.getByRole('button', { name: /^Remove/ }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await admin.getByRole('dialog').getByText('There must be at least one administrator.').waitFor();
    await expectAccessible(admin);
  });
});
