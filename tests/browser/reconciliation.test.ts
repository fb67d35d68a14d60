import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Batch, BatchTransaction } from '#shared/contracts/batches';
import type { ReconciliationView } from '#shared/contracts/reconciliation';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { answerCalls } from '#tests/support/servers/answer-calls';
import { counterTerminal, onlineTerminal } from '#tests/support/wire';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const desk = counterTerminal();
const REFUSED = /Failed to load resource|^Failed to /;

const view: ReconciliationView = {
  checked_at: '2026-03-04T07:00:00.000Z',
  failing_since: null,
  differences: [
    {
      ...{ id: '90001', verdict: 'only-gateway', type: 'SALE', at: '2026-03-03T15:00:00.000Z', amount: '50.00' },
      ...{ ours: null, card: 'XXXXXXXXXXXX1111', payer: 'Walk In', customer: '', invoice: null },
    },
    {
      ...{ id: '90002', verdict: 'amount-differs', type: 'SALE', at: '2026-03-03T14:00:00.000Z', amount: '18.40' },
      ...{ ours: '184.00', card: 'XXXXXXXXXXXX1111', payer: 'M Nunez', customer: 'Marta Núñez' },
      invoice: { id: '90412', number: 'INV-1042' },
    },
    {
      ...{ id: '90003', verdict: 'only-ours', type: '', at: '2026-03-02T14:00:00.000Z', amount: null },
      ...{ ours: '71.10', card: '', payer: '', customer: 'Ada Okafor' },
      invoice: { id: '90413', number: 'INV-1043' },
    },
  ],
  undecided: [
    {
      ...{ payment_id: 'p1', invoice_id: '90414', invoice_number: 'INV-1044', customer: 'Li Wei' },
      ...{ amount: '120.00', since: '2026-03-01T14:00:00.000Z', held_for: 'not_charged' },
    },
  ],
  frozen_parts: [],
  undecided_reversals: [
    {
      ...{ reversal_id: 'r1', kind: 'refund', invoice_id: '90415', invoice_number: 'INV-1045', customer: 'Ada Okafor' },
      ...{ amount: '71.10', paid: '184.00', given_back: '12.90', reason: 'Billed twice', by: 'ana@maple.example' },
      ...{ since: '2026-03-01T15:00:00.000Z', why: 'The card provider shows another amount for it: $61.10.' },
    },
  ],
  resolved: [
    {
      ...{ about: 'void', invoice_number: 'INV-1040', amount: '20.00', verdict: 'not-happened' },
      ...{ note: 'Called the provider', by: 'ana@maple.example', at: '2026-02-28T14:00:00.000Z' },
    },
  ],
};

async function serve(page: Page, shown: ReconciliationView = view) {
  const asked: unknown[] = [];
  const state = { view: shown, refuses: false, isDown: false };
  await answerCalls(
    page,
    ({ pathname }) => pathname === '/api/matching' || pathname.endsWith('/resolution'),
    (call) => {
      if (call.url.pathname === '/api/matching') {
        const message = 'Please try again.';
        if (state.isDown) return call.fulfill({ status: 503, json: { error: { code: 'unavailable', message } } });
        return call.fulfill({ json: state.view });
      }
      asked.push(call.sent());
      const isPayment = call.url.pathname.startsWith('/api/payments/');
      if (state.refuses) {
        const message = isPayment
          ? 'Clearent shows money taken for this payment. Void or refund it there, then press Check now.'
          : 'Clearent shows that money went back.';
        return call.fulfill({ status: 409, json: { error: { code: 'conflict', message } } });
      }
      if (isPayment) {
        state.view = { ...state.view, undecided: [] };
        return call.fulfill({ json: { verdict: 'charged', message: 'Invoice INV-1044 is paid.' } });
      }
      state.view = { ...state.view, undecided_reversals: [] };
      const message = 'The refund of $71.10 on INV-1045 is booked.';
      return call.fulfill({ json: { verdict: 'happened', message } });
    },
  );
  return { asked, state };
}

const openChecks = async (page: Page) => {
  await page.goto(`${product.appUrl}/checks`);
  await page.getByRole('heading', { name: 'Payments to check', level: 2 }).waitFor();
};

describe('payments to check', () => {
  it.each(VIEWS)(
    'name what each side says, the invoice, and payments that need a person (%s)',
    async (name, options) => {
      const page = await merchantPage(options);
      await serve(page);
      await openChecks(page);
      const text = async (part: string) =>
        (await page.getByRole('listitem').filter({ hasText: part }).innerText()).replace(/\s+/g, ' ');
      await page.getByText('Only at the card provider').waitFor();
      expect(await text('90001')).toMatch(
        /Only at the card provider .* Card provider \$50\.00 Our books Not there .* void or refund it there\./,
      );
      expect(await text('90002')).toMatch(
        /Amounts differ by \$165\.60 .* \$18\.40 Our books \$184\.00 Customer Marta Núñez Invoice INV-1042 Ask the/,
      );
      expect(await text('90003')).toMatch(/Only in our books .* Card provider Not there Our books \$71\.10/);
      const waiting = await text('INV-1044');
      expect(waiting).toContain('$120.00');
      expect(waiting).toContain('showed no charge, so the invoice was opened again. Then it showed one after all.');
      expect(waiting).toContain('press It was charged. If it is not, press It was not charged.');
      expect(await text('INV-1045')).toMatch(
        /Refund \$71\.10 Ada Okafor .* shows another amount for it: \$61\.10\..* Paid \$184\.00 .* \$12\.90 .* Billed twice/,
      );
      expect(await text('INV-1040')).toMatch(/Void of INV-1040, \$20\.00 It did not happen .* Called the provider/);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
      await expectAccessible(page);
      await picture(page, `checks-${name.replace(' ', '-')}`);
    },
  );

  it('are decided by a person with a note, and the provider’s word overrules theirs', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const { asked, state } = await serve(page);
    await openChecks(page);
    await page.getByRole('button', { name: 'It was not charged INV-1044' }).click();
    const dialog = page.getByRole('dialog', { name: 'Was INV-1044 charged?' });
    await dialog.getByRole('button', { name: 'It was not charged' }).click();
    await dialog.getByText('Please say how you know.').waitFor();
    await dialog.getByText('The invoice can then be paid again with $120.00 (Li Wei).').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Note').fill('Called the provider');
    state.refuses = true;
    await dialog.getByRole('button', { name: 'It was not charged' }).click();
    await dialog
      .getByText('Clearent shows money taken for this payment. Void or refund it there, then press Check now.')
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    state.refuses = false;
    await page.getByRole('button', { name: 'It was charged INV-1044' }).click();
    await dialog.getByText('The invoice is then paid with $120.00 (Li Wei)').waitFor();
    await dialog.getByLabel('Note').fill('Called the provider');
    await dialog.getByRole('button', { name: 'It was charged' }).click();
    await page.getByText('Invoice INV-1044 is paid.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: /INV-1044/ }).count()).toBe(0);
    expect(asked).toEqual([
      { verdict: 'not-charged', note: 'Called the provider' },
      { verdict: 'charged', note: 'Called the provider' },
    ]);
  });

  it.each(VIEWS)('include refunds: a person decides whether one happened, with a note (%s)', async (name, options) => {
    const page = await merchantPage({ ...options, expected: REFUSED });
    const { asked, state } = await serve(page, { ...view, undecided: [] });
    await openChecks(page);
    await page.getByRole('button', { name: 'It did not happen INV-1045' }).click();
    const dialog = page.getByRole('dialog', { name: 'Did the refund of INV-1045 happen?' });
    await dialog.getByRole('button', { name: 'It did not happen' }).click();
    await dialog.getByText('Please say how you know.').waitFor();
    await dialog
      .getByText('The refund of $71.10 (Ada Okafor) is then dropped: the payment of $184.00 stands')
      .waitFor();
    await expectAccessible(page);
    await picture(page, `checks-refund-${name.replace(' ', '-')}`);
    await dialog.getByLabel('Note').fill('Asked the customer');
    state.refuses = true;
    await dialog.getByRole('button', { name: 'It did not happen' }).click();
    await dialog.getByText('Clearent shows that money went back.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    state.refuses = false;
    await page.getByRole('button', { name: 'It happened INV-1045' }).click();
    await dialog.getByText('The refund of $71.10 (Ada Okafor) is then booked').waitFor();
    await dialog.getByLabel('Note').fill('Asked the customer');
    await dialog.getByRole('button', { name: 'It happened' }).click();
    await page.getByText('The refund of $71.10 on INV-1045 is booked.').waitFor();
    await page.getByText('No payment waits for a person.').waitFor();
    await expectAccessible(page);
    expect(asked).toEqual([
      { verdict: 'not-happened', note: 'Asked the customer' },
      { verdict: 'happened', note: 'Asked the customer' },
    ]);
  });

  it('say so when everything agrees, and when it is not known', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const { state } = await serve(page, {
      ...view,
      ...{ differences: [], undecided: [], undecided_reversals: [], frozen_parts: [] },
    });
    await openChecks(page);
    await page.getByText('Everything agrees.').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Card takings' }).waitFor();
    state.view = { ...state.view, checked_at: null };
    await page.reload();
    await page.getByText('Not comparable yet: not all payments were read from the card provider.').waitFor();
    expect(await page.getByText('Everything agrees.').count()).toBe(0);
    state.isDown = true;
    await page.reload();
    await page.getByText('What was checked could not be loaded.').waitFor();
    expect(await page.getByText('Everything agrees.').count()).toBe(0);
    expect(state.refuses).toBe(false);
  });
});

/** The batch and its transactions at the card provider, beside `view.differences`. */
const batch: Batch = {
  ...{ id: '5', status: 'OPEN', terminal_name: desk.name, 'terminal-id': desk.terminalId },
  ...{ 'date-opened': '2026-03-03T13:00:00.000Z', settled: null, 'confirmation-code': null },
  ...{ 'sales-count': '2', 'sales-total': '60.40', 'refund-count': '0', 'refund-total': '0.00' },
  'net-amount': '60.40',
};
const transactions = view.differences
  .filter(({ amount }) => amount !== null)
  .map(({ id, amount, type, at, card, payer, invoice }): BatchTransaction => {
    const [first = '', last = ''] = payer.split(' ');
    const paid = { customer_id: '', offer: null };
    return {
      ...{ id, amount, type, result: 'APPROVED', 'card-type': 'VISA', card, created: at, voided: false },
      billing: { 'first-name': first, 'last-name': last },
      payment: invoice && { id, invoice_id: invoice.id, invoice_number: invoice.number, ...paid },
    };
  });

describe('a batch', () => {
  const match = (page: Page) => page.getByRole('region', { name: 'Checked against our books' });
  const open = (page: Page, terminalId = desk.terminalId) =>
    page.goto(`${product.appUrl}/transactions?terminal=${terminalId}`);

  it('is compared with our ledger beside its transactions, with sums that agree', async () => {
    const page = await merchantPage();
    const link = await product.makeLink({ amount: '41.30' });
    expect((await product.pay(link.payId, await product.form())).status).toBe(200);
    await open(page, onlineTerminal().terminalId);
    await match(page).getByText('Agrees').first().waitFor();
    expect(await match(page).getByText('Agrees').count()).toBe(3);
    await match(page)
      .getByText(/^\d+ of \d+ lines agree with our books\.$/)
      .waitFor();
    await expectAccessible(page);
    await picture(page, 'batch-match');
  });

  it('from before Tillway, or without sums yet, is not called equal', async () => {
    const page = await merchantPage();
    const earlier = view.differences.map((line) => ({ ...line, verdict: 'earlier' }));
    const sums = [{ what: 'net', lines: '60.40', batch: '60.40', agrees: true }];
    let answer: object = { lines: earlier, sums };
    await page.route('**/match', (route) => route.fulfill({ json: answer }));
    await open(page);
    await match(page)
      .getByText(/^Before Tillway: these payments/)
      .waitFor();
    await match(page).getByText('$60.40').waitFor();
    expect(await match(page).getByText('Agrees').count()).toBe(0);
    answer = { lines: earlier, sums: [] };
    await page.reload();
    await match(page)
      .getByText(/^Not comparable yet/)
      .waitFor();
    expect(await match(page).getByText('Agrees').count()).toBe(0);
  });

  it('whose sums differ has a red row', async () => {
    const page = await merchantPage();
    const sums = [
      { what: 'sales', lines: '68.40', batch: '60.40', agrees: false },
      { what: 'refunds', lines: '0.00', batch: '0.00', agrees: true },
      { what: 'net', lines: '68.40', batch: '60.40', agrees: false },
    ];
    await answerCalls(
      page,
      ({ pathname }) => pathname.startsWith(`/api/terminals/${desk.terminalId}/batches`),
      ({ url, fulfill }) => {
        if (url.pathname.endsWith('/match')) return fulfill({ json: { lines: view.differences, sums } });
        return fulfill({ json: url.pathname.endsWith('/batches') ? { batch: [batch] } : transactions });
      },
    );
    await open(page);
    await match(page).getByText('Differs', { exact: true }).first().waitFor();
    expect((await match(page).locator('.match-wrong').last().innerText()).replace(/\s+/g, ' ')).toBe(
      'Net $68.40 The batch says $60.40 Differs',
    );
    await match(page).getByText('0 of 3 lines agree with our books, 3 do not.').waitFor();
    // That there are no refunds on either side says nothing of our books, which lack some of these payments.
    expect(await match(page).getByText('Agrees').count()).toBe(0);
    await expectAccessible(page);
    await picture(page, 'batch-match-differs');
  });
});
