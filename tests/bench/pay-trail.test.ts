import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payerFields } from '#tests/support/pay-form';
import type { Replacement } from './bundle.ts';
import { cpuOf, listRuntimes } from './cpu.ts';
import { quantiles } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

/**
 * The cost of the audit trail per payment: the CPU time of the Workers runtime including its database, alternating
 * between the Worker with the trail and the same Worker without it. The first rounds warm both up.
 */
const ROUNDS = isFull ? 61 : 21;
const WARM = 3;
const PAYMENTS = 6;

/** The claim and the settlement without audit events. */
const WITHOUT: Replacement[] = [
  {
    file: 'worker/data/payments/attempts.ts',
    texts: [
      ['const [claimed, , others] = await', 'const [claimed, others] = await'],
      ['    eventWrite(db, event),\n', ''],
      ['const [, moved, resultingRow] = await', 'const [moved, resultingRow] = await'],
      ['eventWriteFrom(db, event, before, ', '...((_: SQL) => [])('],
    ],
  },
];

type Side = { worker: BenchWorker; pid: number; openPayIds: string[] };
let sides: { trail: Side; bare: Side };

async function open(replaced: Replacement[]): Promise<Side> {
  const earlierRuntimes = new Set(listRuntimes());
  const worker = await openBenchWorker({ invoices: (ROUNDS + WARM) * PAYMENTS, replaced });
  const [pid = 0] = listRuntimes().filter((candidate) => !earlierRuntimes.has(candidate));
  return { worker, pid, openPayIds: [...worker.payIds] };
}

beforeAll(async () => {
  sides = { trail: await open([]), bare: await open(WITHOUT) };
});
afterAll(async () => {
  for (const { worker } of Object.values(sides)) await worker.close();
});
printFigures();

async function tokenFor({ worker }: Side): Promise<string> {
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
async function pay(side: Side): Promise<{ cost: number; trips: number }> {
  const tokens = await Promise.all(Array.from({ length: PAYMENTS }, () => tokenFor(side)));
  let trips = Number.POSITIVE_INFINITY;
  const from = cpuOf(side.pid);
  for (const paymentDetails of tokens) {
    const response = await fetch(`${side.worker.url}/api/invoices/takePaymentSDK/${side.openPayIds.pop()}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...payerFields(), paymentDetails }),
    });
    await response.text();
    expect(response.status).toBe(200);
    trips = Math.min(trips, Number(response.headers.get('x-object-trips')));
  }
  return { cost: (cpuOf(side.pid) - from) / PAYMENTS, trips };
}

describe.skipIf(process.platform !== 'linux')('a payment with the audit trail', () => {
  it('makes no extra database trip and costs at most 1.1 times the CPU time', async () => {
    for (let round = 0; round < WARM; round++) for (const side of Object.values(sides)) await pay(side);
    const [costs, bare]: [number[], number[]] = [[], []];
    const trips = { trail: Number.POSITIVE_INFINITY, bare: Number.POSITIVE_INFINITY };
    for (let round = 0; round < ROUNDS; round++) {
      // The order alternates, so that a drift of the machine affects both.
      const order = round % 2 === 0 ? (['trail', 'bare'] as const) : (['bare', 'trail'] as const);
      for (const name of order) {
        const { cost, trips: count } = await pay(sides[name]);
        (name === 'trail' ? costs : bare).push(cost);
        trips[name] = Math.min(trips[name], count);
      }
    }
    expect(trips.trail).toBe(trips.bare);
    const eventsOf = ({ worker }: Side) =>
      worker.db.prepare("SELECT count(*) AS n FROM audit_events WHERE action LIKE 'payment.%'").first('n');
    expect(await eventsOf(sides.trail)).toBe((ROUNDS + WARM) * PAYMENTS * 2);
    expect(await eventsOf(sides.bare)).toBe(0);
    const medianRatio = quantiles(costs).median / quantiles(bare).median;
    const { q10, q90 } = quantiles(costs.map((cost, at) => cost / (bare[at] ?? cost)));
    const text = `${medianRatio.toFixed(2)}x (pairs: q10 ${q10.toFixed(2)}, q90 ${q90.toFixed(2)}, ${ROUNDS} rounds)`;
    recordFigure('CPU of a payment with the trail against without', text, '<= 1.10x', medianRatio <= 1.1);
    expect(medianRatio).toBeLessThanOrEqual(1.1);
  });
});
