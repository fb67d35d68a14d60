import { eq } from 'drizzle-orm';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { FirstHour } from '#shared/contracts/staff/first-hour';
import {
  checkDoubleText,
  checkFocusVisible,
  checkForcedColours,
  checkLabelInName,
  checkReflow,
  checkTargetSize,
  checkTextSpacing,
} from '#tests/support/browser/beyond-axe';
import { expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { newClinicToday, serveToday } from '#tests/support/servers/today-server';
import { accounts } from '#worker/data/schema/schema';
import { useMerchant, VIEWS } from './merchant.ts';
import { draw, expectText, fillCard, fillDetails, payButton, successHeading } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const [dental, physio] = hubs;
const ownEmail = physio.users[0]?.email ?? '';

/** Records each press with a label for the report. Typing into a field does not count. */
function recordPresses() {
  const presses: string[] = [];
  return {
    presses,
    press: async (label: string, target: Locator) => {
      presses.push(label);
      await target.click();
    },
    note: (label: string) => void presses.push(label),
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

/** Holds the requests to this address until they are released. */
async function hold(page: Page, address: RegExp) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return { release };
}

describe('first-hour checklist of a clinic', () => {
  it('takes a clinic from consent to a paid test link within 12 presses and 10 minutes', async () => {
    await product.forgetMerchant(physio.hubId);
    const page = await newPage();
    const { press, note, presses } = recordPresses();
    await page.goto(`${product.appUrl}/login`);
    await page.getByRole('link', { name: 'Login with CRM' }).click();
    const grant = page.getByRole('button', { name: 'Grant access' });
    await grant.waitFor();

    const startedAt = Date.now();
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
    const providerOpening = page.context().waitForEvent('page');
    await press('Complete Setup Process', setUp);
    const provider = await providerOpening;
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
    await expectText(step(page, 'A test link to yourself'), new RegExp(`Sent to ${ownEmail}`));

    const mailbox = await page.context().newPage();
    await mailbox.goto(`${product.sandboxUrl}/mail?to=${encodeURIComponent(ownEmail)}`);
    await press('the mail', mailbox.getByRole('link', { name: /^Test: Invoice/ }).first());
    const payPageOpening = page.context().waitForEvent('page');
    await press(
      'Pay this invoice, in the mail',
      mailbox.frameLocator('iframe[title="The mail as HTML"]').getByRole('link', { name: 'Pay this invoice' }),
    );
    const pay = await payPageOpening;
    await payButton(pay).waitFor();
    await fillDetails(pay);
    await fillCard(pay);
    await draw(pay);
    note('the signature');
    await press('Pay', payButton(pay));
    await successHeading(pay).waitFor();
    const minutes = (Date.now() - startedAt) / 60_000;

    await page.bringToFront();
    await expectText(step(page, 'A test link to yourself'), /First payment: \$/);
    console.info(`consent to the first paid link: ${presses.length} presses, ${minutes.toFixed(1)} minutes`);
    console.info(presses.map((label, at) => `${at + 1}. ${label}`).join('\n'));
    expect(presses.length).toBeLessThanOrEqual(12);
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

    it.each(VIEWS)('appears after the first paint without shifting the content below (%s)', async (name, options) => {
      const page = await merchantPage(options);
      // Payments of other tests would shift the content below.
      await serveToday(page, newClinicToday());
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
      const faults: string[] = [];
      for (const check of [
        checkLabelInName,
        checkTargetSize,
        checkForcedColours,
        checkTextSpacing,
        checkDoubleText,
        checkFocusVisible,
        checkReflow,
      ])
        faults.push(...(await check(page)));
      expect(faults.join('\n')).toBe('');
    });

    it('shows the mails as customers get them and records that an administrator has seen them', async () => {
      const page = await merchantPage();
      await page.goto(product.appUrl);
      await step(page, 'The emails').getByRole('button', { name: 'Show mails' }).click();
      const dialog = page.getByRole('dialog', { name: 'Is this what your customers should get?' });
      await dialog.getByRole('region', { name: 'With a payment link' }).waitFor();
      await expectText(dialog, /Amount due: \$/);
      expect(await dialog.innerText()).toContain('/make/payment/…');
      await expectAccessible(page);
      await picture(page, 'first-hour-mails');
      await dialog.getByRole('button', { name: 'It looks right' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => isDone(page, 'The emails')).toBe(true);
    });

    it('links an administrator to the team while no other staff member can log in', async () => {
      const page = await merchantPage();
      await page.route('**/api/first-hour', async (route) => {
        const answer = await route.fetch();
        const view = (await answer.json()) as FirstHour;
        for (const item of view.steps) if (item.name === 'staff') item.is_done = false;
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
      const hideButton = list(page).getByRole('button', { name: 'Hide' });
      await hideButton.click();
      await list(page).getByText('This list is hidden for everyone.').waitFor();
      await list(page).getByRole('button', { name: 'Show it again' }).click();
      await hideButton.click();
      await list(page).getByText('This list is hidden for everyone.').waitFor();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.reload();
      await page.getByRole('region', { name: 'Front desk 1' }).getByRole('listitem').first().waitFor();
      expect(await list(page).count()).toBe(0);
      // Neither its code nor its data is loaded while it is hidden.
      expect(requests.filter((url) => /FirstHour\.|first-hour/.test(url))).toEqual([]);
    });
  });
});
