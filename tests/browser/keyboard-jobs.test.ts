import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { useColleagues } from './colleagues.ts';
import { useMerchant } from './merchant.ts';
import { CODE, inMail } from './staff.ts';
import {
  BACK,
  clearDevices,
  closeLeftOver,
  counterInvoice,
  device,
  idOf,
  PAID,
  says,
  sell,
  showDesk,
  touch,
  WAITING,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const { colleague, outdateProof, setPin, paidInvoice } = useColleagues(product, newPage);
const timeout = 240_000;

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

const MOST = 90;

/** Tab until the target has the focus; no click, and no focus that a script sets. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < MOST; steps++) {
    await page.keyboard.press('Tab');
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab never reached ${String(target)}`);
}

async function press(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await target.waitFor();
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Chooses in a select as a person does: by typing what it says. */
async function pick(page: Page, select: Locator, words: string): Promise<void> {
  await tabTo(page, select);
  await page.keyboard.type(words);
}

/** No pointer is on this machine: a press of one fails the test. */
async function withoutPointer(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      document.addEventListener(type, () => console.error(`a pointer was used: ${type}`), true);
  });
  return page;
}

const focusIsIn = (target: Locator) =>
  expect.poll(() => target.evaluate((element) => element.contains(document.activeElement))).toBe(true);

/** The fifth job, to pay a link, is in pay-form.test.ts. */
describe('a keyboard-only user', { timeout }, () => {
  it('takes a payment at a terminal', async () => {
    const page = await withoutPointer(await merchantPage());
    await showDesk(page, product);
    const invoice = await counterInvoice(page, product);
    await showDesk(page, product);
    await device(page).getByRole('option', { name: BACK }).waitFor({ state: 'attached' });
    await pick(page, device(page), BACK);
    await tabTo(page, page.getByRole('combobox', { name: 'Customer' }));
    await page.keyboard.type(invoice.customer);
    await page.getByRole('option', { name: invoice.customer }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const select = page.getByLabel('Invoice', { exact: true });
    await select.getByRole('option', { name: invoice.number }).waitFor({ state: 'attached' });
    await pick(page, select, invoice.number);
    await press(page, page.getByRole('button', { name: 'Proceed to Payment' }));
    await says(page, WAITING);
    await touch(product, 'tap', BACK);
    await says(page, PAID);
    await press(page, page.getByRole('button', { name: 'Take another payment' }));
    await device(page).waitFor();
    expect(await product.charges(invoice.number)).toMatchObject([{ result: 'APPROVED' }]);
  });

  it('mails a pay link', async () => {
    const page = await withoutPointer(await merchantPage());
    await page.goto(`${product.appUrl}/customers`);
    const invoice = await counterInvoice(page, product);
    await page.goto(`${product.appUrl}/openInvoices`);
    const search = page.getByRole('searchbox');
    await search.waitFor();
    await tabTo(page, search);
    await page.keyboard.type(invoice.customer);
    const mail = page.getByRole('button', { name: `Email Payment Link, ${invoice.number}` });
    await press(page, mail);
    await page.getByRole('dialog').getByText(invoice.email).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Payment link sent' }).waitFor();
    await until(
      () => product.mailTo(invoice.email),
      (mails) => mails.length === 1,
    );
    await focusIsIn(mail);
  });

  it('closes a batch and refunds one of its payments', async () => {
    const desk = await merchantPage();
    await showDesk(desk, product);
    await closeLeftOver(desk, product, BACK);
    const invoice = await counterInvoice(desk, product, { amount: '84.00' });
    await desk.reload();
    await sell(desk, invoice, BACK);
    await touch(product, 'tap', BACK);
    await says(desk, PAID);

    const page = await withoutPointer(await merchantPage());
    await page.goto(product.appUrl);
    const section = page.getByRole('region', { name: BACK, exact: true });
    await press(page, section.getByRole('button', { name: 'Close Batch' }));
    const closing = page.getByRole('dialog', { name: /^Close batch \d+ on / });
    await closing.waitFor();
    await focusIsIn(closing);
    const batch = /\d+/.exec(await closing.getByRole('heading').innerText())?.[0];
    await press(page, closing.getByRole('button', { name: 'Close Batch' }));
    await page.getByText(`Batch ${batch} is closed.`).waitFor();

    await page.goto(`${product.appUrl}/transactions?terminal=${idOf(BACK)}&batch=${batch}`);
    const refund = page.getByRole('row').filter({ hasText: invoice.number }).getByRole('button', { name: 'Refund' });
    await press(page, refund);
    const giving = page.getByRole('dialog', { name: `Refund ${invoice.number}?` });
    await giving.waitFor();
    await focusIsIn(giving);
    await tabTo(page, giving.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Billed twice');
    await press(page, giving.getByRole('button', { name: /^Refund \$/ }));
    await page.getByText('Refunded $84.00.').waitFor();
  });

  it('refunds with a PIN when the last proof is too old, and the typed text is still there', async () => {
    const { person, page: own, leave } = await colleague('Kai', 'Administrator');
    await setPin(own, person, '483920');
    const { invoiceId } = await paidInvoice();
    const page = await withoutPointer(own);
    await page.goto(`${product.appUrl}/invoice/${invoiceId}`);
    const back = page.getByRole('button', { name: 'Void or refund' });
    await press(page, back);
    const giving = page.getByRole('dialog', { name: /^Void the payment of / });
    await giving.waitFor();
    await tabTo(page, giving.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Billed twice');
    await outdateProof(person.email);
    await press(page, giving.getByRole('button', { name: /^Void \$/ }));
    const asked = page.getByRole('dialog', { name: 'Is it still you?' });
    await asked.waitFor();
    await focusIsIn(asked.getByLabel('Your PIN'));
    await page.keyboard.type('111112');
    await page.keyboard.press('Enter');
    await asked.getByRole('alert').waitFor();
    await focusIsIn(asked.getByLabel('Your PIN'));
    expect(await giving.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Billed twice');
    await page.keyboard.type('483920');
    await page.keyboard.press('Enter');
    await page.getByText('Voided $184.00.').waitFor();
    await leave();
  });

  it('logs in with a mailed code and hands the desk over to a colleague', async () => {
    const [lea, max] = [await colleague('Lea', 'Front desk'), await colleague('Max', 'Front desk')];
    await setPin(lea.page, lea.person, '907351');
    const page = await withoutPointer(await newPage({ expected: /status of 401/ }));
    await page.goto(`${product.appUrl}/login`);
    const mail = page.getByRole('button', { name: 'Email me a code' });
    await expect.poll(() => mail.isEnabled()).toBe(true);
    await press(page, mail);
    await focusIsIn(page.getByLabel('Email', { exact: true }));
    await page.keyboard.type(max.person.email);
    await page.keyboard.press('Enter');
    await focusIsIn(page.getByLabel('Code', { exact: true }));
    // As a paste does: nobody has to copy it out digit by digit.
    await page.keyboard.insertText(await inMail(product, max.person.email, CODE));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.appUrl}/`);

    await press(page, page.getByRole('button', { name: /^Account, / }));
    await press(page, page.getByRole('button', { name: 'Switch person' }));
    const asked = page.getByRole('dialog', { name: 'Who is working here now?' });
    const choice = asked.getByLabel(lea.person.name);
    await choice.waitFor();
    // The arrow keys go through the people, and choose.
    await tabTo(page, asked.getByRole('radio').first());
    if (!(await choice.isChecked())) await page.keyboard.press('Space');
    for (let n = 0; n < 20 && !(await choice.isChecked()); n++) await page.keyboard.press('ArrowDown');
    await tabTo(page, asked.getByLabel('PIN'));
    await page.keyboard.type('907351');
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    await page.goto(`${product.appUrl}/userinfo`);
    await page.getByText(lea.person.email, { exact: true }).first().waitFor();
    await lea.leave();
    await max.leave();
  });
});
