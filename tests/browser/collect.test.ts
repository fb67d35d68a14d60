import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { picture, useBrowser } from '#tests/support/browser/browser';
import { holdTime } from '#tests/support/browser/held-time';
import { until, useProduct } from '#tests/support/product/product';
import { answerCalls } from '#tests/support/servers/answer-calls';
import { overdueRows, serveMailings, serveOwedList } from '#tests/support/servers/mailings-server';
import { phone, useMerchant } from './merchant.ts';
import { expectGood, expectText } from './payer.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);

const OVERDUE = '/openInvoices?sort=due_date&status=overdue';
const bar = (page: Page) => page.getByRole('region', { name: 'Selection' });
const going = (page: Page) => page.getByRole('region', { name: 'Emailing links' });
const row = (page: Page, number: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: number, exact: true }) });
const lastEmail = (page: Page, number: string) => row(page, number).locator('.at-note');

async function open(rows: OpenInvoiceItem[], options: Parameters<typeof newPage>[0] = {}) {
  const page = await merchantPage(options);
  await serveOwedList(page, rows);
  const server = await serveMailings(page);
  await page.goto(`${product.appUrl}${OVERDUE}`);
  await page.getByRole('checkbox', { name: 'Select this page' }).waitFor();
  return { page, server };
}

describe('links for many on the way', () => {
  it('are picked, mailed with progress and a word for each row, and told at the end', async () => {
    const rows = overdueRows(7, (at) => (at === 2 ? { email: '' } : {}));
    const { page, server } = await open(rows);
    await page.getByText('61+ days').waitFor();
    expect(await page.getByRole('checkbox', { name: 'Select INV-1040' }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await expectText(bar(page).getByRole('status'), '6 selected $600.00');
    await page.getByRole('checkbox', { name: 'Select INV-1042' }).uncheck();
    await expectText(bar(page).getByRole('status'), '5 selected $500.00');
    await expectGood(page, 'collect-picked');
    await bar(page).getByRole('button', { name: 'Email 5 links' }).click();
    await page.getByText('5 links will be emailed.').waitFor();
    const sent = { state: 'sent' as const };
    server.tell([sent, sent, { state: 'left-out', why: 'bounced' }]);
    await expectText(going(page), /^Emailing 5 links 2 of 5 sent, 1 not sent/);
    expect(
      await going(page)
        .getByRole('progressbar')
        .evaluate((bar) => [bar.getAttribute('value'), bar.getAttribute('max')]),
    ).toEqual(['2', '5']);
    await lastEmail(page, 'INV-1041')
      .getByText(/^Sent \d+:\d\d\s[AP]M$/)
      .waitFor();
    await lastEmail(page, 'INV-1038').getByText('Not sent: its address came back').waitFor();
    await lastEmail(page, 'INV-1037').getByText('waiting').waitFor();
    await page.reload();
    await expectText(going(page), /^Emailing 5 links 2 of 5 sent, 1 not sent Stop after this one/);
    await expectGood(page, 'collect-sending');
    // What the list tells of it once it is read again.
    const last_email = { kind: 'pay-link' as const, at: new Date().toISOString(), delivery: null, told_at: null };
    for (const at of [1, 3, 5, 6]) Object.assign(rows[at] ?? {}, { last_email, never_emailed: false });
    Object.assign(rows[4] ?? {}, { bad_address: 'bounced', never_emailed: false });
    server.tell([sent, sent, {}, sent, sent], { is_over: true });
    await expectText(
      page.locator('.banner'),
      'Payment link sent 4 of 5. 1 could not be sent. Press the number to see what to do: INV-1038, its address came back',
    );
    await row(page, 'INV-1038').getByText('Correct the address in HubSpot.').waitFor();
    await expectGood(page, 'collect-sent');
    expect(server.asked.filter((method) => method === 'POST')).toHaveLength(1);
  });
});

describe('on a phone', () => {
  it('what is picked stands at the foot with its button, and leaves the last row in sight', async () => {
    const { page } = await open(
      overdueRows(3, (at) => (at === 2 ? { email: '' } : {})),
      phone,
    );
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await bar(page).getByRole('button', { name: 'Email 2 links' }).waitFor();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const [last, foot] = [await row(page, 'INV-1040').boundingBox(), await bar(page).boundingBox()];
    expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
    await page.evaluate(() => window.scrollTo(0, 0));
    await picture(page, 'collect-picked-phone');
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'collect-picked-dark-phone');
  });
});

describe('a tab without rows', () => {
  it.each([
    ['overdue', 'Nothing is overdue.'],
    ['due', 'Nothing is due.'],
    ['paid', 'Nothing was paid in the last 30 days.'],
  ])('says so in its own words: %s', async (status, words) => {
    const page = await merchantPage();
    await serveOwedList(page, []);
    await page.goto(`${product.appUrl}/openInvoices?status=${status}`);
    await page.getByText(words, { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('1042x');
    await page.getByText('No invoice matches "1042x" and these filters.').waitFor();
  });
});

describe('an address at which no mail arrives', () => {
  const told = (delivery: 'bounced' | 'delivered') => ({
    last_email: { kind: 'reminder' as const, at: '2025-11-10T15:00:00Z', delivery, told_at: '2025-11-21T15:00:00Z' },
  });

  it('is said before links are sent, and its own button says why not', async () => {
    const bad = { ...told('bounced'), bad_address: 'bounced' as const };
    const { page, server } = await open(overdueRows(7, (at) => (at === 2 ? bad : {})));
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await expectText(bar(page).getByRole('status'), '7 selected $700.00 No mail arrives at 1 of these addresses');
    const button = row(page, 'INV-1040').getByRole('button', { name: 'Email Payment Link, INV-1040' });
    await expectText(lastEmail(page, 'INV-1040'), /Came back Nov 21, 2025.*address unknown$/s);
    await row(page, 'INV-1040')
      .getByText('Mail to payer2@example.test came back. Correct the address in HubSpot.')
      .waitFor();
    expect(await button.isDisabled()).toBe(true);
    expect(server.asked).not.toContain('POST');
    await expectGood(page, 'collect-bad-address');
  });

  it('for a while is asked about once more, and a person decides', async () => {
    const { page } = await open(overdueRows(2, (at) => (at === 0 ? told('bounced') : told('delivered'))));
    const sent: string[] = [];
    await answerCalls(
      page,
      ({ pathname }) => pathname.includes('sendPaymentLink'),
      ({ url, fulfill }) => {
        sent.push(url.pathname);
        return fulfill({ json: { status: 'sent', to: 'payer@example.test', sent_at: new Date().toISOString() } });
      },
    );
    const press = (number: string) => row(page, number).getByRole('button', { name: `Email Payment Link, ${number}` });
    await press('INV-1042').click();
    await row(page, 'INV-1042').getByRole('alert').getByText('The last mail did not arrive.').waitFor();
    await expectGood(page, 'collect-doubtful-address');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(sent).toEqual([]);
    await press('INV-1042').click();
    await page.getByRole('button', { name: 'Send anyway' }).click();
    await page.locator('.banner-ok').waitFor();
    expect(sent).toHaveLength(1);
    await press('INV-1041').click();
    await expect.poll(() => sent.length).toBe(2);
  });
});

describe('links for many', () => {
  it('are taken back within ten seconds, and stopped after that', async () => {
    const { page, server } = await open(overdueRows(3));
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    const goOn = await holdTime(page);
    await bar(page).getByRole('button', { name: 'Email 3 links' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expectText(page.locator('.banner'), 'No link was emailed.');
    await goOn();
    await page.getByRole('button', { name: 'Close message' }).click();
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await bar(page).getByRole('button', { name: 'Email 3 links' }).click();
    await page.getByText('3 links will be emailed.').waitFor();
    server.tell([{ state: 'sent' }]);
    await going(page).getByRole('button', { name: 'Stop after this one' }).click();
    await expectText(page.locator('.banner'), 'Payment link sent 1 of 3. 2 not sent: you stopped.');
  });

  it('of all pages are picked by one more press, and asked about above 25', async () => {
    const { page, server } = await open(overdueRows(132));
    await page.getByRole('checkbox', { name: 'Select this page' }).check();
    await bar(page).getByRole('button', { name: 'Select all 132' }).click();
    await expectText(bar(page).getByRole('status'), '132 selected $13,200.00');
    await bar(page).getByRole('button', { name: 'Email 132 links' }).click();
    await expectText(bar(page).getByRole('status'), 'Email 132 links? $13,200.00 in all.');
    expect(server.asked).not.toContain('POST');
    await bar(page).getByRole('button', { name: 'Email 132 links' }).click();
    await page.getByText('132 links will be emailed.').waitFor();
    expect(server.mailing?.invoices).toHaveLength(132);
  });

  it('are three presses from the dashboard for all that is overdue, go out by the clinic’s clock, and nobody gets two', {
    timeout: 120_000,
  }, async () => {
    const page = await merchantPage();
    const bills = [
      await product.makeLink({ due_date: '2026-01-02' }),
      await product.makeLink({ due_date: '2026-01-03' }),
    ];
    await serveOwedList(
      page,
      overdueRows(2, (at) => ({ crm_id: bills[at]?.invoiceId ?? '', invoice_number: bills[at]?.number ?? '' })),
    );
    await page.goto(product.appUrl);
    let presses = 0;
    const press = async (role: 'link' | 'checkbox' | 'button', name: string | RegExp) => {
      presses++;
      await page.getByRole(role, { name }).first().click();
    };
    await press('link', /^Overdue/);
    await press('checkbox', 'Select this page');
    await press('button', 'Email 2 links');
    expect(presses).toBeLessThanOrEqual(4);
    await page.getByText('2 links will be emailed.').waitFor();
    await page.reload();
    await going(page).or(page.locator('.banner-ok')).first().waitFor();
    for (const { email } of bills)
      await until(
        () => product.mailTo(email),
        (mails) => mails.length > 0,
        60_000,
      );
    await page.locator('.banner-ok').getByText('2 of 2.').waitFor({ timeout: 60_000 });
    for (const { email } of bills) expect(await product.mailTo(email)).toHaveLength(1);
  });
});
