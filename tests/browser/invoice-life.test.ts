import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { type PageOptions, PHONE, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { type Changes, makePreview, NOTHING_YET, servePreview } from '#tests/support/servers/preview-server';
import { useMerchant } from './merchant.ts';
import { expectGood, expectText } from './payer.ts';

const product = useProduct();
const merchantPage = useMerchant(useBrowser(), product.appUrl);
const ID = '903';
const YEAR = new Date().getFullYear();
const at = (day: string) => `${YEAR}-${day}T15:42:00.000Z`;

async function open(changes: Changes = {}, options: PageOptions = {}) {
  const page = await merchantPage(options);
  const server = await servePreview(page, ID, changes);
  await page.goto(`${product.appUrl}/invoice/${ID}`);
  await page.getByRole('button', { name: 'Save Invoice' }).waitFor();
  return { page, server };
}

const stops = async (page: Page) => {
  const all = await page.getByRole('list', { name: 'Life of this invoice' }).getByRole('listitem').all();
  return Promise.all(
    all.map(async (stop) => `${await stop.getAttribute('class')}: ${await stop.locator('.line-name').innerText()}`),
  );
};
const green = (page: Page) => page.locator('main .button-primary').allInnerTexts();

const batch = {
  ...{ id: '6', settled_at: at('03-05'), confirmation: 'CONF7014220776' },
  ...{ funded_on: null, deposit: null, fees: null },
};
const payment = {
  ...{ id: 'a1', at: at('03-04'), amount: '220.50', card: 'Visa •••• 1111', via: 'Front desk 2' },
  ...{ state: 'approved' as const, batch, in_crm: null },
};
const life = {
  ...NOTHING_YET,
  sent: { first_at: at('03-01'), last_at: at('03-01'), times: 1, to: 'marta@payer.example' },
  opened: { first_at: at('03-02'), last_at: at('03-03'), times: 3 },
  mails: [{ kind: 'pay-link' as const, at: at('03-01'), state: 'sent' as const, delivery: 'delivered' as const }],
};
const paid = {
  ...{ hs_invoice_status: 'paid', hs_balance_due: '0.00', payment_method: 'Visa •••• 1111' },
  ...{ payment_date: at('03-04'), paid_via: 'Front desk 2', transaction_id: '8442', receipt_id: 'R-1042' },
};
const back = (kind: 'void' | 'refund', amount: string) => ({
  ...{ id: `r${amount}`, kind, amount, at: at(kind === 'void' ? '03-04' : '03-06'), card: 'Visa •••• 1111' },
  ...{ reason: 'One X-ray too many', by: 'Grace Lindqvist', is_earlier: false, batch: null },
});

describe('the life of an invoice', () => {
  it('of one that is overdue shows what is owed, how far it came, and that its link is to be mailed next', async () => {
    const days = { hs_invoice_date: `${YEAR - 1}-09-08`, hs_due_date: `${YEAR - 1}-10-08` };
    const { page } = await open({ properties: days, life, customer_id: '501' });
    await page.locator('.preview-head').getByText('Overdue').waitFor();
    await expectText(page.locator('.preview-owed'), /^\$220\.50 owed, due Oct 8, \d{4}\. \d+ days late\.$/);
    expect(await stops(page)).toEqual([
      'done: Sent',
      'now: Opened',
      'ahead: Paid',
      'ahead: In a batch',
      'ahead: Settled',
    ]);
    expect(await green(page)).toEqual(['Email Payment Link']);
    await page.getByText('3 times, last Mar 3').waitFor();
    await page.getByText('Works until Jan 23, 2099. Opened 3 times.').waitFor();
    await expectText(page.locator('.preview-sums'), 'Billed $220.50 Paid $0.00 Balance due $220.50');
    await expectGood(page, 'life-overdue');
    await page.setViewportSize(PHONE);
    await picture(page, 'life-overdue-phone');
  });

  it('of one that is paid ends in the bank, where that is known, and nothing is green', async () => {
    const inBank = { ...batch, funded_on: `${YEAR}-03-06`, deposit: '215.00', fees: '5.50' };
    const { page } = await open({
      properties: paid,
      life: { ...life, payments: [{ ...payment, batch: inBank }], paid: '220.50' },
    });
    expect(await stops(page)).toEqual(
      ['Sent', 'Opened', 'Paid', 'In batch 6', 'Settled', 'In the bank'].map((name) => `done: ${name}`),
    );
    await page.getByText('$215.00, fees $5.50').waitFor();
    expect(await page.getByText('in HubSpot').count(), 'nothing is said where nothing is recorded').toBe(0);
    await page.getByText('CONF7014220776').waitFor();
    expect(await green(page)).toEqual([]);
    await expectText(page.locator('.preview-sums'), 'Billed $220.50 Paid $220.50 Kept $220.50 Balance due $0.00');
    await expectGood(page, 'life-paid');
  });

  it.each([
    [
      { state: 'recorded', at: new Date().toISOString(), why: '' },
      /^Recorded in HubSpot \w+ \d+, \d{4}, \d+:\d\d\s[AP]M$/,
    ],
    [
      {
        state: 'missing',
        at: null,
        why: 'This account must be set up for HubSpot payments or Stripe payment processing.',
      },
      'Paid here, not in HubSpot: This account must',
    ],
  ] as const)('of one that is paid says what the CRM shows of it: %j', async (in_crm, line) => {
    const { page } = await open({
      properties: paid,
      life: { ...life, payments: [{ ...payment, in_crm }], paid: '220.50' },
    });
    await page.locator('.preview-top').getByText(line).waitFor();
    const way = page.getByRole('link', { name: 'See what to enter in HubSpot' });
    expect(await way.count()).toBe(in_crm.state === 'missing' ? 1 : 0);
    await expectGood(page, `life-in-crm-${in_crm.state}`);
  });

  it('of one that is partly refunded turns back, and says what is kept and why', async () => {
    const { page } = await open({
      properties: paid,
      payment_id: 'a1',
      life: { ...life, payments: [payment], given_back: [back('refund', '52.55')], paid: '220.50', refunded: '52.55' },
    });
    await page.locator('.preview-head').getByText('Partly refunded').waitFor();
    await expectText(page.locator('.preview-owed'), '$220.50 paid, $52.55 refunded. $167.95 is kept.');
    expect((await stops(page)).slice(-2)).toEqual(['done: Settled', 'back: Partly refunded']);
    await page.getByText('“One X-ray too many”, Grace Lindqvist').waitFor();
    await page.getByRole('button', { name: 'Void or refund' }).waitFor();
    expect(await green(page)).toEqual([]);
    await expectGood(page, 'life-partly-refunded');
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, 'life-partly-refunded-dark-phone');
  });

  it('of one that was voided turns back before it settles', async () => {
    const { page } = await open({
      properties: { ...paid, hs_invoice_status: 'voided', hs_balance_due: '220.50' },
      can_collect_again: true,
      life: {
        ...life,
        payments: [{ ...payment, state: 'voided', batch: { ...batch, settled_at: null, confirmation: '' } }],
        ...{ given_back: [back('void', '220.50')], paid: '220.50', refunded: '220.50' },
      },
    });
    await page.locator('.preview-head').getByText('Voided').waitFor();
    expect((await stops(page)).slice(2)).toEqual(['done: Paid', 'done: In batch 6', 'back: Voided']);
    await page.getByRole('button', { name: 'Collect again' }).waitFor();
    await expectGood(page, 'life-voided');
  });

  it('of one that was reminded says when, what became of it and when the next one comes', async () => {
    const reminder = (day: string, delivery: 'bounced' | 'delivered') => ({
      ...{ kind: 'reminder' as const, at: at(day), state: 'sent' as const, delivery },
    });
    const { page, server } = await open({
      properties: { hs_due_date: `${YEAR}-03-04` },
      life: {
        ...life,
        reminded: { first_at: at('03-06'), last_at: at('03-10'), times: 3 },
        mails: [
          ...[reminder('03-10', 'delivered'), reminder('03-08', 'delivered'), reminder('03-06', 'bounced')],
          ...life.mails,
        ],
      },
    });
    expect((await stops(page)).slice(0, 4)).toEqual(['done: Sent', 'done: Opened', 'now: Reminded', 'ahead: Paid']);
    await expectText(page.getByRole('region', { name: 'Emails' }), /Reminder, came back .*Payment link, delivered/);
    const box = page.getByRole('region', { name: 'Reminders' });
    await expectText(box, /Reminders are off\. Choose when to remind/);
    expect(await box.getByRole('button').count(), 'nothing is left out of what is off').toBe(0);

    Object.assign(server.reminders, {
      ...{ is_on: true, last: { at: at('03-10'), times: 3, delivery: 'delivered' } },
      ...{ next_at: at('12-07'), why_none: null },
    });
    await page.reload();
    await expectText(box, /Last reminder 3 times, last Mar 10, delivered Next reminder Dec 7, \d+:42/);
    await expectGood(page, 'life-reminded');
    await box.getByRole('button', { name: 'Leave out of reminders' }).click();
    await expectText(box, /This invoice is left out of reminders\. Remind again/);
    expect(server.writes.at(-1)).toEqual({ what: `PUT /invoices/${ID}/reminders`, body: { is_excluded: true } });
    await box.getByRole('button', { name: 'Remind again' }).click();
    await expectText(box, /Next reminder Dec 7/);
  });

  it('of one whose payer stopped reminders says so, and of one that is paid nothing of them', async () => {
    const { page, server } = await open({ life });
    Object.assign(server.reminders, { is_on: true, stopped_at: at('03-08'), why_none: 'stopped' });
    await page.reload();
    await expectText(page.getByRole('region', { name: 'Reminders' }), /The payer stopped reminders on Mar 8\./);
    server.invoice = makePreview(ID, { properties: paid, life: { ...life, payments: [payment], paid: '220.50' } });
    await page.reload();
    await page.getByRole('button', { name: 'Save Invoice' }).waitFor();
    expect(await page.getByRole('region', { name: 'Reminders' }).count()).toBe(0);
  });

  it('of one whose payment nobody knows yet offers to check it, and not to take it again', async () => {
    const undecided = { id: 'a1', at: at('03-04'), amount: '220.50', state: 'unknown' as const };
    const { page } = await open({ life: { ...life, undecided } });
    await page.getByText('Not known yet').waitFor();
    await page.getByText('We do not know yet whether this was charged.').waitFor();
    await expectText(page.locator('.preview-owed'), '$220.50 may have been charged already. Do not take it again.');
    expect(await page.getByRole('button', { name: 'Email Payment Link' }).isDisabled()).toBe(true);
    expect(await green(page)).toEqual(['Check payment']);
    await expectGood(page, 'life-unknown');
  });

  it('keeps its place while it loads', async () => {
    const page = await merchantPage({});
    const server = await servePreview(page, ID, { life });
    let release = () => {};
    server.hold = new Promise((resolve) => {
      release = resolve;
    });
    await page.goto(`${product.appUrl}/invoice/${ID}`);
    await page.getByText('Loading invoice...').waitFor();
    const box = async () => page.locator('.life').boundingBox();
    const loading = await box();
    server.hold = null;
    release();
    await page.getByRole('button', { name: 'Save Invoice' }).waitFor();
    const loaded = await box();
    expect([loaded?.x, loaded?.width]).toEqual([loading?.x, loading?.width]);
    expect(Math.abs((loaded?.y ?? 0) - (loading?.y ?? 0))).toBeLessThan(4);
    expect(Math.abs((loaded?.height ?? 0) - (loading?.height ?? 0))).toBeLessThan(4);
  });
});
