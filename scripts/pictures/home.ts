import path from 'node:path';
import type { Page } from 'playwright-core';
import { terminals } from '#sandbox/credentials';
import { account, grantAccess, saveWebp, withProduct } from './product-pictures.ts';

/**
 * Takes the screenshots in the homepage's hero from its own product, in both themes: the pay page on a phone with both
 * wallets, and the counter in each state that a visitor can trigger.
 */
const FOLDER = path.resolve('site/pictures/home');
const PHONE = { width: 390, height: 844 };
/** Twice the width on the homepage, and just wide enough for the counter's line. */
const COUNTER = { width: 800, height: 560 };
/** Maximum size of the pictures that one visitor loads. */
const MAX_BYTES = 80_000;
const themes = ['light', 'dark'] as const;
const bytes = { light: 0, dark: 0 };

const front = terminals.find(({ hubId, channel }) => hubId === account.hubId && channel === 'counter');
if (!front) throw new Error('the sandbox has no terminal at the counter');

await withProduct(async (browser, { appUrl, sandboxUrl, payLinks: [payLink] }) => {
  if (!payLink) throw new Error('no pay page to take a picture of');
  const pageOf = async (viewport: typeof PHONE) => {
    const calm = { locale: 'en-US', reducedMotion: 'reduce', serviceWorkers: 'block' } as const;
    return (await browser.newContext({ viewport, ...calm })).newPage();
  };
  const control = async (path: string, body: unknown) => {
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
    const answer = await fetch(`${sandboxUrl}/_sandbox/${path}`, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  };
  const touch = (action: string) => control(`terminals/${front.terminalId}`, { do: action });

  const counter = await pageOf(COUNTER);
  await counter.goto(`${appUrl}/login`);
  await counter.getByRole('link', { name: 'Login with CRM' }).click();
  await grantAccess(counter, appUrl);
  await counter.goto(`${appUrl}/account/payments`);
  for (const wallet of ['Apple Pay', 'Google Pay']) await acceptWallet(counter, wallet);

  const phone = await pageOf(PHONE);
  // The page skips fonts that load late; the second visit has them.
  await phone.goto(payLink, { waitUntil: 'networkidle' });
  await phone.reload();
  await phone.frameLocator('iframe').getByLabel('Card number').waitFor();
  await phone.getByRole('button', { name: 'Pay with Apple Pay' }).waitFor();
  await phone.locator('#google-pay-button button').waitFor();
  await inBothThemes(phone, 'pay', PHONE.width);

  await control(`hubs/${account.hubId}/settings`, { auto_tap: false, terminal_timeout_ms: 240_000 });
  await counter.goto(`${appUrl}/payments`);
  await counter.getByLabel('Device', { exact: true }).selectOption({ label: front.name });
  await counter.getByRole('combobox', { name: 'Customer' }).fill('Owen');
  await counter.getByRole('option', { name: /Owen/ }).first().click();
  await counter.getByLabel('Invoice', { exact: true }).selectOption({ index: 1 });
  await counter.getByRole('button', { name: 'Proceed to Payment' }).click();
  const says = (words: string) => counter.locator('.counter-state', { hasText: words }).waitFor({ timeout: 60_000 });
  const take = (state: string) => inBothThemes(counter, `counter-${state}`, COUNTER.width);

  // One sale for all states, so that the amount in the picture stays the same.
  await says('Please tap, insert or swipe');
  await take('waiting');
  await touch('decline');
  await says('Declined. Not charged');
  await take('declined');
  await counter.getByRole('button', { name: /^Try again/ }).click();
  await says('Please tap, insert or swipe');
  await touch('cut');
  await says('Not known yet');
  await take('unknown');
  await touch('tap');
  await says('Paid. Thank you');
  await take('approved');
});

console.log(`for one visitor: ${themes.map((theme) => `${theme} ${bytes[theme]} B`).join(', ')}`);
if (Math.max(...Object.values(bytes)) > MAX_BYTES) throw new Error(`more than ${MAX_BYTES} bytes`);

/** Switches a wallet on under Account, Payments settings. */
async function acceptWallet(page: Page, wallet: string): Promise<void> {
  const section = page.locator('section').filter({ has: page.getByRole('heading', { name: wallet, exact: true }) });
  await section.getByRole('button').first().click();
  await page.getByRole('dialog').getByRole('button').last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

async function inBothThemes(page: Page, name: string, width: number): Promise<void> {
  await page.mouse.move(0, 0);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    bytes[theme] += await saveWebp(page, path.join(FOLDER, `${name}-${theme}`), {
      widths: [['', width]],
      quality: 0.44,
    });
  }
}
