import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { hubs } from '#sandbox/credentials';
import { launchBrowser } from '#tests/support/browser/chromium';
import { startProduct } from '#tests/support/product/product-process';

/**
 * Takes the six pictures of /demo from a running product, in both themes and two widths. Give it a product's address
 * (`node scripts/demo-pictures.ts http://localhost:8787`), or it starts its own. The numbers of the wanted pictures
 * may follow the address: `… 3,4`.
 */
const FOLDER = path.resolve('site/public/demo');
const VIEW = { width: 1360, height: 850 };
const WIDTHS = [720, 1440];
const [account] = hubs;

const [given, wanted = '1,2,3,4,5,6'] = process.argv.slice(2);
const steps = new Set(wanted.split(',').map(Number));
const last = Math.max(...steps);
const own = given ? undefined : await startProduct();
const appUrl = given ?? own?.appUrl ?? '';
mkdirSync(FOLDER, { recursive: true });
const browser = await launchBrowser();
try {
  for (const theme of ['light', 'dark'] as const) await walk(theme);
} finally {
  await browser.close();
  await own?.stop();
}

/** The path of a person who sees the product for the first time. */
async function walk(theme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    viewport: VIEW,
    deviceScaleFactor: 2,
    colorScheme: theme,
    locale: 'en-US',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  });
  const page = await context.newPage();
  const take = async (step: number) => {
    if (!steps.has(step)) return;
    await page.evaluate(() => window.scrollTo(0, 0));
    await save(page, `step-${step}-${theme}`);
  };

  await page.goto(appUrl, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('link', { name: 'Get Started' }).hover();
  await take(1);

  await page.getByRole('link', { name: 'Get Started' }).click();
  await page.getByRole('link', { name: 'Login with CRM' }).hover();
  await take(2);

  // The CRM is simulated here, and the demo says so. Parts that only a simulation has stay out of the picture.
  await page.getByRole('link', { name: 'Login with CRM' }).click();
  await page.getByRole('heading', { name: 'Connect an account' }).waitFor();
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('[data-sandbox]')) part.remove();
  });
  const asked = page.getByText('What it asks for');
  await asked.click();
  await take(3);

  await asked.click();
  await page.getByRole('radio', { name: account.name }).focus();
  await page.getByRole('button', { name: 'Grant access' }).hover();
  await take(4);
  if (last <= 4) return context.close();

  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
  await page.goto(`${appUrl}/openInvoices`);
  await page
    .getByRole('button', { name: /^Email Payment Link/ })
    .first()
    .waitFor();
  await page.mouse.move(0, 0);
  await take(5);

  // One invoice cannot get two mails at once, so each theme takes its own.
  const receipt = page
    .getByRole('button', { name: /^Email Receipt/ })
    .and(page.locator(':enabled'))
    .nth(theme === 'light' ? 0 : 1);
  const status = page.getByRole('columnheader', { name: 'Status' });
  // A second press reverses the order of states.
  for (let presses = 0; presses < 2 && !(await receipt.isVisible()); presses++) {
    const sorted = await status.getAttribute('aria-sort');
    await status.getByRole('button').click();
    await page.waitForFunction(
      (before) =>
        [...document.querySelectorAll('th')].some(
          (head) => head.textContent?.includes('Status') && head.getAttribute('aria-sort') !== before,
        ),
      sorted,
    );
    await page.waitForLoadState('networkidle');
  }
  await receipt.click();
  await page.getByText('Payment success email sent').first().waitFor();
  await take(6);
  await context.close();
}

/** WebP in two widths; Chromium itself draws them smaller. */
async function save(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  const shot = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const blank = await page.context().newPage();
  for (const width of WIDTHS) {
    const webp = await blank.evaluate(
      async ({ shot, width }) => {
        const image = new Image();
        image.src = `data:image/png;base64,${shot}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        canvas.width = width;
        canvas.height = Math.round((width * image.height) / image.width);
        const pen = canvas.getContext('2d');
        if (!pen) throw new Error('no canvas');
        pen.imageSmoothingQuality = 'high';
        pen.drawImage(image, 0, 0, canvas.width, canvas.height);
        return canvas.toDataURL('image/webp', 0.82);
      },
      { shot, width },
    );
    const bytes = Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64');
    writeFileSync(path.join(FOLDER, `${name}-${width}.webp`), bytes);
    console.log(`${name}-${width}.webp: ${Math.round(bytes.length / 1000)} kB`);
  }
  await blank.close();
}
