import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payerFields } from '#tests/support/pay-form';
import { ratioTo } from './load.ts';
import { figure, isFull, printFigures } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

let testWorker: BenchWorker;
beforeAll(async () => {
  testWorker = await openBenchWorker();
});
afterAll(() => testWorker.close());
printFigures();

const invoiceUrl = (payId: string) => `${testWorker.url}/api/invoices/${payId}`;

const tripsOf = (response: Response) => Number(response.headers.get('x-d1-trips'));

async function pay(payId: string): Promise<number> {
  const token = await fetch(`${testWorker.sandboxUrl}/rest/v2/mobilejwt/manual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': testWorker.publicKey },
    body: JSON.stringify({ card: '4111111111111111', 'exp-date': '1249', csc: '999' }),
  });
  const { payload } = (await token.json()) as { payload: { 'mobile-jwt': { jwt: string } } };
  const response = await fetch(`${testWorker.url}/api/invoices/takePaymentSDK/${payId}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...payerFields(),
      paymentDetails: payload['mobile-jwt'],
    }),
  });
  await response.text();
  expect(response.status).toBe(200);
  return tripsOf(response);
}

describe('the Worker', () => {
  it('reads the public invoice in at most 2 trips to D1, and answers a payment after at most 4', async () => {
    const [first = '', second = ''] = testWorker.payIds;
    await (await fetch(invoiceUrl(first))).text();
    const reading = tripsOf(await fetch(invoiceUrl(first)));
    const paying = await pay(second);
    figure('D1 trips, public invoice, warm', String(reading), '<= 2', reading <= 2);
    figure('D1 trips, payment, until the answer', String(paying), '<= 4', paying <= 4);
    expect(reading).toBeLessThanOrEqual(2);
    expect(paying).toBeLessThanOrEqual(4);
  });

  it('serves the public invoice at no less than 0.6 of a route that reads one row', async () => {
    const urls = testWorker.payIds.slice(2).map(invoiceUrl);
    await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    const ratio = await ratioTo(
      `${testWorker.url}/bench/base`,
      urls,
      isFull ? { rounds: 9, ms: 1500 } : { rounds: 5, ms: 400 },
    );
    const text = `${ratio.median.toFixed(2)}x (q10 ${ratio.q10.toFixed(2)}, q90 ${ratio.q90.toFixed(2)}, ${ratio.rounds} rounds)`;
    figure('public invoice against one-row route', text, '>= 0.60x', ratio.median >= 0.6);
    expect(ratio.rounds).toBeGreaterThan(0);
    expect(ratio.median).toBeGreaterThanOrEqual(0.6);
  });
});
