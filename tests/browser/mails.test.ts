import { describe, expect, it } from 'vitest';
import { htmlLang, languages } from '#shared/words/language';
import { checkReflow, findCutText } from '#tests/support/browser/beyond-axe';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { useMerchant } from './merchant.ts';
import { callAs } from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const NARROWEST = { width: 320, height: 740 };

describe.each(languages)('mails to payers (%s)', (language) => {
  it('every mail fits the narrowest phone and has no accessibility violation', async () => {
    const email = `${crypto.randomUUID().slice(0, 8)}@payer.example`;
    const contact = { firstname: 'Maximiliana', lastname: 'Fernández-Villaverde', email, hs_language: language };
    const paidLink = await product.makeLink({ contact, amount: '12184.50' });
    const payment = await product.pay(paidLink.payId, await product.form());
    expect(payment.status).toBe(200);
    const openLink = await product.makeLink({ contact, amount: '12184.50' });
    const callAsStaff = callAs(await merchantPage(), product.appUrl);
    expect((await callAsStaff(`/api/invoices/sendPaymentLink/${openLink.invoiceId}`, {})).status).toBe(200);
    const mails = await until(
      () => product.mailTo(email),
      (all) => all.length === 2,
    );
    const page = await newPage({ viewport: NARROWEST });
    for (const [at, { html, subject }] of mails.entries()) {
      await page.setContent(html);
      expect(await page.locator('html').getAttribute('lang')).toBe(htmlLang[language]);
      // A mail client shows the mail in its own page, below the subject.
      await page.evaluate((subject) => {
        const [main, heading] = [document.createElement('main'), document.createElement('h1')];
        heading.textContent = subject;
        main.appendChild(heading);
        for (const part of [...document.body.childNodes]) main.appendChild(part);
        document.body.appendChild(main);
      }, subject);
      expect(await findCutText(page)).toEqual([]);
      expect(await checkReflow(page)).toEqual([]);
      await expectAccessible(page);
      await picture(page, `mail-${language}-${at}`);
    }
  });
});
