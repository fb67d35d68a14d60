import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText } from './payer.ts';
import { serveWriteBack } from './staff-screens.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

describe.each(VIEWS)('recording payments in the CRM, %s', (view, options) => {
  it('is off, with a link to the CRM consent', async () => {
    const page = await merchantPage(options);
    await page.goto(`${product.appUrl}/account/payments`);
    await page.getByRole('heading', { name: 'Paid here, not in HubSpot' }).waitFor();
    const section = page.getByRole('region', { name: 'Record payments in HubSpot' });
    await expectText(section, /Off/);
    const consent = section.getByRole('link', { name: 'Allow Tillway to record payments in HubSpot' });
    expect(await consent.getAttribute('href')).toBe('/oauth/start?payments=record');
    await settle(page);
    await expectAccessible(page);
    await picture(page, `write-back-off-${view.replace(' ', '-')}`);
  });

  it('shows why each payment is missing in the CRM, and asks for evidence before marking it recorded by hand', async () => {
    const page = await merchantPage(options);
    await serveWriteBack(page);
    await page.goto(`${product.appUrl}/account/write-back`);
    const list = page.getByRole('region', { name: 'Paid here, not in HubSpot' });
    await expectText(list, /Not recorded in HubSpot: recording was off\./);
    await expectText(list, /Recorded, but HubSpot still shows it as open\./);
    await expectText(list, /Please check in HubSpot if it shows this refund: HubSpot did not answer\./);
    await expectText(list, /Of the newest 219 payments, 6 are missing in HubSpot\. One refund is missing too\./);
    await expectText(
      page.getByRole('main'),
      /HubSpot did not accept a payment: This account must be set up.* Correct this in HubSpot, then an administrator can press Try again now\./,
    );
    await settle(page);
    await expectAccessible(page);
    await picture(page, `write-back-${view.replace(' ', '-')}`);
    expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(false);
    await list.getByRole('button', { name: 'Look at earlier payments' }).click();
    await expectText(list, /Of the newest 719 payments, 7 are missing in HubSpot\..*INV-0871/s);
    expect(await list.getByRole('button', { name: 'Look at earlier payments' }).count()).toBe(0);
    await list.getByRole('button', { name: 'Recorded by hand INV-1029' }).click();
    const refund = page.getByRole('dialog', { name: 'Recorded the refund of INV-1029 by hand?' });
    await expectText(refund, /once the refund of \$38\.40 \(Daniel Raman\) is entered in HubSpot\./);
    await refund.press('Escape');
    await list.getByRole('button', { name: 'Recorded by hand INV-1042' }).click();
    const dialog = page.getByRole('dialog', { name: 'Recorded the payment of INV-1042 by hand?' });
    await dialog.getByRole('button', { name: 'Recorded by hand' }).click();
    await expectText(dialog, /Please say how you know\./);
    await expectText(dialog, /once the payment of \$184\.00 \(Núñez Studio LLC\) is entered in HubSpot\./);
    await settle(page);
    await picture(page, `write-back-by-hand-${view.replace(' ', '-')}`);
  });
});
