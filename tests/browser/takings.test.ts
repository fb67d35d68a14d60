import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, PHONE, picture, useBrowser } from '#tests/support/browser/browser';
import { pdfSheets } from '#tests/support/browser/pdf-text';
import { useProduct } from '#tests/support/product/product';
import { batchOf, DAY, serveTakings, takingsOf } from '#tests/support/servers/takings-server';
import { counterTerminal, onlineTerminal } from '#tests/support/wire';
import { phone, useMerchant } from './merchant.ts';
import { expectText } from './payer.ts';
import { openBatch } from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

async function open(page: Page, search = `?date=${DAY}`) {
  await page.goto(`${product.appUrl}/takings${search}`);
  await page.getByRole('heading', { name: 'Card takings', level: 2 }).waitFor();
}
const sheet = (page: Page) => page.getByRole('article');

describe('card takings', () => {
  it('the sheet fits on a phone screen', async () => {
    const page = await merchantPage({ theme: 'dark', ...phone });
    await serveTakings(page);
    await open(page);
    await page.getByText('Both batches are closed.').waitFor();
    await expectAccessible(page);
    await picture(page, 'takings-dark-phone');
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });

  it.each(['A4', 'Letter'] as const)(
    'the sheet prints up to 8 terminals and 6 look-alike pairs on one page of %s, and more on two',
    async (format) => {
      const page = await merchantPage();
      await serveTakings(page, { terminals: 8, takings: takingsOf(6) });
      await open(page);
      await page.getByText('All 8 batches are closed.').waitFor();
      const oneSheet = await pdfSheets(page, format);
      expect(oneSheet).toHaveLength(1);
      for (const part of [
        'Card takings',
        'Net taken',
        'Front desk 8',
        'CONF7014128',
        '2 x $76.10',
        'Checked by',
        'Sheet 1 of 1',
      ])
        expect(oneSheet[0]).toContain(part);
      for (const chrome of ['Logout', 'Batches Dashboard', 'All 8 batches are closed.'])
        expect(oneSheet[0]).not.toContain(chrome);
      await serveTakings(page, { terminals: 9, takings: takingsOf(7) });
      await page.reload();
      await page.getByText('All 9 batches are closed.').waitFor();
      const twoSheets = await pdfSheets(page, format);
      expect(twoSheets.map((text) => /Sheet \d of \d/.exec(text)?.[0])).toEqual(['Sheet 1 of 2', 'Sheet 2 of 2']);
      for (const text of twoSheets) expect(text).toContain('Tuesday, Mar 3, 2026');
      expect(twoSheets[0]).not.toContain('Counted by');
      expect(twoSheets[1]).toContain('Counted by');
    },
  );

  it('the sheet stays in place on a phone when the batch status arrives', async () => {
    const page = await merchantPage({ viewport: PHONE });
    const gate = Promise.withResolvers<void>();
    const openBatchFields = { status: 'OPEN', settled: null, 'confirmation-code': null } as const;
    await serveTakings(page, {
      isRight: () => false,
      batches: (terminal) => [batchOf(terminal, terminal === 2 ? openBatchFields : {})],
      until: gate.promise,
    });
    await open(page);
    await page.getByText('Asking the card provider for the batches...').waitFor();
    const top = () =>
      sheet(page)
        .boundingBox()
        .then((box) => box?.y ?? Number.NaN);
    const before = await top();
    gate.resolve();
    await page.getByText('1 batch is still open.').waitFor();
    // At most one line of text.
    expect(Math.abs((await top()) - before)).toBeLessThan(24);
  });

  it('five clicks close two batches on the dashboard and open the day’s sheet', async () => {
    const page = await merchantPage();
    await openBatch(page, product, counterTerminal().name);
    const { invoiceId } = await product.makeInvoice({ amount: '71.10' });
    expect(invoiceId).not.toBe('');
    const link = await product.makeLink({ amount: '71.10' });
    expect((await product.pay(link.payId, await product.form())).status).toBe(200);
    await page.goto(product.appUrl);
    let presses = 0;
    const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      presses++;
      await page.getByRole(role, { name }).first().click();
    };
    for (const { name } of [onlineTerminal(), counterTerminal()]) {
      await press(`Close Batch on ${name}`);
      const dialog = page.getByRole('dialog');
      presses++;
      await dialog.getByRole('button', { name: 'Close Batch' }).click();
      await page.getByText(/is closed\. Confirmation CONF\w+\.|is closing batch/).waitFor();
    }
    await press('Card takings', 'link');
    await page.waitForURL(`${product.appUrl}/takings`);
    expect(presses).toBe(5);
    await page.getByText(/batch(es)? (is|are) (closed|still open)\./).waitFor({ timeout: 30_000 });
    await expectText(sheet(page).locator('.sheet-net'), /^Net taken on this day \$[\d,]+\.\d\d$/);
    expect(await sheet(page).locator('tbody').first().innerText()).toContain(onlineTerminal().terminalId);
    await sheet(page)
      .getByText(/CONF\w+/)
      .first()
      .waitFor();
    await picture(page, 'takings-real');
  });
});
