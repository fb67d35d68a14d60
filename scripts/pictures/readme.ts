import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '#tests/support/browser/chromium';
import { startProduct } from '#tests/support/product/product-process';

/**
 * Takes the screenshots for the documents from a running product. Give it the address of a pay page (`node
 * scripts/pictures/readme.ts http://localhost:8787/make/payment/…`), or it starts its own product.
 */
const FOLDER = path.resolve('docs/pictures');
const MAX_BYTES = 150_000;
const WIDTH = 1280;

const [payUrl] = process.argv.slice(2);
const ownProduct = payUrl ? undefined : await startProduct();
const address = payUrl ?? ownProduct?.payLinks[0];
if (!address) throw new Error('no pay page to take a picture of');
mkdirSync(FOLDER, { recursive: true });
const browser = await launchBrowser();
try {
  const context = await browser.newContext({
    viewport: { width: WIDTH, height: 900 },
    colorScheme: 'light',
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await fillPayPage(page, address);
  await save(page, 'pay-page');
} finally {
  await browser.close();
  await ownProduct?.stop();
}

/** Fills the page as a payer would just before pressing Pay. */
async function fillPayPage(page: Page, url: string): Promise<void> {
  // The page skips fonts that load late; the second visit has them.
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Accept' }).click();
  await page.reload({ waitUntil: 'networkidle' });
  const frame = page.frameLocator('iframe');
  await frame.getByLabel('Card number').fill('4111111111111111');
  await frame.getByLabel('Expiration').fill('1230');
  await frame.getByLabel('Security code').fill('999');
  const [firstName = '', ...lastNames] = (await page.locator('[data-fill=customer]').innerText()).split(' ');
  const names = { 'First Name': firstName, 'Last Name': lastNames.join(' ') };
  const typed = { ...names, Address: '4 Elm St', City: 'Carmel', State: 'IN' };
  for (const [label, text] of Object.entries(typed)) await page.getByLabel(label, { exact: true }).fill(text);
  await page.getByLabel('Zip').fill('46032');
  await sign(page);
  await page.getByLabel('Zip').blur();
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo(0, 0));
}

/** Draws a signature: shrinking loops and a line below. */
async function sign(page: Page): Promise<void> {
  const pad = page.getByRole('img', { name: /^Signature pad/ });
  await pad.scrollIntoViewIfNeeded();
  const box = await pad.boundingBox();
  if (!box) throw new Error('the signature pad is not on the page');
  const at = (step: number): [number, number] => [
    box.x + 60 + step * 1.9 - 14 * Math.sin(step / 3.2),
    box.y + 84 - (34 - step / 6) * Math.cos(step / 3.2) * (step % 40 < 22 ? 1 : 0.55),
  ];
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let step = 1; step < 110; step++) await page.mouse.move(...at(step));
  await page.mouse.up();
}

async function save(page: Page, name: string): Promise<void> {
  const file = path.join(FOLDER, `${name}.png`);
  // Show the full page: Chromium draws only the visible part of a frame below the edge.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: WIDTH, height });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.screenshot({ path: file, fullPage: true });
  const { size } = statSync(file);
  if (size > MAX_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MAX_BYTES}`);
  console.log(`${path.relative('.', file)}: ${Math.round(size / 1000)} kB`);
}
