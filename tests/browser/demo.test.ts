import { expect, it } from 'vitest';
import { PHONE, useBrowser } from '#tests/support/browser/browser';
import { scriptsOf, whichHead } from '#tests/support/browser/which-head';
import { useProduct } from '#tests/support/product/product';
import { expectGood } from './payer.ts';

const { appUrl } = useProduct();
const newPage = useBrowser();
const STEPS = ['Get Started', 'Login with the CRM', 'Pick option', 'Choose account', 'Open Invoices', 'Email Receipt'];

it('the demo goes from the homepage to the receipt in six steps, each with a picture of the product', async () => {
  const page = await newPage({ theme: 'dark' });
  await page.goto(`${appUrl}/`);
  await page.getByRole('link', { name: 'Schedule Demo' }).click();
  await page.waitForURL(`${appUrl}/demo`);
  expect(await page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(expect.arrayContaining(STEPS));
  const pictures = page.getByRole('listitem').getByRole('img');
  expect(await pictures.count()).toBe(STEPS.length);
  for (const picture of await pictures.all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    expect(await picture.evaluate((image: HTMLImageElement) => image.currentSrc)).toContain('-dark-');
    const { width, height } = (await picture.boundingBox()) ?? { width: 0, height: 1 };
    expect(width / height).toBeCloseTo(1440 / 900, 1);
  }
  const captions = await page.locator('figcaption').allInnerTexts();
  expect(captions).toHaveLength(STEPS.length);
  expect(captions.slice(2, 4)).toEqual(Array(2).fill('A stand-in for HubSpot’s own page'));
  expect(await scriptsOf(page)).toEqual([whichHead]);
  await expectGood(page, 'demo');
});

it('the demo shows a phone the phone-sized part of each screen, with text at its original size', async () => {
  const page = await newPage({ viewport: PHONE, isMobile: true });
  await page.goto(`${appUrl}/demo`);
  for (const picture of await page.getByRole('listitem').getByRole('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect
      .poll(() => picture.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
      .toBeGreaterThan(0);
    const [src, natural] = await picture.evaluate((image: HTMLImageElement) => [image.currentSrc, image.naturalWidth]);
    expect(src).toContain('-light-phone');
    // A picture has two pixels for each CSS pixel.
    const { width } = (await picture.boundingBox()) ?? { width: 0 };
    expect(width).toBe(Number(natural) / 2);
  }
  await expectGood(page, 'demo-phone');
});
