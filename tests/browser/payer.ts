import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { DESKTOP, expectAccessible, picture, settle, type useBrowser } from '../support/browser/browser.ts';
import { complete } from '../support/complete-only.ts';

/** Actions of a payer on the pay page, by its visible texts. */

type NewPage = ReturnType<typeof useBrowser>;

export const CARDS = { approves: '4111111111111111', declines: '4000000000000002', breaks: '4000000000000119' };
export const PAYER = {
  'First Name': 'Marta',
  'Last Name': 'Núñez',
  Address: '4 Elm St',
  City: 'Indianapolis',
  State: 'IN',
  Zip: '46204',
};
const PHONE = { width: 360, height: 740 };
const NARROWEST = { width: 320, height: 740 };
/** Browsers log each refused request, so a test that provokes one must expect this line. */
export const REFUSED = /^Failed to load resource/;

let payers = 0;
/** Velocity limits count declines per address, so every payer has its own. */
const newAddress = () => {
  payers += 1;
  const part = (value: number) => (value % 65_536).toString(16);
  return `2001:db8:b::${part(process.pid)}:${part(Date.now())}:${part(payers)}`;
};

/** The page of a new payer in a fresh browser context. */
export const payerPage = (newPage: NewPage, options: Parameters<NewPage>[0] = {}) =>
  newPage({ extraHTTPHeaders: { 'cf-connecting-ip': newAddress() }, ...options });

export const cardFrame = (page: Page) =>
  page.frameLocator('iframe:is([title="Card details"], [title="Payment details"])');
export const cardNumber = (page: Page) => cardFrame(page).getByLabel('Card number');
export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay \$/ });
/** The form's own banner; the provider's alert is in a separate region. */
export const banner = (page: Page) => page.locator('.pay-form > .banner');
/** The start of the text in the decline box. */
export const DECLINED = new RegExp(
  [
    '^Payment Failed!',
    'There was an error processing your payment.',
    'Card declined.',
    'You have not been charged.',
    'Try another card, or ask your bank why.',
    'Details for support',
  ]
    .join(' ')
    .replaceAll('.', String.raw`\.`),
);

/** Opens a link and waits until the form can be used. */
export async function openForm(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.locator('button[type=submit]').waitFor();
  await cardNumber(page).waitFor();
}

export async function fillDetails(page: Page): Promise<void> {
  // Until its script runs, the built page shows the button but does not respond to it.
  await page.locator('button[type=submit]').waitFor();
  // The fields are collapsed when the address on file is offered.
  const change = page.getByRole('button', { name: 'Change', exact: true });
  if (await change.isVisible()) await change.click();
  for (const [label, value] of Object.entries(PAYER)) await page.getByLabel(label, { exact: true }).fill(value);
}

export async function fillCard(page: Page, card = CARDS.approves, code = '999'): Promise<void> {
  await cardNumber(page).fill(card);
  await cardFrame(page).getByLabel('Expiration').fill('1249');
  await cardFrame(page).getByLabel('Security code').fill(code);
}

export async function fillBank(page: Page): Promise<void> {
  const frame = cardFrame(page);
  await frame.getByRole('tab', { name: 'Bank account' }).click();
  await frame.getByLabel('Routing number').fill('021000021');
  await frame.getByLabel('Account number').fill('123456789');
  await frame.getByLabel('Account type').selectOption('Checking');
  await frame.getByLabel('Name on account').fill('Marta Nunez');
}

export const signaturePad = (page: Page) => page.getByRole('img', { name: /^Signature pad/ });

/** Draws one stroke across the pad. */
export async function draw(page: Page): Promise<void> {
  const pad = signaturePad(page);
  // A payer whose name is on file is offered a checkbox instead of the pad.
  if (!(await pad.isVisible())) await page.getByRole('button', { name: 'Sign another way' }).click();
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the pad is not on the page');
  await page.mouse.move(box.x + 40, box.y + 90);
  await page.mouse.down();
  for (let at = 1; at <= 24; at++) await page.mouse.move(box.x + 40 + at * 5, box.y + 80 - 30 * Math.sin(at / 3));
  await page.mouse.up();
}

/** Fills in the whole form without pressing Pay. */
export async function fillForm(page: Page, card = CARDS.approves): Promise<void> {
  await fillDetails(page);
  await fillCard(page, card);
  await draw(page);
}

/** Opens a link, fills in the form and presses Pay. */
export async function payWith(page: Page, address: string, card = CARDS.approves): Promise<void> {
  await openForm(page, address);
  await fillForm(page, card);
  await payButton(page).click();
}

export const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
export const confirmingHeading = (page: Page) => heading(page, 'We are confirming your payment');
export const successHeading = (page: Page) => heading(page, 'Payment Successful!');

/** Label → value of the rows in a section of the page. */
export async function rowsOf(section: Locator): Promise<Record<string, string>> {
  const rows = await section.locator('dl > div').all();
  // A no-break space reads like a normal space.
  const read = async (part: Locator) => (await part.innerText()).replaceAll('\u00a0', ' ').trim();
  const pairs = rows.map(
    async (row): Promise<[string, string]> => [await read(row.locator('dt')), await read(row.locator('dd'))],
  );
  return Object.fromEntries(await Promise.all(pairs));
}

/** The same timeout as for other browser actions, because the change may wait for a response of the provider. */
const PATIENT = { timeout: 30_000 };

/** Expects the focus on the target; polls, because the focus moves after the page has changed. */
export const expectFocus = (target: Locator) =>
  expect.poll(() => target.evaluate((element) => element === document.activeElement), PATIENT).toBe(true);

export const expectText = (target: Locator, expected: string | RegExp) =>
  expect
    .poll(async () => (await target.innerText()).replace(/\s+/g, ' ').trim(), PATIENT)
    .toMatch(
      typeof expected === 'string' ? new RegExp(`^${expected.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`) : expected,
    );

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

/** Scrolls to the frame once before the picture, because Chromium does not paint frames that are out of sight. */
async function takePicture(page: Page, name: string): Promise<void> {
  const frame = page.locator('iframe').last();
  if (await frame.isVisible()) await frame.scrollIntoViewIfNeeded();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await page.evaluate(() => window.scrollTo(0, 0));
  await picture(page, name);
}

const SIZES = [PHONE, DESKTOP];
const THEMES = ['light', 'dark'] as const;
const everyView = THEMES.flatMap((theme) => SIZES.map((size) => ({ theme, size })));

/**
 * Everyday runs show each screen in one theme and size, and half of the screens in dark, so all common parts are seen
 * in both.
 */
function viewsOf(name: string) {
  if (complete) return everyView;
  const sum = [...name].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  return everyView.filter((_view, at) => at === sum % everyView.length);
}

/**
 * Expects the page to fit the screen and to be accessible: in one theme and size in everyday runs, in both themes on
 * phone and desktop in the complete run. PICTURES=1 saves pictures, unless a resize ends the state
 * (`isPictured` false).
 */
export async function expectGood(page: Page, name: string, isPictured = true): Promise<void> {
  const originalSize = page.viewportSize() ?? DESKTOP;
  for (const size of [NARROWEST, PHONE, DESKTOP]) {
    await page.setViewportSize(size);
    await settle(page);
    expect(await overflowOf(page), `${name} scrolls sideways at ${size.width}`).toBeLessThanOrEqual(0);
  }
  for (const { theme, size } of viewsOf(name)) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize(size);
    await expectAccessible(page);
    if (process.env.PICTURES && isPictured) await takePicture(page, `${name}-${size.width}-${theme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(originalSize);
}
