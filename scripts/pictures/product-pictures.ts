import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { hubs } from '#sandbox/credentials';
import { launchBrowser } from '#tests/support/browser/chromium';
import { type Product, startProduct } from '#tests/support/product/product-process';

type Clip = { x: number; y: number; width: number; height: number };
type Options = { widths: [suffix: string, width: number][]; clip?: Clip; quality?: number };

/** Saves the page as WebP, once for each width; Chromium scales the smaller ones. Returns the total size in bytes. */
export async function saveWebp(page: Page, file: string, { widths, clip, quality = 0.82 }: Options): Promise<number> {
  await page.evaluate(() => document.fonts.ready);
  const shot = await page.screenshot({ animations: 'disabled', ...(clip && { clip, fullPage: true }) });
  mkdirSync(path.dirname(file), { recursive: true });
  const blank = await page.context().newPage();
  let total = 0;
  for (const [suffix, width] of widths) {
    const bytes = await draw(blank, shot.toString('base64'), width, quality);
    writeFileSync(`${file}${suffix}.webp`, bytes);
    console.log(`${path.basename(file)}${suffix}.webp: ${(bytes.length / 1000).toFixed(1)} kB`);
    total += bytes.length;
  }
  await blank.close();
  return total;
}

async function draw(blank: Page, shot: string, width: number, quality: number): Promise<Buffer> {
  const webp = await blank.evaluate(
    async ({ shot, width, quality }) => {
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
      return canvas.toDataURL('image/webp', quality);
    },
    { shot, width, quality },
  );
  return Buffer.from(webp.slice(webp.indexOf(',') + 1), 'base64');
}

/** Runs `work` with its own browser and product with these settings, and stops both afterwards. */
export async function withProduct(
  work: (browser: Browser, product: Product) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const product = await startProduct({ env });
  try {
    await withBrowser((browser) => work(browser, product));
  } finally {
    await product.stop();
  }
}

export async function withBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const browser = await launchBrowser();
  try {
    await work(browser);
  } finally {
    await browser.close();
  }
}

/** The account in the screenshots. */
export const [account] = hubs;

/** Grants access to the first account on the CRM's consent page. */
export async function grantAccess(page: Page, appUrl: string): Promise<void> {
  await page.getByRole('radio', { name: account.name }).check();
  await page.getByRole('button', { name: 'Grant access' }).click();
  await page.waitForURL(`${appUrl}/`);
}
