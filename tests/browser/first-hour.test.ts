import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { FirstHour } from '#shared/contracts/staff/first-hour';
import {
  doubleText,
  focusNeverHidden,
  forcedColours,
  labelInName,
  reflow,
  targetSize,
  textSpacing,
} from '#tests/support/browser/beyond-axe';
import { expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { fresh, serveToday } from '#tests/support/servers/today-server';
import { accounts } from '#worker/data/schema/schema';
import { useMerchant, VIEWS } from './merchant.ts';
import { draw, expectText, fillCard, fillDetails, payButton, succeeded } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const [dental, physio] = hubs;
const own = physio.users[0]?.email ?? '';

/** Everything that a person presses on the way, in words for the report; typing into a field is none. */
function pressing() {
  const pressed: string[] = [];
  return {
    pressed,
    press: async (what: string, target: Locator) => {
      pressed.push(what);
      await target.click();
    },
    also: (what: string) => void pressed.push(what),
  };
}

const list = (page: Page) => page.getByRole('region', { name: 'Your first hour' });
const step = (page: Page, title: string) =>
  list(page)
    .getByRole('listitem')
    .filter({ has: page.locator('.first-hour-title', { hasText: new RegExp(`^${title}`) }) });
/** A step's title is followed by ": done" for screen readers. */
const isDone = async (page: Page, title: string) => (await step(page, title).innerText()).includes(': done');

const isTooWide = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);

/** Holds what is fetched from such an address until it is released. */
async function hold(page: Page, address: RegExp) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await held;
    await route.continue();
  });
  return { release };
}

describe('first-hour checklist of a clinic', () => {
  it('takes a clinic from consent to a paid test link within 12 presses and 10 minutes', async () => {
    await product.forgetMerchant(physio.hubId);
    const page = await newPage();
    const { press, also, pressed } = pressing();
    await page.goto(`${product.appUrl}/login`);
    await page.getByRole('link', { name: 'Login with CRM' }).click();
    const grant = page.getByRole('button', { name: 'Grant access' });
    await grant.waitFor();

    const began = Date.now();
    await press(`the account, at the CRM`, page.getByRole('radio', { name: physio.name }));
    await press('Grant access', grant);
    await page.getByRole('heading', { name: 'Merchant Account Sign Up' }).waitFor();
    await expectText(step(page, 'What you need'), /EIN .* bank letter/);
    await expectText(step(page, 'Application'), /Waits for you since/);
    await expectAccessible(page);
    await picture(page, 'first-hour-sign-up');
    await page.getByLabel('DBA Name:').fill(physio.name);
    await press('Submit', page.getByRole('button', { name: 'Submit' }));
    const setUp = page.getByRole('link', { name: 'Complete Setup Process' });
    await setUp.waitFor();
    await expectText(step(page, 'Application'), /Complete the set-up/);
    await picture(page, 'first-hour-applied');
    const opened = page.context().waitForEvent('page');
    await press('Complete Setup Process', setUp);
    const provider = await opened;
    for (const name of ['Sign', 'Approve', 'Board']) {
      await press(`${name}, at the card provider`, provider.getByRole('button', { name }));
      await provider.waitForLoadState();
    }
    await provider.getByRole('row', { name: /^Boarded .* delivered \(204\)$/ }).waitFor();
    await provider.close();

    await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor({ timeout: 30_000 });
    await expect.poll(() => isDone(page, 'Your CRM'), { timeout: 30_000 }).toBe(true);
    await expectText(step(page, 'Your CRM'), /46 invoices(, read in \d+ seconds?)?\./);
    await expectText(step(page, 'Terminals'), /3 terminals are ready\./);
    await picture(page, 'first-hour-boarded');
    await press('Send test link', list(page).getByRole('button', { name: 'Send test link' }));
    await expectText(step(page, 'A test link to yourself'), new RegExp(`Went to ${own}`));

    const mailbox = await page.context().newPage();
    await mailbox.goto(`${product.sandboxUrl}/mail?to=${encodeURIComponent(own)}`);
    await press('the mail', mailbox.getByRole('link', { name: /^Test: Invoice/ }).first());
    const opens = page.context().waitForEvent('page');
    await press(
      'Pay this invoice, in the mail',
      mailbox.frameLocator('iframe[title="The mail as HTML"]').getByRole('link', { name: 'Pay this invoice' }),
    );
    const pay = await opens;
    await payButton(pay).waitFor();
    await fillDetails(pay);
    await fillCard(pay);
    await draw(pay);
    also('the signature');
    await press('Pay', payButton(pay));
    await succeeded(pay).waitFor();
    const minutes = (Date.now() - began) / 60_000;

    await page.bringToFront();
    await expectText(step(page, 'A test link to yourself'), /First payment: \$/);
    console.info(`consent to the first paid link: ${pressed.length} presses, ${minutes.toFixed(1)} minutes`);
    console.info(pressed.map((what, at) => `${at + 1}. ${what}`).join('\n'));
    expect(pressed.length).toBeLessThanOrEqual(12);
    expect(minutes).toBeLessThanOrEqual(10);
  });

  describe('on the dashboard while steps remain', () => {
    const setEnded = (firstHourEndedAt: number | null) =>
      product
        .deps()
        .db.update(accounts)
        .set({ firstHourEndedAt, mailsSeenAt: null })
        .where(eq(accounts.accountId, dental.hubId));
    beforeAll(() => setEnded(null));
    afterAll(() => setEnded(Date.now()));

    it.each(VIEWS)('appears after the first paint without moving what is below it (%s)', async (name, options) => {
      const page = await merchantPage(options);
      // Payments of other tests would move what is below them.
      await serveToday(page, fresh());
      const code = await hold(page, /\/_astro\/FirstHour\.[^/]*\.js$/);
      const answer = await hold(page, /\/api\/first-hour$/);
      await page.goto(product.appUrl);
      const device = page.getByRole('region', { name: 'Front desk 1' });
      await device.getByRole('listitem').first().waitFor();
      const top = async () => (await device.boundingBox())?.y;
      const before = await top();
      code.release();
      await list(page).waitFor();
      expect(await top()).toBe(before);
      answer.release();
      await expectText(step(page, 'Application'), /Approved/);
      expect(await top()).toBe(before);
      await settle(page);
      expect(await isTooWide(page)).toBe(false);
      await expectAccessible(page);
      await picture(page, `first-hour-${name.replace(' ', '-')}`);
      const found: string[] = [];
      for (const check of [labelInName, targetSize, forcedColours, textSpacing, doubleText, focusNeverHidden, reflow])
        found.push(...(await check(page)));
      expect(found.join('\n')).toBe('');
    });

    it('shows the mails as customers get them and records that an administrator has seen them', async () => {
      const page = await merchantPage();
      await page.goto(product.appUrl);
      await step(page, 'The mails').getByRole('button', { name: 'Show mails' }).click();
      const dialog = page.getByRole('dialog', { name: 'Is this what your customers should get?' });
      await dialog.getByRole('region', { name: 'With a pay link' }).waitFor();
      await expectText(dialog, /Amount due: \$/);
      expect(await dialog.innerText()).toContain('/make/payment/…');
      await expectAccessible(page);
      await picture(page, 'first-hour-mails');
      await dialog.getByRole('button', { name: 'It looks right' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => isDone(page, 'The mails')).toBe(true);
    });

    it('links an administrator to the team while no other staff member can log in', async () => {
      const page = await merchantPage();
      await page.route('**/api/first-hour', async (route) => {
        const answer = await route.fetch();
        const view = (await answer.json()) as FirstHour;
        for (const one of view.steps) if (one.name === 'staff') one.is_done = false;
        await route.fulfill({ response: answer, json: view });
      });
      await page.goto(product.appUrl);
      await step(page, 'Your staff').getByRole('link', { name: 'Invite staff' }).click();
      await page.waitForURL(`${product.appUrl}/account/team`);
      await page.getByRole('heading', { name: 'Invite a colleague' }).waitFor();
    });

    it('can be hidden for all staff and restored at once', async () => {
      const page = await merchantPage();
      await page.goto(product.appUrl);
      const away = list(page).getByRole('button', { name: 'Hide' });
      await away.click();
      await list(page).getByText('This list is hidden for everyone.').waitFor();
      await list(page).getByRole('button', { name: 'Show it again' }).click();
      await away.click();
      await list(page).getByText('This list is hidden for everyone.').waitFor();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.reload();
      await page.getByRole('region', { name: 'Front desk 1' }).getByRole('listitem').first().waitFor();
      expect(await list(page).count()).toBe(0);
      // Nothing of it is loaded where it is not shown.
      expect(asked.filter((url) => /FirstHour\.|first-hour/.test(url))).toEqual([]);
    });
  });
});
