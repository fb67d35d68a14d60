import { beforeAll, describe, expect, it } from 'vitest';
import { PaymentAnalytics, timeframes } from '#shared/contracts/payments/analytics';
import { PayLinkReply } from '#shared/contracts/payments/pay-links';
import { bearer } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';
import { ask, expectError, expectPrivate, payerAddress } from './answers.ts';
import { sql } from './expect-money.ts';
import { logIn } from './merchant.ts';

const product = useProduct();
const { appUrl } = product;
let token = '';
beforeAll(async () => {
  token = (await logIn(appUrl, 0)).token;
});

const get = (query = '') => ask(appUrl, `/api/analytics/payments${query}`, { headers: bearer(token) });
async function analytics(query?: string): Promise<PaymentAnalytics> {
  const answer = await get(query);
  expect(answer.status, answer.text).toBe(200);
  expectPrivate(answer);
  return PaymentAnalytics.parse(JSON.parse(answer.text));
}

describe('GET /api/analytics/payments', () => {
  it.each([
    '?timeframe=day',
    '?timeframe=YEAR',
    '?timeframe=',
    '?timeframe=week&timeframe=week',
    '?timeframe=month&timeframe=year',
    "?timeframe=week'%20OR%201=1--",
    '?timeframe=week%00',
    '?timeframe=constructor',
    '?timeframe[]=week&timeframe=',
  ])('refuses an unknown timeframe, or more than one: %s', async (query) => {
    expectError(await get(query), 422, 'Timeframe must be week, month or year.');
  });

  it('returns the last 30 days without a timeframe', async () => {
    const [byDefault, month] = [await analytics(), await analytics('?timeframe=month')];
    expect(byDefault.dailyPayments).toHaveLength(30);
    expect(byDefault.dailyPayments.map(({ date }) => date)).toEqual(month.dailyPayments.map(({ date }) => date));
    expect((await analytics('?timeframe=week')).dailyPayments).toHaveLength(7);
    expect([365, 366]).toContain((await analytics('?timeframe=year')).dailyPayments.length);
  });

  it('matches the ledger to the cent right after a payment', async () => {
    const { invoiceId } = await product.makeInvoice({ amount: '71.10' });
    const link = await ask(appUrl, `/api/invoices/${invoiceId}/link`, { method: 'POST', headers: bearer(token) });
    const { id } = PayLinkReply.parse(JSON.parse(link.text));
    expect((await product.pay(id, await product.form(), payerAddress())).status).toBe(200);
    for (const timeframe of timeframes) {
      // Another test's payment may be settled between the two reads.
      await until(
        async () => {
          const { dailyPayments } = await analytics(`?timeframe=${timeframe}`);
          const booked = await sql<{ cents: number | null }>(
            product,
            'SELECT sum(amount_cents) AS cents FROM ledger WHERE account_id = ? AND day BETWEEN ? AND ?',
            product.account.hubId,
            dailyPayments[0]?.date ?? '',
            dailyPayments.at(-1)?.date ?? '',
          );
          const shown = dailyPayments.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
          return { shown, booked: booked[0]?.cents };
        },
        ({ shown, booked }) => shown === booked && shown >= 7110,
      );
    }
  });
});
