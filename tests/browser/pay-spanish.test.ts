import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { useProduct } from '#tests/support/product/product';
import { PHONE, useBrowser } from '../support/browser/browser.ts';
import { sql } from '../whole/expect-money.ts';
import { CARDS, expectFocus, expectGood, expectText, payerPage, REFUSED, rowsOf } from './payer.ts';
import { expectSpanish } from './spanish-only.ts';

const product = useProduct();
const newPage = useBrowser();

const spanishPage = (options: Parameters<typeof newPage>[0] = {}) =>
  payerPage(newPage, { locale: 'es-US', viewport: PHONE, ...options });
const frame = (page: Page) => page.frameLocator('iframe[title="Datos de la tarjeta"]');

async function fillInSpanish(page: Page, card: string = CARDS.approves): Promise<void> {
  await page.locator('button[type=submit]').waitFor();
  const fields = { Nombre: 'Marta', Apellido: 'Núñez', Dirección: '4 Elm St', Ciudad: 'Indianapolis' };
  for (const [label, value] of Object.entries({ ...fields, Estado: 'IN', 'Código postal': '46204' }))
    await page.getByLabel(label, { exact: true }).fill(value);
  await frame(page).getByLabel('Card number').fill(card);
  await frame(page).getByLabel('Expiration').fill('1249');
  await frame(page).getByLabel('Security code').fill('999');
}

describe('a payer with a Spanish browser', () => {
  it('pays by keyboard alone and reads a Spanish receipt, and the payment records the language', async () => {
    const { address, invoiceId } = await product.makeLink();
    const page = await spanishPage();
    await page.goto(address);
    await fillInSpanish(page);
    await expectSpanish(page);
    expect(await frame(page).getByLabel('Card number').getAttribute('placeholder')).toBe('Número de tarjeta');
    await page.getByRole('button', { name: 'Firmar de otra manera' }).press('Enter');
    const type = page.getByRole('button', { name: 'Escribir', exact: true });
    await type.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Escriba su nombre completo').focus();
    await page.keyboard.type('Marta Núñez');
    const pay = page.getByRole('button', { name: /^Pagar \$/ });
    for (let press = 0; press < 6 && !(await pay.evaluate((button) => button === document.activeElement)); press++)
      await page.keyboard.press('Tab');
    await expectFocus(pay);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '¡Pago realizado!' }).waitFor();
    await expectSpanish(page);
    const find = 'SELECT payer_language FROM payment_attempts WHERE invoice_id = ?';
    expect(await sql(product, find, invoiceId)).toEqual([{ payer_language: 'es' }]);

    await page.getByRole('link', { name: 'Ver el recibo' }).click();
    await page.getByRole('heading', { name: 'Recibo', exact: true }).waitFor();
    await expectSpanish(page);
    expect(await rowsOf(page.locator('#receipt'))).toMatchObject({ 'Forma de pago': 'Tarjeta', Resultado: 'Aprobado' });
    const size = () =>
      page
        .locator('.receipt dd')
        .first()
        .evaluate((value) => Number.parseFloat(getComputedStyle(value).fontSize));
    const normalSize = await size();
    await page.getByRole('button', { name: 'Letra grande' }).click();
    expect(await size()).toBeGreaterThanOrEqual(normalSize * 1.4);

    await page.goto(address);
    await page.getByRole('heading', { name: 'Esta factura ya está pagada. No se le ha cobrado de nuevo.' }).waitFor();
    await expectSpanish(page);
    await expectGood(page, 'paid-es');
  });

  it('sees missing fields reported in Spanish', async () => {
    const { address } = await product.makeLink();
    const page = await spanishPage();
    await page.goto(address);
    await page.locator('button[type=submit]').click();
    await expectText(page.locator('.pay-form > .banner p').first(), /^Complete los campos obligatorios: .+ y Firma$/);
    await expectSpanish(page);
    await expectGood(page, 'pay-es-missing');
  });

  it('keeps the language chosen by the switch, without a cookie', async () => {
    const { address } = await product.makeLink();
    const page = await spanishPage({ expected: REFUSED });
    await page.goto(address);
    const english = page.getByRole('link', { name: 'English', exact: true });
    expect([await english.getAttribute('lang'), (await english.boundingBox())?.height]).toEqual(['en', 44]);
    await english.click();
    await page.getByRole('heading', { name: /^Amount due/ }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(new URL(page.url()).searchParams.get('lang')).toBe('en');
    expect(await page.getByRole('link', { name: 'Español', exact: true }).getAttribute('lang')).toBe('es-US');
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${address}x?lang=es`);
    await page.getByRole('heading', { name: 'No se encontró la factura' }).waitFor();
    await expectSpanish(page);
    await expectGood(page, 'unknown-es');
  });
});
