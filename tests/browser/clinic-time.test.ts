import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { serveInvoices } from '#tests/support/servers/list-server';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
/** The banner in the time of the clinic, which is in Indianapolis. */
const STALE = 'HubSpot is not answering. Showing data from Mar 4, 2026, 5:41';
const NOTICE =
  /^Times are in the clinic’s time zone, 14 hours behind yours\.$|^Times are in the clinic’s time zone, 13 hours behind yours\.$/;

describe('clinic times', () => {
  it.each(VIEWS)(
    'times follow the clinic’s clock in a distant browser, and each screen shows the offset (%s)',
    async (name, view) => {
      const page = await merchantPage({ ...view, timezoneId: 'Asia/Tokyo' });
      const server = await serveInvoices(page, 137);
      server.state = 'stale';
      await page.goto(`${product.appUrl}/invoices`);
      await page.getByText(STALE).waitFor();
      await page.getByText(NOTICE).waitFor();
      await expectAccessible(page);
      await picture(page, `clinic-time-${name.replace(' ', '-')}`);
      await page.goto(`${product.appUrl}/userinfo`);
      await page.getByText(NOTICE).waitFor();
      expect(await page.getByText(NOTICE).count()).toBe(1);
    },
  );

  it.each([
    ['at the clinic', 'America/Indiana/Indianapolis'],
    ['where another zone has the same clock', 'America/New_York'],
  ])('no notice about the time zone is shown %s', async (_title, timezoneId) => {
    const page = await merchantPage({ timezoneId });
    const server = await serveInvoices(page, 137);
    server.state = 'stale';
    const codeLoaded = page.waitForResponse(/\/clinic-time\.[^/]*\.js$/);
    await page.goto(`${product.appUrl}/invoices`);
    await codeLoaded;
    await page.getByText(STALE).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Times are in the clinic’s time zone').count()).toBe(0);
  });
});
