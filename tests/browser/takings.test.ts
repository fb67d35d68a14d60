import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { Batch } from '#shared/contracts/batches';
import type { BatchReconciliation } from '#shared/contracts/reconciliation';
import type { Takings } from '#shared/contracts/takings';
import { expectAccessible, PHONE, picture, useBrowser } from '#tests/support/browser/browser';
import { pdfSheets } from '#tests/support/browser/pdf-text';
import { useProduct } from '#tests/support/product/product';
import { answerCalls } from '#tests/support/servers/answer-calls';
import { counterTerminal, onlineTerminal } from '#tests/support/wire';
import { useMerchant, VIEWS } from './merchant.ts';
import { expectText } from './payer.ts';
import { openBatch } from './terminals.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const REFUSED = /Failed to load resource|^Failed to /;
const DAY = '2026-03-03';

const takingsOf = (looks = 1, more: Partial<Takings> = {}): Takings => ({
  date: DAY,
  business: { name: 'Maple Street Dental', address: '214 Maple Street, Carmel, IN 46032' },
  net: '5362.25',
  sales: { count: 15, amount: '5400.65' },
  refunds: { count: 1, amount: '38.40' },
  declined: 2,
  week_before: '5004.30',
  methods: [
    { name: 'Visa', count: 7, amount: '2716.60' },
    { name: 'Mastercard', count: 5, amount: '1549.55' },
    { name: 'American Express', count: 2, amount: '1006.50' },
    { name: 'Discover', count: 1, amount: '128.00' },
  ],
  look_alikes: Array.from({ length: looks }, (_, n) => ({
    ...{ card: 'Visa 1111', amount: `${71 + n}.10`, at: ['2026-03-03T15:02:00.000Z', '2026-03-03T15:06:00.000Z'] },
    ...{ invoices: ['INV-1100'], terminal: 'Front desk 1', customer: 'Carmen Nunez' },
  })),
  unknown: [],
  paid_elsewhere: { count: 3, amount: '150.00' },
  closed: { at: '2026-03-03T23:00:00.000Z', by: 'Grace Lindqvist' },
  ...more,
});

const batchOf = (terminal: number, more: Partial<Batch> = {}): Batch => ({
  ...{
    id: String(terminal + 8),
    status: 'CLOSED',
    terminal_name: `Front desk ${terminal}`,
    'terminal-id': `7014${terminal}`,
  },
  ...{ 'date-opened': '2026-03-03T13:00:00.000Z', settled: '2026-03-03T23:00:00.000Z' },
  ...{ 'sales-count': '6', 'sales-total': '1745.00', 'refund-count': '1', 'refund-total': '38.40' },
  ...{ 'net-amount': '1706.60', 'confirmation-code': `CONF701412${terminal}` },
  ...more,
});
/** All its sales, and nothing given back. */
const salesOf = (count: string, amount: string): Partial<Batch> => ({
  ...{ 'sales-count': count, 'sales-total': amount, 'net-amount': amount },
  ...{ 'refund-count': '0', 'refund-total': '0.00' },
});
/** Two batches that make the day's takings. */
const dayOf = (terminal: number) => [batchOf(terminal, terminal === 2 ? salesOf('9', '3655.65') : {})];

const line = (amount: string, ours: string | null): BatchReconciliation['lines'][number] => ({
  ...{ id: amount, verdict: ours === amount ? 'matched' : 'amount-differs', type: 'SALE', at: null, amount, ours },
  ...{ card: '', payer: '', customer: '', invoice: { id: '1', number: 'INV-1' } },
});
/** `isRight`: our books have the sales as the card provider has them; null: they are from before Tillway. */
function matchOf(batch: Batch, isRight: boolean | null = true): BatchReconciliation {
  const { 'sales-total': sales, 'refund-total': refunds, 'net-amount': net } = batch;
  const lines = [line(sales, isRight ? sales : '1673.90'), line(`-${refunds}`, `-${refunds}`)];
  return {
    lines: isRight === null ? lines.map((one) => ({ ...one, ours: null, verdict: 'earlier' as const })) : lines,
    sums: [
      { what: 'sales', lines: sales, batch: sales, agrees: true },
      { what: 'refunds', lines: refunds, batch: refunds, agrees: true },
      { what: 'net', lines: net, batch: net, agrees: true },
    ],
  };
}

type Served = {
  terminals?: number;
  takings?: Takings;
  batches?: (terminal: number) => Batch[];
  isRight?: (terminal: number) => boolean | null;
  /** The card provider's answers wait for it. */
  until?: Promise<void>;
};

async function serve(page: Page, { terminals = 2, takings = takingsOf(), batches, isRight, until }: Served = {}) {
  const of = batches ?? (terminals === 2 ? dayOf : (terminal) => [batchOf(terminal)]);
  const isServed = ({ pathname }: URL) => pathname === '/api/takings' || pathname.startsWith('/api/terminals');
  await answerCalls(page, isServed, async (call) => {
    const { pathname } = call.url;
    if (pathname === '/api/takings') return call.fulfill({ json: takings });
    await until;
    const terminal = Number(/^\/api\/terminals\/7014(\d+)\/batches/.exec(pathname)?.[1]);
    const [batch] = terminal ? of(terminal) : [];
    if (batch && pathname.endsWith('/match')) return call.fulfill({ json: matchOf(batch, isRight?.(terminal)) });
    if (batch) return call.fulfill({ json: { batch: [batch] } });
    const names = Array.from({ length: terminals }, (_, n) => `${n + 1}`);
    return call.fulfill({
      json: names.map((n) => ({ terminal_id: `7014${n}`, terminal_name: `Front desk ${n}` })),
    });
  });
}

async function open(page: Page, search = `?date=${DAY}`) {
  await page.goto(`${product.appUrl}/takings${search}`);
  await page.getByRole('heading', { name: 'Card takings', level: 2 }).waitFor();
}
const sheet = (page: Page) => page.getByRole('article');

describe('card takings', () => {
  it.each(VIEWS)(
    'say of a day what was taken, and that the card provider counts the same (%s)',
    async (name, options) => {
      const page = await merchantPage(options);
      await serve(page);
      await open(page);
      await page.getByText('All 2 batches are closed.').waitFor();
      await page.getByText('Net of the batches: $5,362.25. The card provider counts the same.').waitFor();
      const text = (await sheet(page).innerText()).replace(/\s+/g, ' ');
      for (const part of [
        'Maple Street Dental, 214 Maple Street, Carmel, IN 46032 Tuesday, Mar 3, 2026 last batch closed',
        'Net taken on this day $5,362.25 Sales 15, $5,400.65 Refunds 1, −$38.40 Declined 2, not charged Tuesday before $5,004.30',
        'Together',
        'Visa 7 $2,716.60',
        'Paid in HubSpot, not by card: 3, $150.00',
        'Sales agree: $5,400.65 Refunds agree: −$38.40 Net agrees: $5,362.25 Every payment has an invoice',
        'Two payments look alike: Visa 1111,',
        'kept refunded',
        'Counted by',
        'Sheet 1 of 1',
      ])
        expect(text).toContain(part);
      await expectAccessible(page);
      await picture(page, `takings-${name.replace(' ', '-')}`);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
        0,
      );
    },
  );

  it.each(['A4', 'Letter'] as const)(
    'are one sheet of %s up to 8 terminals and 6 look-alikes, then two',
    async (format) => {
      const page = await merchantPage();
      await serve(page, { terminals: 8, takings: takingsOf(6) });
      await open(page);
      await page.getByText('All 8 batches are closed.').waitFor();
      const one = await pdfSheets(page, format);
      expect(one).toHaveLength(1);
      for (const part of [
        'Card takings',
        'Net taken',
        'Front desk 8',
        'CONF7014128',
        '2 x $76.10',
        'Checked by',
        'Sheet 1 of 1',
      ])
        expect(one[0]).toContain(part);
      for (const chrome of ['Logout', 'Batches Dashboard', 'All 8 batches are closed.'])
        expect(one[0]).not.toContain(chrome);
      await serve(page, { terminals: 9, takings: takingsOf(7) });
      await page.reload();
      await page.getByText('All 9 batches are closed.').waitFor();
      const two = await pdfSheets(page, format);
      expect(two.map((text) => /Sheet \d of \d/.exec(text)?.[0])).toEqual(['Sheet 1 of 2', 'Sheet 2 of 2']);
      for (const text of two) expect(text).toContain('Tuesday, Mar 3, 2026');
      expect(two[0]).not.toContain('Counted by');
      expect(two[1]).toContain('Counted by');
    },
  );

  it('name what does not agree, what is open still, and what was closed later', async () => {
    const page = await merchantPage();
    await serve(page, {
      terminals: 3,
      // Our books have $71.10 less of the first batch than the card provider.
      takings: takingsOf(1, {
        ...{ net: '5291.15', sales: { count: 15, amount: '5329.55' } },
        methods: takingsOf().methods.with(0, { name: 'Visa', count: 7, amount: '2645.50' }),
      }),
      isRight: () => false,
      batches: (terminal) => {
        const open = { status: 'OPEN', settled: null, 'confirmation-code': null } as const;
        if (terminal === 2) return [batchOf(2, { ...salesOf('5', '1955.65'), ...open })];
        if (terminal === 3) return [batchOf(3, { ...salesOf('4', '1700.00'), settled: '2026-03-04T13:05:00.000Z' })];
        return [batchOf(1)];
      },
    });
    await open(page);
    await page.getByText('1 batch is still open.').waitFor();
    const standing = page.getByRole('status').filter({ hasText: 'still open' });
    await expectText(
      standing,
      /Close it in Batches Dashboard when the day is over\. The card provider counts other sums/,
    );
    expect(await standing.getByRole('link', { name: 'Payments to check' }).getAttribute('href')).toBe('/checks');
    const text = (await sheet(page).innerText()).replace(/\s+/g, ' ');
    expect(text).toContain('Net does not agree: ours $1,635.50, theirs $1,706.60. Difference $71.10.');
    expect(text).toContain('CONF7014121 No');
    expect(text).toContain('Front desk 2 is still open: $1,955.65 not in these batches.');
    expect(text).toMatch(/Front desk 3, batch 11, was closed Mar 4, 2026, .*: \$1,700\.00 not in these batches\./);
    expect(text).toContain('Net taken on this day is $3,584.55 more than these batches');
    await expectAccessible(page);
    await picture(page, 'takings-differs');
  });

  it('keep their place on a phone, however much is to be said of the batches', async () => {
    const page = await merchantPage({ viewport: PHONE });
    const asked = Promise.withResolvers<void>();
    const stillOpen = { status: 'OPEN', settled: null, 'confirmation-code': null } as const;
    await serve(page, {
      isRight: () => false,
      batches: (terminal) => [batchOf(terminal, terminal === 2 ? stillOpen : {})],
      until: asked.promise,
    });
    await open(page);
    await page.getByText('Asking the card provider for the batches...').waitFor();
    const top = () =>
      sheet(page)
        .boundingBox()
        .then((box) => box?.y ?? Number.NaN);
    const before = await top();
    asked.resolve();
    await page.getByText('1 batch is still open.').waitFor();
    // One line of text at most.
    expect(Math.abs((await top()) - before)).toBeLessThan(24);
  });

  it('say of which batches their net is, where one is from before Tillway', async () => {
    const page = await merchantPage();
    const takings = takingsOf(0, { net: '1706.60' });
    await serve(page, { takings, isRight: (terminal) => (terminal === 2 ? null : true) });
    await open(page);
    await page.getByText('Net of 1 of 2 closed batches: $1,706.60. The card provider counts the same.').waitFor();
    await expectText(sheet(page), /Front desk 2, batch 10: Before Tillway, so not in our books/);
    await expectText(
      sheet(page),
      /is \$3,655\.65 less than these batches: .*, and our books lack what was taken before Tillway\./,
    );
  });

  it('are of the day in the address, and say when they cannot be loaded', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const asked: (string | null)[] = [];
    await serve(page);
    await open(page);
    await page.getByLabel('Day').fill('2026-03-02');
    await page.waitForURL(/date=2026-03-02/);
    await answerCalls(
      page,
      ({ pathname }) => pathname === '/api/takings',
      (call) => {
        asked.push(call.url.searchParams.get('date'));
        return call.fulfill({ status: 503, json: { error: { code: 'unavailable', message: 'Please try again.' } } });
      },
    );
    await page.reload();
    await page.getByText(/Card takings could not be loaded\. Last try/).waitFor();
    expect(asked).toEqual(['2026-03-02']);
    await expectAccessible(page);
  });

  it('are five presses away: two batches are closed from the dashboard, and the day’s sheet is opened', async () => {
    const page = await merchantPage();
    await openBatch(page, product, counterTerminal().name);
    const { invoiceId } = await product.makeInvoice({ amount: '71.10' });
    expect(invoiceId).not.toBe('');
    const link = await product.makeLink({ amount: '71.10' });
    expect((await product.pay(link.payId, await product.form())).status).toBe(200);
    await page.goto(product.appUrl);
    let presses = 0;
    const press = async (name: string | RegExp, role: 'button' | 'link' = 'button') => {
      presses++;
      await page.getByRole(role, { name }).first().click();
    };
    for (const { name } of [onlineTerminal(), counterTerminal()]) {
      await press(`Close Batch on ${name}`);
      const dialog = page.getByRole('dialog');
      presses++;
      await dialog.getByRole('button', { name: 'Close Batch' }).click();
      await page
        .getByRole('region', { name, exact: true })
        .getByText(/is closed\. Confirmation CONF\w+\.|is closing batch/)
        .waitFor();
    }
    await press('Card takings', 'link');
    await page.waitForURL(`${product.appUrl}/takings`);
    expect(presses).toBe(5);
    await page.getByText(/batch(es)? (is|are) (closed|still open)\./).waitFor({ timeout: 30_000 });
    await expectText(sheet(page).locator('.sheet-net'), /^Net taken on this day \$[\d,]+\.\d\d$/);
    expect(await sheet(page).locator('tbody').first().innerText()).toContain(onlineTerminal().terminalId);
    await sheet(page)
      .getByText(/CONF\w+/)
      .first()
      .waitFor();
    await picture(page, 'takings-real');
  });
});
