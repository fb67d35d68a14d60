import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payerFields } from '#tests/support/pay-form';
import type { Replaced } from './bundle.ts';
import { cpuOf, runtimes } from './cpu.ts';
import { quantiles } from './load.ts';
import { figure, isFull, printFigures } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

/**
 * The cost of the audit trail per payment: the CPU time of the Workers runtime including its database, alternating
 * between the Worker with the trail and the same Worker without it. The first rounds warm both up.
 */
const ROUNDS = isFull ? 61 : 21;
const WARM = 3;
const PAYMENTS = 6;

/** The claim and the settlement without audit events. */
const WITHOUT: Replaced[] = [
  {
    file: 'worker/data/payments/attempts.ts',
    texts: [
      ['const [claimed, , others] = await', 'const [claimed, others] = await'],
      ['    eventWrite(db, event),\n', ''],
      ['const [, moved, after] = await', 'const [moved, after] = await'],
      ['eventWriteFrom(db, event, before, ', '...((_: SQL) => [])('],
    ],
  },
];

type Own = { worker: BenchWorker; pid: number; left: string[] };
let own: { trail: Own; bare: Own };

async function open(replaced: Replaced[]): Promise<Own> {
  const before = new Set(runtimes());
  const worker = await openBenchWorker({ invoices: (ROUNDS + WARM) * PAYMENTS, replaced });
  const [pid = 0] = runtimes().filter((one) => !before.has(one));
  return { worker, pid, left: [...worker.payIds] };
}

beforeAll(async () => {
  own = { trail: await open([]), bare: await open(WITHOUT) };
});
afterAll(async () => {
  for (const { worker } of Object.values(own)) await worker.close();
});
printFigures();

async function tokenFor({ worker }: Own): Promise<string> {
  const token = await fetch(`${worker.sandboxUrl}/rest/v2/mobilejwt/manual`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'public-key': worker.publicKey },
    body: JSON.stringify({ card: '4111111111111111', 'exp-date': '1249', csc: '999' }),
  });
  return ((await token.json()) as { payload: { 'mobile-jwt': { jwt: string } } }).payload['mobile-jwt'].jwt;
}

/**
 * CPU time (ns) per payment, and the database trips until the response: the fewest of a round, since the previous
 * payment's mail may still be in progress.
 */
async function pay(one: Own): Promise<{ cost: number; trips: number }> {
  const tokens = await Promise.all(Array.from({ length: PAYMENTS }, () => tokenFor(one)));
  let trips = Number.POSITIVE_INFINITY;
  const from = cpuOf(one.pid);
  for (const paymentDetails of tokens) {
    const response = await fetch(`${one.worker.url}/api/invoices/takePaymentSDK/${one.left.pop()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...payerFields(), paymentDetails }),
    });
    await response.text();
    expect(response.status).toBe(200);
    trips = Math.min(trips, Number(response.headers.get('x-object-trips')));
  }
  return { cost: (cpuOf(one.pid) - from) / PAYMENTS, trips };
}

describe.skipIf(process.platform !== 'linux')('a payment with the audit trail', () => {
  it('makes no extra database trip and costs at most 1.1 times the CPU time', async () => {
    for (let round = 0; round < WARM; round++) for (const one of Object.values(own)) await pay(one);
    const [costs, bare]: [number[], number[]] = [[], []];
    const trips = { trail: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, so that a drift of the machine affects both.
      const order = round % 2 === 0 ? (['trail', 'bare'] as const) : (['bare', 'trail'] as const);
      for (const name of order) {
        const { cost, trips: made } = await pay(own[name]);
        (name === 'trail' ? costs : bare).push(cost);
        trips[name] = Math.min(trips[name], made);
      }
    }
    expect(trips.trail).toBe(trips.bare);
    const eventsOf = ({ worker }: Own) =>
      worker.db.prepare("SELECT count(*) AS n FROM audit_events WHERE action LIKE 'payment.%'").first('n');
    expect(await eventsOf(own.trail)).toBe((ROUNDS + WARM) * PAYMENTS * 2);
    expect(await eventsOf(own.bare)).toBe(0);
    const middle = quantiles(costs).median / quantiles(bare).median;
    const { q10, q90 } = quantiles(costs.map((cost, at) => cost / (bare[at] ?? cost)));
    const text = `${middle.toFixed(2)}x (pairs: q10 ${q10.toFixed(2)}, q90 ${q90.toFixed(2)}, ${ROUNDS} rounds)`;
    figure('CPU of a payment with the trail against without', text, '<= 1.10x', middle <= 1.1);
    expect(middle).toBeLessThanOrEqual(1.1);
  });
});
