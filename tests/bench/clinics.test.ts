import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { quantiles } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

const FORGED = isFull ? 10_000 : 2000;
const CLINICS = isFull ? 61 : 21;
const CONNECTIONS = 8;
const FIRST_ACCOUNT = 700_000;
/** The aim is 3, which is missed (docs/scale.md). This limit keeps the ratio from growing. */
const LIMIT = 7;
/** No clinic has these numbers. */
const EMPTY = 500_000;

let testWorker: BenchWorker;
beforeAll(async () => {
  testWorker = await openBenchWorker();
});
afterAll(() => testWorker.close());
printFigures();

/** A real address with its number, its secret or its tag changed in one place, by turns. */
function forgedFrom(payId: string, turn: number): string {
  const dash = payId.indexOf('-');
  const parts = [payId.slice(0, dash), payId.slice(dash + 1, dash + 28), payId.slice(dash + 29)];
  const part = turn % 3;
  if (part === 0) parts[0] = (turn + 1_000).toString(36);
  else {
    const old = parts[part] ?? '';
    const at = turn % 15;
    parts[part] = old.slice(0, at) + (old[at] === 'A' ? 'B' : 'A') + old.slice(at + 1);
  }
  return parts.join('-');
}

async function msOf(work: () => Promise<Response>): Promise<number> {
  const from = performance.now();
  const response = await work();
  await response.text();
  expect(response.status).toBe(200);
  return performance.now() - from;
}

describe('a clinic’s durable object', () => {
  it(`is neither created nor called for ${FORGED} forged addresses`, async () => {
    const [payId = ''] = testWorker.payIds;
    const real = await fetch(`${testWorker.url}/api/invoices/${payId}`);
    expect(real.status).toBe(200);
    expect(Number(real.headers.get('x-object-trips'))).toBeGreaterThan(0);
    const objectsBefore = testWorker.objects();
    expect(objectsBefore).toBe(1);

    let turn = 0;
    const failures: string[] = [];
    const ask = async () => {
      for (let current = turn++; current < FORGED; current = turn++) {
        const response = await fetch(`${testWorker.url}/api/invoices/${forgedFrom(payId, current)}`);
        await response.text();
        const trips = response.headers.get('x-object-trips');
        if (response.status !== 404 || trips !== '0') failures.push(`${current}: ${response.status}, ${trips} trips`);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, ask));
    const created = testWorker.objects() - objectsBefore;
    recordFigure(`objects made by ${FORGED} forged addresses`, String(created), '0', created === 0);
    expect(failures).toEqual([]);
    expect(created).toBe(0);

    await testWorker.openClinic(FIRST_ACCOUNT - 1);
    expect(testWorker.objects()).toBe(objectsBefore + 1);
  });

  it('is created in at most 7 times the time of the first access to an empty one', async () => {
    const create = (n: number) => fetch(`${testWorker.url}/bench/clinics/${FIRST_ACCOUNT + n}`, { method: 'PUT' });
    const touch = (n: number) => fetch(`${testWorker.url}/bench/base/${EMPTY + n}`);
    const ratios: number[] = [];
    for (let n = 0; n < CLINICS; n++) {
      // Alternates the order, so that a drift of the machine affects both.
      const first = n % 2 === 0 ? await msOf(() => touch(n)) : 0;
      const founded = await msOf(() => create(n));
      ratios.push(founded / (first || (await msOf(() => touch(n)))));
    }
    const { median, q10, q90 } = quantiles(ratios);
    const text = `${median.toFixed(2)}x (q10 ${q10.toFixed(2)}, q90 ${q90.toFixed(2)}, ${CLINICS} clinics)`;
    recordFigure('founding of a clinic against a first touch', text, `<= ${LIMIT}x`, median <= LIMIT);
    expect(median).toBeLessThanOrEqual(LIMIT);
  });

  it('starts with a database of less than 1 MB', async () => {
    const { db } = await testWorker.openClinic(FIRST_ACCOUNT);
    const bytes = (await db.prepare('SELECT 1').all()).meta.size_after;
    recordFigure('database of a new clinic', `${(bytes / 1000).toFixed(0)} kB`, '< 1000 kB', bytes < 1_000_000);
    expect(bytes).toBeLessThan(1_000_000);
  });
});
