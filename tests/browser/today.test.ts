import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import type { Batch } from '#shared/contracts/batches';
import type { Today, TodayMovement } from '#shared/contracts/today';
import { addDays } from '#shared/text/local-day';
import { doubleText } from '#tests/support/browser/beyond-axe';
import { DESKTOP, expectAccessible, picture, settle, useBrowser } from '#tests/support/browser/browser';
import { holdTime } from '#tests/support/browser/held-time';
import { useProduct } from '#tests/support/product/product';
import { answerCalls } from '#tests/support/servers/answer-calls';
import { useMerchant, VIEWS } from './merchant.ts';

const product = useProduct();
const newPage = useBrowser();
const merchantPage = useMerchant(newPage, product.appUrl);
const REFUSED = /Failed to load resource|^Failed to /;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
/** In the clinic's zone. */
const dayBefore = (days: number) =>
  addDays(new Intl.DateTimeFormat('en-CA', { timeZone: hubs[0].timeZone }).format(), -days);
const AMOUNTS = [870, 720, 640, 205, 0, 1010, 820, 800, 980, 570, 160, 0, 1070, 753.35].map((amount) =>
  amount.toFixed(2),
);

type More = Partial<TodayMovement>;
const movement = (id: string, minutes: number, amount: string, customer: string, more: More = {}): TodayMovement => ({
  ...{ id, kind: 'payment', amount, invoice: { id, number: `INV-${id}` }, customer, card: 'Visa 1111' },
  ...{ terminal: null, at: minutesAgo(minutes) },
  ...more,
});

const busy = (): Today => ({
  ...{ at: new Date().toISOString(), day: dayBefore(0), taken: '753.35', payments: 12 },
  ...{ refunds: { count: 1, amount: '38.40' }, before: '331.70' },
  came_back: { count: 2, first: { id: '9', number: 'INV-9' } },
  days: AMOUNTS.map((amount, at) => ({ day: dayBefore(13 - at), amount })),
  owed: { count: 96, amount: '54214.25' },
  overdue: { count: 23, amount: '9846.20', oldest_days: 74 },
  to_check: { count: 3, amount: '801.80' },
  needs: [
    {
      ...{ kind: 'unknown', amount: '588.50', invoice: { id: '1121', number: 'INV-1121' }, customer: 'Owen Hartley' },
      ...{ card: 'Visa 1111', terminal: null, at: [minutesAgo(2)] },
    },
    {
      ...{ kind: 'alike', amount: '71.10', invoice: { id: '7', number: 'INV-7' }, customer: 'Ada', card: 'Visa 1111' },
      ...{ terminal: { id: '42', name: 'Front desk 1' }, at: [minutesAgo(129), minutesAgo(125)] },
    },
    {
      ...{ kind: 'no-invoice', amount: '142.20', invoice: null, customer: '', card: 'XXXX4242', terminal: null },
      at: [minutesAgo(6000)],
    },
    {
      ...{ kind: 'approval', amount: '20.00', invoice: { id: '8', number: 'INV-8' }, customer: 'Ada', card: '' },
      ...{ terminal: null, at: [minutesAgo(3)] },
    },
  ],
  latest: [
    movement('1129', 6, '147.20', 'Ivy Whitfield'),
    movement('1127', 11, '104.40', 'Samuel Maddox', { terminal: 'Front desk 2' }),
    movement('1122', 24, '115.90', 'Renée Delacroix', { terminal: 'Front desk 1' }),
    movement('1071', 41, '-38.40', 'Daniel Raman', { kind: 'refund', terminal: 'Front desk 1' }),
    movement('1099', 52, '71.20', 'Priya Raman', { card: 'Mastercard 8812' }),
  ],
});

const fresh = (): Today => ({
  ...{
    ...busy(),
    taken: '0.00',
    payments: 0,
    refunds: { count: 0, amount: '0.00' },
    before: null,
    came_back: undefined,
    needs: [],
    latest: [],
  },
  days: AMOUNTS.map((_, at) => ({ day: dayBefore(13 - at), amount: '0.00' })),
  owed: { count: 0, amount: '0.00' },
  overdue: { count: 0, amount: '0.00', oldest_days: null },
  to_check: { count: 0, amount: '0.00' },
});

/** Answers with what `state.today` is then; null: there is no answer. */
async function serve(page: Page, today: Today | null) {
  const state = { today, asked: 0 };
  await page.route('**/api/today', (route) => {
    state.asked += 1;
    return state.today ? route.fulfill({ json: state.today }) : route.fulfill({ status: 503, json: {} });
  });
  return state;
}

type Till = { name: string; sales: [count: number, cents: number]; refunds: [count: number, cents: number] };
const dollars = (cents: number) => (cents / 100).toFixed(2);

/** The terminals' open batches add up to what the day took; a fresh clinic has none. */
async function serveBatches(page: Page, state: { today: Today | null }) {
  const desks: Till[] = [
    { name: 'Front desk 1', sales: [5, 331_40], refunds: [1, 38_40] },
    { name: 'Front desk 2', sales: [3, 241_95], refunds: [0, 0] },
  ];
  const tills = (): Till[] => {
    const taken = Math.round(Number(state.today?.taken ?? 0) * 100);
    const online = taken - desks.reduce((sum, { sales, refunds }) => sum + sales[1] - refunds[1], 0);
    return [...desks, { name: 'Online payments', sales: [(state.today?.payments ?? 0) - 8, online], refunds: [0, 0] }];
  };
  const batchOf = ({ name, sales, refunds }: Till, at: number): Batch => ({
    ...{ id: String(at + 5), status: 'OPEN', terminal_name: name, 'terminal-id': `7014${at + 1}` },
    ...{ 'date-opened': minutesAgo(420), settled: null, 'confirmation-code': null },
    ...{ 'sales-count': String(sales[0]), 'sales-total': dollars(sales[1]) },
    ...{ 'refund-count': String(refunds[0]), 'refund-total': dollars(refunds[1]) },
    'net-amount': dollars(sales[1] - refunds[1]),
  });
  await answerCalls(
    page,
    ({ pathname }) => /^\/api\/terminals(\/\d+\/batches)?$/.test(pathname),
    ({ url, fulfill }) => {
      const at = /7014(\d)/.exec(url.pathname)?.[1];
      const all = tills();
      if (at === undefined)
        return fulfill({ json: all.map(({ name }, n) => ({ terminal_id: `7014${n + 1}`, terminal_name: name })) });
      const till = all[Number(at) - 1];
      return fulfill({ json: { batch: till && state.today?.payments ? [batchOf(till, Number(at) - 1)] : [] } });
    },
  );
}

const head = (page: Page) => page.locator('.today');
const textOf = async (page: Page) => (await head(page).innerText()).replace(/\s+/g, ' ');
const noSidewaysScroll = async (page: Page) =>
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
/** The next reading, without the wait for it. */
const lookAgain = (page: Page) => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));

describe('the head of the dashboard', () => {
  it.each(VIEWS)('says what was taken, is owed, needs a person and came last (%s)', async (name, options) => {
    const page = await merchantPage(options);
    await serveBatches(page, await serve(page, busy()));
    await page.goto(product.appUrl);
    await page.getByText('$753.35').first().waitFor();
    const text = await textOf(page);
    for (const part of [
      /Taken today \$753\.35 \$421\.65 more than last \w+day by \d+:\d\d [AP]M 12 payments, 1 refund of \$38\.40/,
      /the mark: last \w+day by \d+:\d\d [AP]M Today/,
      /\$588\.50 is not known yet INV-1121, Owen Hartley, online .*\. Do not take it again\. Check payment/,
      /Two payments look alike: \$71\.10 Visa 1111 on Front desk 1, .* and .* Compare/,
      /\$142\.20 matches no invoice XXXX4242, .* Find invoice/,
      /Giving back \$20\.00 waits for a second person INV-8, Ada, .* Decide/,
      /2 payment links came back INV-9 and 1 more: no mail arrives at the address\. Fix addresses/,
      /Ivy Whitfield INV-1129, online, Visa 1111 \$147\.20/,
      /Daniel Raman INV-1071, refund minus −\$38\.40/,
    ])
      expect(text).toMatch(part);
    const sums = page.getByRole('navigation', { name: 'Outstanding' }).getByRole('link');
    expect(await sums.count()).toBe(3);
    for (const name of [
      /^Owed ?, \$54,214\.25 ?, 96 invoices$/,
      /^Overdue ?, \$9,846\.20 ?, 23 invoices, oldest 74 days$/,
      /^To check ?, \$801\.80 ?, 3 payments need a person$/,
    ])
      await page.getByRole('link', { name }).waitFor();
    await page.getByText('Show as table').click();
    expect(await page.getByRole('figure').getByRole('row').count()).toBe(16);
    await noSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByText('Show as table').click();
    await page.getByText('Online payments').first().waitFor();
    await picture(page, `today-${name.replace(' ', '-')}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await settle(page);
    if (name.includes('desktop')) await picture(page, 'today-dark-desktop');
  });

  it('cuts nothing of sums of seven digits where the text is twice as large', async () => {
    const page = await merchantPage();
    const large = { count: 1096, amount: '1234567.89' };
    await serve(page, { ...busy(), owed: large, overdue: { ...large, oldest_days: 174 }, to_check: large });
    await page.goto(product.appUrl);
    await page.getByText('$1,234,567.89').first().waitFor();
    expect(await doubleText(page)).toEqual([]);
  });

  it('leads from each sum to what it is made of', async () => {
    const page = await merchantPage();
    await serve(page, busy());
    for (const [sum, heading, search] of [
      ['Owed', 'Open Invoices', 'status=open'],
      ['Overdue', 'Open Invoices', 'status=overdue'],
      ['To check', 'Payments to check', ''],
    ] as const) {
      await page.goto(product.appUrl);
      await page.getByRole('navigation', { name: 'Outstanding' }).getByRole('link', { name: sum }).click();
      await page.getByRole('heading', { name: heading, level: 2 }).waitFor();
      expect(page.url()).toContain(search);
    }
  });

  it('leads from each bar to the takings of its day', async () => {
    const page = await merchantPage();
    await serve(page, busy());
    await page.goto(product.appUrl);
    const bars = page.getByRole('figure').getByRole('link');
    await page.getByText('$753.35').first().waitFor();
    expect(await bars.count()).toBe(14);
    expect(await bars.first().getAttribute('aria-label')).toMatch(/^\w+day, \w{3} \d+, \$870\.00$/);
    await bars.first().click();
    await page.waitForURL(`${product.appUrl}/takings?date=${dayBefore(13)}`);
    await page.getByRole('heading', { name: 'Card takings', level: 2 }).waitFor();
  });

  it.each(VIEWS)('of a fresh clinic compares with nothing and promises nothing (%s)', async (name, options) => {
    const page = await merchantPage({
      ...options,
      viewport: name.includes('phone') ? { width: 320, height: 700 } : DESKTOP,
    });
    await serveBatches(page, await serve(page, fresh()));
    await page.goto(product.appUrl);
    await page.getByText('No payments yet today').waitFor();
    const text = await textOf(page);
    for (const part of [
      '$0.00',
      'Nothing needs a person.',
      'The first payment of today will stand here.',
      'nothing to check',
    ])
      expect(text).toContain(part);
    expect(text).not.toMatch(/last \w+day|mark/);
    await noSidewaysScroll(page);
    await expectAccessible(page);
    await expect.poll(() => page.getByText('No batches found.').count()).toBe(3);
    await picture(page, `today-empty-${name.replace(' ', '-')}`);
  });

  it('that cannot be read lets the batches stand, and Retry brings it', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const state = await serve(page, null);
    await page.goto(product.appUrl);
    await page.getByText('The day’s figures could not be loaded.').waitFor();
    await page
      .getByRole('link', { name: /More Details/ })
      .first()
      .waitFor();
    await expectAccessible(page);
    state.today = busy();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('$753.35').first().waitFor();
  });

  it('is silent in a browser where somebody has switched that off in the account menu', async () => {
    const page = await merchantPage();
    const state = await serve(page, busy());
    await serveBatches(page, state);
    await page.goto(product.appUrl);
    await page.getByText('$753.35').first().waitFor();
    const switchSpoken = async (isOn: boolean) => {
      await page.getByRole('button', { name: /^Account, / }).click();
      const announce = page.getByRole('checkbox', { name: 'Announce new payments' });
      expect(await announce.isChecked()).toBe(!isOn);
      await announce.setChecked(isOn);
      await picture(page, `account-menu-spoken-${isOn ? 'on' : 'off'}`);
      await page.keyboard.press('Escape');
    };
    const pay = async (id: string, customer: string) => {
      const newer = busy();
      newer.latest = [movement(id, 1, '100.00', customer), ...newer.latest.slice(0, 4)];
      state.today = newer;
      await lookAgain(page);
      await page.getByRole('link', { name: customer }).waitFor();
    };
    await switchSpoken(false);
    await pay('1130', 'June Park');
    expect(await head(page).getByRole('status').first().innerText()).toBe('');
    // It holds for the next page as well.
    await page.reload();
    await page.getByRole('link', { name: 'June Park' }).waitFor();
    await pay('1131', 'Kai Moss');
    expect(await head(page).getByRole('status').first().innerText()).toBe('');
    await switchSpoken(true);
    await pay('1132', 'Lena Ortiz');
    expect(await head(page).getByRole('status').first().innerText()).toBe('Payment, $100.00, Lena Ortiz');
  });

  it('follows the payments while it is looked at, and says of when its figures are once it cannot', async () => {
    const page = await merchantPage({ expected: REFUSED });
    const state = await serve(page, busy());
    await serveBatches(page, { today: { ...busy(), taken: '863.35', payments: 14 } });
    await page.goto(product.appUrl);
    await page.getByText('$753.35').first().waitFor();
    const newer = busy();
    newer.latest = [movement('1130', 2, '100.00', 'June Park'), ...newer.latest.slice(0, 4)];
    state.today = { ...newer, taken: '853.35', payments: 13 };
    const goOn = await holdTime(page);
    await lookAgain(page);
    await page.getByText('$853.35').first().waitFor();
    expect(await head(page).getByRole('status').first().innerText()).toBe('Payment, $100.00, June Park');
    // Another one within ten seconds shows and is not said.
    state.today = {
      ...newer,
      ...{ taken: '863.35', payments: 14 },
      latest: [movement('1131', 1, '10.00', 'Kai Moss'), ...newer.latest.slice(0, 4)],
    };
    await lookAgain(page);
    await page.getByText('Kai Moss').waitFor();
    expect(await head(page).getByRole('status').first().innerText()).toBe('Payment, $100.00, June Park');
    await goOn();
    state.today = null;
    await lookAgain(page);
    await page.getByText(/^Showing figures from \d+:\d\d [AP]M, last try \d+:\d\d [AP]M\. Press Retry/).waitFor();
    expect(await textOf(page)).toMatch(/Taken today by \d+:\d\d [AP]M \$863\.35 .* Paused/);
    await expectAccessible(page);
    await picture(page, 'today-stale');
    state.today = busy();
    await head(page).getByRole('button', { name: 'Retry' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('counts a payment once it was made', async () => {
    const link = await product.makeLink({ amount: '41.30' });
    expect((await product.pay(link.payId, await product.form())).status).toBe(200);
    const page = await merchantPage();
    await page.goto(product.appUrl);
    const row = page
      .getByRole('region', { name: 'Latest payments' })
      .getByRole('listitem')
      .filter({ hasText: link.number });
    await row.waitFor();
    expect(await row.innerText()).toContain('$41.30');
    expect(await textOf(page)).toMatch(/Taken today \$[\d,]+\.\d\d .*\d+ payments?/);
  });
});
