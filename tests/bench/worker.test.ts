import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payerFields } from '#tests/support/pay-form';
import { ratioTo } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

let testWorker: BenchWorker;
beforeAll(async () => {
  testWorker = await openBenchWorker();
});
afterAll(() => testWorker.close());
printFigures();

const invoiceUrl = (payId: string) => `${testWorker.url}/api/invoices/${payId}`;

type Trips = { object: number; d1: number };

const tripsOf = ({ headers }: Response): Trips => ({
  object: Number(headers.get('x-object-trips')),
  d1: Number(headers.get('x-d1-trips')),
});

async function pay(payId: string): Promise<Trips> {
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
  it('reads the public invoice in at most 2 object trips, and answers a payment after at most 4', async () => {
    const [first = '', second = ''] = testWorker.payIds;
    await (await fetch(invoiceUrl(first))).text();
    const reading = tripsOf(await fetch(invoiceUrl(first)));
    const paying = await pay(second);
    const format = ({ object, d1 }: Trips) => `${object} and ${d1}`;
    recordFigure('trips to object and D1, public invoice, warm', format(reading), '<= 2 and 0', reading.object <= 2);
    recordFigure('trips to object and D1, payment, until the answer', format(paying), '<= 4 and 1', paying.object <= 4);
    expect(reading.object).toBeLessThanOrEqual(2);
    expect(reading.d1).toBe(0);
    expect(paying.object).toBeLessThanOrEqual(4);
    // The limit of one payer's address spans clinics.
    expect(paying.d1).toBeLessThanOrEqual(1);
  });

  it('serves the public invoice at 0.6 or more of the throughput of a one-row route', async () => {
    const urls = testWorker.payIds.slice(2).map(invoiceUrl);
    await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    const ratio = await ratioTo(testWorker.base, urls, isFull ? { rounds: 9, ms: 1500 } : { rounds: 5, ms: 400 });
    const text = `${ratio.median.toFixed(2)}x (q10 ${ratio.q10.toFixed(2)}, q90 ${ratio.q90.toFixed(2)}, ${ratio.rounds} rounds)`;
    recordFigure('public invoice against one-row route', text, '>= 0.60x', ratio.median >= 0.6);
    expect(ratio.rounds).toBeGreaterThan(0);
    expect(ratio.median).toBeGreaterThanOrEqual(0.6);
  });
});
