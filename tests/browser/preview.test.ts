import { describe, expect, it } from 'vitest';
import { type PageOptions, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '900';

/** Serves the preview of an invoice with these changes to a merchant. */
async function open(changes: Changes = {}, options: PageOptions = {}) {
  const page = await merchantPage(options);
  const server = await servePreview(page, ID, changes);
  const show = () => page.goto(`${product.appUrl}/invoice/${ID}`);
  return { page, server, show };
}

describe('invoice preview', () => {
  it('prints one sheet, dark on white, without controls', async () => {
    const { page, server, show } = await open({ signature_saved_at: '2026-03-04T15:42:00Z' }, { theme: 'dark' });
    server.signature =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==';
    await show();
    await page.getByAltText('Your signature').waitFor({ state: 'attached' });
    await page.emulateMedia({ media: 'print' });
    for (const role of ['button', 'link', 'navigation', 'contentinfo', 'status'] as const) {
      const texts = await page.getByRole(role).filter({ visible: true }).allInnerTexts();
      expect(
        texts.filter((text) => text.trim() !== ''),
        role,
      ).toEqual([]);
    }
    await expect.poll(() => page.getByAltText('Your signature').isVisible()).toBe(true);
    const colours = await page
      .locator('.preview-sheet')
      .evaluate((sheet) => [
        getComputedStyle(sheet).color,
        getComputedStyle(sheet).backgroundColor,
        getComputedStyle(document.documentElement).backgroundColor,
      ]);
    expect(colours).toEqual(['rgb(0, 0, 0)', 'rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)']);
    for (const format of ['A4', 'Letter']) {
      const pdf = (await page.pdf({ format })).toString('latin1');
      expect(pdf.match(/\/Type\s*\/Page\b/g), format).toHaveLength(1);
    }
  });

  it('returns by Cancel to the previous screen, or to the invoices when opened by its address', async () => {
    const { page, show } = await open();
    await page.goto(`${product.appUrl}/userinfo`);
    await show();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.waitForURL(`${product.appUrl}/userinfo`);
    const otherTab = await page.context().newPage();
    await servePreview(otherTab, ID);
    await otherTab.goto(`${product.appUrl}/invoice/${ID}`);
    await otherTab.getByRole('button', { name: 'Cancel' }).click();
    await otherTab.waitForURL(`${product.appUrl}/invoices`);
  });
});
