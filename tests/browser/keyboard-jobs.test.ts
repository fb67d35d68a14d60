import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useBrowser } from '#tests/support/browser/browser';
import { until, useProduct } from '#tests/support/product/product';
import { useColleagues } from './colleagues.ts';
import { useMerchant } from './merchant.ts';
import { CODE, readFromMail } from './staff.ts';
import {
  BACK,
  clearDevices,
  closeOpenBatch,
  counterInvoice,
  device,
  idOf,
  PAID,
  sell,
  showDesk,
  touch,
  WAITING,
  waitForSaleText,
} from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const { colleague, outdateProof, setPin, paidInvoice } = useColleagues(product, newPage);
const timeout = 240_000;

beforeEach(() => product.set({ auto_tap: false, terminal_timeout_ms: 120_000 }));
afterEach(() => clearDevices(product));

const MAX_STOPS = 90;

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let steps = 0; steps < MAX_STOPS; steps++) {
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

/** Chooses an option of a select by typing its text. */
async function pick(page: Page, select: Locator, words: string): Promise<void> {
  await tabTo(page, select);
  await page.keyboard.type(words);
}

/** Makes any use of a pointer fail the test. */
async function forbidPointer(page: Page): Promise<Page> {
  await page.addInitScript(() => {
    for (const type of ['pointerdown', 'mousedown', 'touchstart'])
      document.addEventListener(type, () => console.error(`a pointer was used: ${type}`), true);
  });
  return page;
}

const expectFocusIn = (target: Locator) =>
  expect.poll(() => target.evaluate((element) => element.contains(document.activeElement))).toBe(true);

/** The fifth job, paying by a link, is tested in pay-form.test.ts. */
describe('a keyboard-only user', { timeout }, () => {
  it('takes a payment at a terminal', async () => {
    const page = await forbidPointer(await merchantPage());
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
    await waitForSaleText(page, WAITING);
    await touch(product, 'tap', BACK);
    await waitForSaleText(page, PAID);
    await press(page, page.getByRole('button', { name: 'Take another payment' }));
    await device(page).waitFor();
    expect(await product.charges(invoice.number)).toMatchObject([{ result: 'APPROVED' }]);
  });

  it('mails a pay link', async () => {
    const page = await forbidPointer(await merchantPage());
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
    await expectFocusIn(mail);
  });

  it('closes a batch and refunds one of its payments', async () => {
    const desk = await merchantPage();
    await showDesk(desk, product);
    await closeOpenBatch(desk, product, BACK);
    const invoice = await counterInvoice(desk, product, { amount: '84.00' });
    await desk.reload();
    await sell(desk, invoice, BACK);
    await touch(product, 'tap', BACK);
    await waitForSaleText(desk, PAID);

    const page = await forbidPointer(await merchantPage());
    await page.goto(product.appUrl);
    const section = page.getByRole('region', { name: BACK, exact: true });
    await press(page, section.getByRole('button', { name: 'Close Batch' }));
    const closing = page.getByRole('dialog', { name: /^Close batch \d+ on / });
    await closing.waitFor();
    await expectFocusIn(closing);
    const batch = /\d+/.exec(await closing.getByRole('heading').innerText())?.[0];
    await press(page, closing.getByRole('button', { name: 'Close Batch' }));
    await page.getByText(`Batch ${batch} is closed.`).waitFor();

    await page.goto(`${product.appUrl}/transactions?terminal=${idOf(BACK)}&batch=${batch}`);
    const refund = page.getByRole('row').filter({ hasText: invoice.number }).getByRole('button', { name: 'Refund' });
    await press(page, refund);
    const moneyDialog = page.getByRole('dialog', { name: `Refund ${invoice.number}?` });
    await moneyDialog.waitFor();
    await expectFocusIn(moneyDialog);
    await tabTo(page, moneyDialog.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Billed twice');
    await press(page, moneyDialog.getByRole('button', { name: /^Refund \$/ }));
    await page.getByText('Refunded $84.00.').waitFor();
  });

  it('refunds with a PIN when the last proof is too old, and the typed text is still there', async () => {
    const { person, page: staffPage, leave } = await colleague('Kai', 'Administrator');
    await setPin(staffPage, person, '483920');
    const { invoiceId } = await paidInvoice();
    const page = await forbidPointer(staffPage);
    await page.goto(`${product.appUrl}/invoice/${invoiceId}`);
    const voidButton = page.getByRole('button', { name: 'Void or refund' });
    await press(page, voidButton);
    const moneyDialog = page.getByRole('dialog', { name: /^Void the payment of / });
    await moneyDialog.waitFor();
    await tabTo(page, moneyDialog.getByRole('textbox', { name: 'Reason' }));
    await page.keyboard.type('Billed twice');
    await outdateProof(person.email);
    await press(page, moneyDialog.getByRole('button', { name: /^Void \$/ }));
    const proofDialog = page.getByRole('dialog', { name: 'Is it still you?' });
    await proofDialog.waitFor();
    await expectFocusIn(proofDialog.getByLabel('Your PIN'));
    await page.keyboard.type('111112');
    await page.keyboard.press('Enter');
    await proofDialog.getByRole('alert').waitFor();
    await expectFocusIn(proofDialog.getByLabel('Your PIN'));
    expect(await moneyDialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Billed twice');
    await page.keyboard.type('483920');
    await page.keyboard.press('Enter');
    await page.getByText('Voided $184.00.').waitFor();
    await leave();
  });

  it('logs in with a mailed code and hands the desk over to a colleague', async () => {
    const [giver, taker] = [await colleague('Lea', 'Front desk'), await colleague('Max', 'Front desk')];
    await setPin(giver.page, giver.person, '907351');
    const page = await forbidPointer(await newPage({ expected: /status of 401/ }));
    await page.goto(`${product.appUrl}/login`);
    const mail = page.getByRole('button', { name: 'Email me a code' });
    await expect.poll(() => mail.isEnabled()).toBe(true);
    await press(page, mail);
    await expectFocusIn(page.getByLabel('Email', { exact: true }));
    await page.keyboard.type(taker.person.email);
    await page.keyboard.press('Enter');
    await expectFocusIn(page.getByLabel('Code', { exact: true }));
    // Inserted at once, like a paste.
    await page.keyboard.insertText(await readFromMail(product, taker.person.email, CODE));
    await page.keyboard.press('Enter');
    await page.waitForURL(`${product.appUrl}/`);

    await press(page, page.getByRole('button', { name: /^Account, / }));
    await press(page, page.getByRole('button', { name: 'Switch person' }));
    const switchDialog = page.getByRole('dialog', { name: 'Who is working here now?' });
    const choice = switchDialog.getByLabel(giver.person.name);
    await choice.waitFor();
    // The arrow keys select the person.
    await tabTo(page, switchDialog.getByRole('radio').first());
    if (!(await choice.isChecked())) await page.keyboard.press('Space');
    for (let n = 0; n < 20 && !(await choice.isChecked()); n++) await page.keyboard.press('ArrowDown');
    await tabTo(page, switchDialog.getByLabel('PIN'));
    await page.keyboard.type('907351');
    const loaded = page.waitForEvent('load');
    await page.keyboard.press('Enter');
    await loaded;
    await page.goto(`${product.appUrl}/userinfo`);
    await page.getByText(giver.person.email, { exact: true }).first().waitFor();
    await giver.leave();
    await taker.leave();
  });
});
