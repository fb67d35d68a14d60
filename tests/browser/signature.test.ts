import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TakePaymentRequest } from '#shared/contracts/payment';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import {
  draw,
  expectFocus,
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  payButton,
  payerPage,
  signaturePad,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const group = (page: Page) => page.getByRole('group', { name: 'Signature' });
const savedImage = (page: Page) => page.getByAltText('Your signature');
const status = (page: Page) => group(page).getByRole('status');

type Picture = { width: number; height: number; darkPixels: number };

/** Returns the size of a PNG from its header, and its number of dark pixels as the browser decodes it. */
async function decode(page: Page, url: string): Promise<Picture> {
  expect(url).toMatch(/^data:image\/png;base64,/);
  const bytes = Buffer.from(url.split(',')[1] ?? '', 'base64');
  expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
  const darkPixels = await page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext('2d');
    context?.drawImage(image, 0, 0);
    const data = context?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
    let dark = 0;
    for (let at = 0; at < data.length; at += 4) if ((data[at] ?? 255) < 128 && data[at + 3] === 255) dark += 1;
    return dark;
  }, url);
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), darkPixels };
}

const addressOf = async (page: Page) => (await savedImage(page).getAttribute('src')) ?? '';

describe('signature pad', () => {
  for (const ratio of [1, 2]) {
    it(`makes a PNG exactly 150 pixels high on a screen with ${ratio} device pixels per pixel`, async () => {
      const { address } = await product.makeLink();
      const page = await payerPage(newPage, { deviceScaleFactor: ratio });
      await openForm(page, address);
      await page.getByRole('button', { name: 'Sign another way' }).click();
      const pad = await signaturePad(page).boundingBox();
      expect(pad?.height).toBe(150);
      await draw(page);
      await page.getByRole('button', { name: 'Save Signature' }).click();
      await savedImage(page).waitFor();
      const drawnPicture = await decode(page, await addressOf(page));
      expect(drawnPicture).toMatchObject({ width: Math.round(pad?.width ?? 0), height: 150 });
      expect(drawnPicture.darkPixels).toBeGreaterThan(200);

      await page.getByRole('button', { name: 'Clear Signature' }).click();
      await page.getByRole('button', { name: 'Type' }).click();
      await page.getByLabel('Type your full name').fill('Marta Núñez');
      await page.getByRole('button', { name: 'Save Signature' }).click();
      await savedImage(page).waitFor();
      const typedPicture = await decode(page, await addressOf(page));
      expect(typedPicture).toMatchObject({ width: drawnPicture.width, height: 150 });
      expect(typedPicture.darkPixels).toBeGreaterThan(200);
    });
  }

  it('saves a drawn signature when Pay is pressed, and the receipt shows the same image', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await fillDetails(page);
    await fillCard(page);
    await draw(page);
    const payRequest = page.waitForRequest('**/takePaymentSDK/*');
    await payButton(page).click();
    const { signature } = (await payRequest).postDataJSON() as TakePaymentRequest;
    const picture = await decode(page, signature);
    expect(picture.height).toBe(150);
    expect(picture.darkPixels).toBeGreaterThan(200);
    await successHeading(page).waitFor();

    await page.getByRole('link', { name: 'View receipt' }).click();
    const image = page.getByAltText('Signature of the payer');
    await image.waitFor();
    const stored = await page.evaluate(
      async (source) => {
        const bytes = new Uint8Array(await (await fetch(source ?? '')).arrayBuffer());
        return btoa(String.fromCharCode(...bytes));
      },
      await image.getAttribute('src'),
    );
    expect(await decode(page, `data:image/png;base64,${stored}`)).toEqual(picture);
  });

  it('becomes an image by Save and a pad again by Clear, and announces both', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await draw(page);
    await page.getByRole('button', { name: 'Save Signature' }).click();
    await savedImage(page).waitFor();
    await expectText(status(page), 'Signature saved');
    await expectFocus(page.getByRole('button', { name: 'Clear Signature' }));
    expect(await signaturePad(page).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save Signature' }).count()).toBe(0);
    await group(page).getByText('Saved', { exact: true }).waitFor();
    await expectGood(page, 'signature-saved');

    await page.getByRole('button', { name: 'Clear Signature' }).click();
    await signaturePad(page).waitFor();
    await expectText(status(page), 'Signature empty');
    expect(await savedImage(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Save Signature' }).click();
    expect(await savedImage(page).count(), 'a cleared signature is gone').toBe(0);
  });

  it('ignores Save while the pad is empty', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    await page.getByRole('button', { name: 'Sign another way' }).click();
    await page.getByRole('button', { name: 'Save Signature' }).click();
    expect(await savedImage(page).count()).toBe(0);
    expect(await signaturePad(page).isVisible()).toBe(true);
    expect(await status(page).innerText()).toBe('');
    await page.getByRole('button', { name: 'Type' }).click();
    await page.getByLabel('Type your full name').fill('   ');
    await page.getByRole('button', { name: 'Save Signature' }).click();
    expect(await savedImage(page).count()).toBe(0);
    await expectGood(page, 'signature-typing');
  });

  it('keeps the signature when the phone is rotated', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { viewport: { width: 390, height: 844 } });
    await openForm(page, address);
    await draw(page);
    await page.setViewportSize({ width: 844, height: 390 });
    await expect
      .poll(() => signaturePad(page).evaluate((pad) => (pad as HTMLCanvasElement).width === pad.clientWidth))
      .toBe(true);
    await page.getByRole('button', { name: 'Save Signature' }).click();
    await savedImage(page).waitFor();
    expect((await decode(page, await addressOf(page))).darkPixels).toBeGreaterThan(200);
  });
});
