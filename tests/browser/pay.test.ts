import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { useBrowser } from '../support/browser/browser.ts';
import { until } from '../support/product/product.ts';
import {
  cardFrame,
  draw,
  expectFocus,
  expectGood,
  expectText,
  fillCard,
  fillDetails,
  openForm,
  PAYER,
  payButton,
  payerPage,
  payWith,
  rowsOf,
  successHeading,
} from './payer.ts';

const product = useProduct();
const newPage = useBrowser();

const pagesOf = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

describe('a payer with a link', () => {
  it('reads the bill, signs and pays by card, with one charge, one receipt and one mail that agree', async () => {
    const { address, number, email } = await product.makeLink();
    const page = await payerPage(newPage);
    await openForm(page, address);
    expect(await page.title()).toBe(`Pay invoice ${number} – Maple Street Dental`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toMatch(/Amount due\s+\$184\.00/);
    const bill = page.getByRole('complementary', { name: 'Invoice' });
    await expectText(
      bill,
      `Amount due $184.00 Due Dec 24, 2099 Invoice ${number}, billed to Marta Núñez, Núñez Studio LLC What is on this bill 1 item Consultation $184.00 Total $184.00`,
    );

    await fillDetails(page);
    await page.getByLabel('Address2 (optional)').fill('Suite 2');
    await fillCard(page);
    await draw(page);
    await payButton(page).click();

    await successHeading(page).waitFor();
    await expectFocus(successHeading(page));
    await page.getByText('Thank you for your payment.').waitFor();
    const [charge, ...otherCharges] = await product.charges(number);
    expect(otherCharges).toEqual([]);
    expect(charge).toMatchObject({ type: 'SALE', result: 'APPROVED', amount: '184.00' });
    const outcomeRows = await rowsOf(page.locator('.outcome'));
    expect(outcomeRows).toEqual({
      Amount: '$184.00',
      Date: expect.stringMatching(/^\w{3} \d{1,2}, \d{4}$/),
      Card: 'VISA •••• 1111',
      'Authorization code': expect.stringMatching(/^\w{4,}$/),
      'Transaction id': charge?.id,
      Result: 'Approved',
    });
    expect(await page.locator('form').count()).toBe(0);
    await expectGood(page, 'pay-success');

    await page.getByRole('link', { name: 'View receipt' }).click();
    const receipt = page.getByRole('article', { name: 'Receipt' });
    await receipt.waitFor();
    const receiptRows = await rowsOf(receipt);
    expect(receiptRows).toMatchObject({
      Invoice: number,
      'Billed to and paid by': `${PAYER['First Name']} ${PAYER['Last Name']}`,
      Method: 'Card',
      Card: outcomeRows.Card,
      'Authorization code': outcomeRows['Authorization code'],
      'Transaction id': outcomeRows['Transaction id'],
      Result: 'Approved',
    });
    expect(await receipt.innerText()).toMatch(/You paid\s+\$184\.00 USD\s+Paid/);
    const signature = receipt.getByAltText('Signature of the payer');
    // The browser may still decode the image after the receipt appears.
    await expect
      .poll(() => signature.evaluate((image: HTMLImageElement) => image.complete && image.naturalHeight))
      .toBe(150);

    const [mail, ...otherMails] = await until(
      () => product.mailTo(email),
      (mails) => mails.length > 0,
    );
    expect(otherMails).toEqual([]);
    expect(mail?.subject).toBe(`Receipt for invoice ${number} from Maple Street Dental`);
    const lines = mail?.text.split('\n') ?? [];
    for (const [label, value] of Object.entries(receiptRows)) expect(lines).toContain(`${label}: ${value}`);
    expect(lines).toContain('You paid: $184.00 USD');
    // The address of the page has a language, but an English mail links without one.
    const { origin, pathname } = new URL(page.url());
    expect(mail?.text).toContain(`open the receipt at ${origin}${pathname} or call`);
    expect(mail?.html).toContain(`${origin}${pathname}`);
  });

  it('prints the receipt on one sheet of A4 or Letter, black on white, without controls', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { theme: 'dark' });
    await payWith(page, address);
    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    await page.getByRole('button', { name: 'Print', exact: true }).waitFor();
    await expectGood(page, 'receipt');

    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBe(1);
    expect(pagesOf(await page.pdf({ format: 'Letter' }))).toBe(1);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.getByRole('button').count()).toBe(0);
    const colours = await page.getByRole('article', { name: 'Receipt' }).evaluate((paper) => {
      const { color } = getComputedStyle(paper);
      const backgrounds = [paper, document.body, document.documentElement].map(
        (element) => getComputedStyle(element).backgroundColor,
      );
      // Converts any colour notation to bytes with a canvas.
      const bytes = (colour: string) => {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        if (!canvas) throw new Error('no canvas');
        canvas.fillStyle = '#ffffff';
        canvas.fillRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return Math.max(...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3));
      };
      return { textColour: bytes(color), backgrounds: backgrounds.map(bytes) };
    });
    expect(colours.textColour).toBeLessThan(64);
    expect(colours.backgrounds).toEqual([255, 255, 255]);
  });

  it('sees the invoice as paid after a reload and after going back from the receipt', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage);
    await page.goto(product.appUrl);
    await payWith(page, address);
    await successHeading(page).waitFor();

    await page.getByRole('link', { name: 'View receipt' }).click();
    await page.getByRole('article', { name: 'Receipt' }).waitFor();
    await page.goBack();
    await page.getByText(/already paid|Payment Successful!/).waitFor();
    expect(await payButton(page).count()).toBe(0);

    await page.goto(address);
    await page
      .getByRole('heading', { name: 'This invoice is already paid. You have not been charged again.' })
      .waitFor();
    expect(await page.getByRole('link', { name: 'View receipt' }).getAttribute('href')).toMatch(
      /^\/receipt\/[\w-]{20,}$/,
    );
    await expectGood(page, 'state-paid');
    expect(await product.charges(number)).toHaveLength(1);
  });

  it('reads the full bill without JavaScript, with a notice that paying needs it', async () => {
    const { address, number } = await product.makeLink();
    const page = await payerPage(newPage, { javaScriptEnabled: false });
    const response = await page.goto(address);
    expect(response?.status()).toBe(200);
    for (const text of [
      `Invoice ${number}, billed to Marta Núñez, Núñez Studio LLC`,
      '$184.00',
      'Due Dec 24, 2099',
      'Questions about this bill?',
      'Paying online needs JavaScript.',
    ]) {
      expect(await page.locator('main').innerText()).toContain(text);
    }
    expect(await page.getByRole('link', { name: /\d{3}/ }).first().getAttribute('href')).toMatch(/^tel:\+?\d+$/);
    expect(await page.locator('button[type=submit]').count()).toBe(0);
  });

  it('gets touch targets of at least 44 pixels on a phone', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage, { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });
    await openForm(page, address);
    await draw(page);
    const targets = await page
      .locator('main')
      .locator('a, button, input')
      .evaluateAll((all) =>
        all
          .filter((target) => target.getClientRects().length > 0)
          .map((target) => [target.textContent || target.id, target.getBoundingClientRect().height] as const),
      );
    expect(targets.length).toBeGreaterThan(12);
    expect(targets.filter(([, height]) => height < 44)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  it('keeps text that was typed before the page was hydrated', async () => {
    const { address } = await product.makeLink();
    const page = await payerPage(newPage);
    const gate = Promise.withResolvers<void>();
    await page.route('**/_astro/PayPage*.js', async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto(address, { waitUntil: 'commit' });
    await page.getByLabel('First Name').fill('Early');
    expect(await page.locator('button[type=submit]').count()).toBe(0);
    await page.getByLabel('First Name').press('Enter');
    gate.resolve();
    await page.locator('button[type=submit]').waitFor();
    await cardFrame(page).getByLabel('Card number').waitFor();
    expect(await page.getByLabel('First Name').inputValue()).toBe('Early');
    expect(page.url()).toBe(address);
  });
});
