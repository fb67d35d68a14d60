import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PageOptions, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { type Changes, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';
import { draw, expectFocus, expectGood, expectText } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '901';

async function open(changes: Changes = {}, options: PageOptions = {}) {
  const page = await merchantPage(options);
  const server = await servePreview(page, ID, changes);
  const show = async () => {
    await page.goto(`${product.appUrl}/invoice/${ID}`);
    await saveInvoice(page).waitFor();
    await page.locator('summary', { hasText: 'Signature' }).click();
  };
  return { page, server, show };
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const saveInvoice = (page: Page) => button(page, 'Save Invoice');
const image = (page: Page) => page.getByAltText('Your signature');
const pad = (page: Page) => page.getByRole('img', { name: /^Signature pad/ });
const statusBeside = (page: Page) => page.locator('.preview-actions').getByRole('status');

describe('a signature on an invoice', () => {
  it('becomes an image when drawn, is saved by Save Invoice, and is shown when the invoice is reopened', async () => {
    const { page, server, show } = await open();
    await show();
    expect((await pad(page).boundingBox())?.height).toBe(150);
    await draw(page);
    await button(page, 'Save signature').click();
    await image(page).waitFor();
    expect(server.writes, 'fixing the image saves nothing yet').toEqual([]);
    await expectFocus(button(page, 'Clear Signature'));
    await saveInvoice(page).click();
    await page.getByText('Signature saved with INV-1042.').waitFor();
    await expectText(statusBeside(page), /^Signature saved \d+:\d\d [AP]M$/);
    expect(server.writes).toEqual([
      {
        request: `PUT /invoices/${ID}/signature`,
        body: { signature: expect.stringMatching(/^data:image\/png;base64,iVBOR/) },
      },
    ]);
    await expectGood(page, 'preview-signed');

    await show();
    await image(page).waitFor();
    await button(page, 'Clear Signature').waitFor();
    await saveInvoice(page).click();
    await page.getByText('Signature saved with INV-1042.').waitFor();
    expect(server.writes, 'a saved signature is not sent again').toHaveLength(1);
  });

  it('is saved with the invoice when it was only drawn, and is not reported as missing', async () => {
    const { page, server, show } = await open();
    await show();
    await draw(page);
    await saveInvoice(page).click();
    await image(page).waitFor();
    await page.getByText('Signature saved with INV-1042.').waitFor();
    expect(server.writes).toHaveLength(1);
  });

  it('is typed and saved with the keyboard alone', async () => {
    const { page, server, show } = await open();
    await show();
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses++) {
        if (await button(page, name).evaluate((element) => element === document.activeElement)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`${name} cannot be reached by Tab`);
    };
    await tabTo('Type');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Marta Núñez');
    await tabTo('Save signature');
    await page.keyboard.press('Enter');
    await image(page).waitFor();
    await tabTo('Save Invoice');
    await page.keyboard.press('Enter');
    await page.getByText('Signature saved with INV-1042.').waitFor();
    expect(server.signature).toMatch(/^iVBOR/);
    await expectFocus(saveInvoice(page));
  });

  it('is requested when Save Invoice finds none', async () => {
    const { page, server, show } = await open();
    await show();
    await button(page, 'Save signature').click();
    expect(await image(page).count()).toBe(0);
    await button(page, 'Clear').click();
    await saveInvoice(page).click();
    await page.getByText('Sign with your finger or mouse, or type a name').waitFor();
    await expectFocus(page.getByRole('group', { name: 'Signature' }));
    expect(server.writes).toEqual([]);
    await draw(page);
    await page.getByText('Sign with your finger').waitFor({ state: 'detached' });
  });

  it('is removed by Clear Signature and Save Invoice', async () => {
    const { page, server, show } = await open();
    await show();
    await draw(page);
    await saveInvoice(page).click();
    await page.getByText('Signature saved with INV-1042.').waitFor();
    await button(page, 'Clear Signature').click();
    await pad(page).waitFor();
    await expectText(statusBeside(page), '');
    await saveInvoice(page).click();
    await page.getByText('Signature removed from INV-1042.').waitFor();
    expect(server.writes.at(-1)?.request).toBe(`DELETE /invoices/${ID}/signature`);
    await show();
    await pad(page).waitFor();
    expect(await image(page).count()).toBe(0);
  });

  it('stays on the page when saving fails, and another click saves it', async () => {
    const { page, server, show } = await open({}, { expected: /503/ });
    await show();
    server.refusal = {
      on: /^PUT/,
      status: 503,
      code: 'crm-unavailable',
      message: 'The CRM is not answering. Please try again.',
    };
    await draw(page);
    await saveInvoice(page).click();
    const alert = page.getByRole('alert');
    await expectText(alert, 'The signature was not saved. The CRM is not answering. Please try again.');
    expect(await image(page).isVisible()).toBe(true);
    server.refusal = null;
    await saveInvoice(page).click();
    await page.getByText('Signature saved with INV-1042.').waitFor();
    expect(await alert.count()).toBe(0);
  });
});
