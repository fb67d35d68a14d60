import path from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { account, grantAccess, saveWebp, withBrowser, withProduct } from './product-pictures.ts';

/**
 * Takes the six screenshots of /demo from a running product, in both themes: whole screens in two widths, and for
 * phones the essential part of each at full size. Give it the address of a product that runs with the settings below
 * (`node scripts/pictures/demo.ts http://localhost:8787`), or it starts its own. The numbers of the required pictures
 * may follow the address: `… 3,4`.
 */
const FOLDER = path.resolve('site/pictures/demo');
const DESK = { width: 1360, height: 850 };
/** The width of the picture on a 390 px phone, so that its texts keep their size. */
const PHONE = { width: 358, height: 740 };
const CUT_HEIGHT = 400;

const [productUrl, stepList = '1,2,3,4,5,6'] = process.argv.slice(2);
const steps = new Set(stepList.split(',').map(Number));
const last = Math.max(...steps);
/** A clinic with a history, and no pause between mails: each of the four runs mails the same invoice's receipt. */
const SETTINGS = { TILLWAY_HISTORY: '90', MAIL_PAUSE_MS: '0' };

if (productUrl) await withBrowser((browser) => takeAll(browser, productUrl));
else await withProduct((browser, { appUrl }) => takeAll(browser, appUrl), SETTINGS);

async function takeAll(browser: Browser, appUrl: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    for (const view of ['desk', 'phone'] as const) {
      const context = await browser.newContext({
        viewport: view === 'desk' ? DESK : PHONE,
        deviceScaleFactor: 2,
        colorScheme: theme,
        locale: 'en-US',
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      });
      const page = await context.newPage();
      await walk(page, appUrl, (step, from) => {
        if (!steps.has(step)) return Promise.resolve();
        const name = path.join(FOLDER, `step-${step}-${theme}`);
        return view === 'desk' ? takeWhole(page, name) : takeCut(page, name, from);
      });
      await context.close();
    }
  }
}

async function takeWhole(page: Page, name: string): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  await saveWebp(page, name, {
    widths: [
      ['-720', 720],
      ['-1440', 1440],
    ],
  });
}

/** Takes a picture that starts just above this part, as tall as the page has room for. */
async function takeCut(page: Page, name: string, from: Locator): Promise<void> {
  await page.evaluate(() => window.scrollTo(0, 0));
  const top = (await from.boundingBox())?.y;
  if (top === undefined) throw new Error(`${name}: its part is not on the page`);
  const clip = { x: 0, y: Math.max(0, Math.round(top) - 16), width: PHONE.width, height: CUT_HEIGHT };
  await saveWebp(page, name, { widths: [['-phone', PHONE.width * 2]], clip });
}

/** `from`: the part at which a phone's picture of the step begins. */
type Take = (step: number, from: Locator) => Promise<void>;

/** Follows the path of a first-time visitor. */
async function walk(page: Page, appUrl: string, take: Take): Promise<void> {
  await page.goto(appUrl, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('link', { name: 'Get Started' }).hover();
  await take(1, page.getByRole('heading', { level: 1 }));

  await page.getByRole('link', { name: 'Get Started' }).click();
  await page.getByRole('link', { name: 'Login with CRM' }).hover();
  await page.getByRole('button', { name: 'Use a passkey' }).and(page.locator(':enabled')).waitFor();
  await take(2, page.getByRole('heading', { level: 1 }));

  // The CRM is simulated here, as the demo states. Parts that exist only in the simulation are hidden in the picture.
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor();
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[data-sandbox]')) part.remove();
  });
  const permissions = page.getByText('What it asks for');
  await permissions.click();
  await take(3, permissions);

  await permissions.click();
  const radio = page.getByRole('radio', { name: account.name });
  await radio.focus();
  await page.getByRole('button', { name: 'Grant access' }).hover();
  await take(4, radio);
  if (last <= 4) return;

  await grantAccess(page, appUrl);
  await page.goto(`${appUrl}/openInvoices`);
  const mail = page.getByRole('button', { name: /^Email Payment Link/ }).first();
  await mail.waitFor();
  await page.mouse.move(0, 0);
  await take(5, page.getByRole('row').filter({ has: mail }).first());

  await page.goto(`${appUrl}/openInvoices?status=paid`);
  const receipt = page
    .getByRole('button', { name: /^Email Receipt/ })
    .and(page.locator(':enabled'))
    .first();
  await receipt.click();
  await page.getByRole('button', { name: 'Send' }).click();
  const confirmation = page.getByText('Payment success email sent').first();
  await confirmation.waitFor();
  await take(6, confirmation);
}
