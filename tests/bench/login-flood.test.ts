import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureThroughput, quantiles } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

const CONNECTIONS = 8;
const ROUNDS = isFull ? 9 : 3;
const MS = isFull ? 4000 : 2500;

let testWorker: BenchWorker;
beforeAll(async () => {
  testWorker = await openBenchWorker();
});
afterAll(() => testWorker.close());
printFigures();

let counter = 0;

/** Tries passwords on eight connections, each with its own address and account, so that no rate limit stops them. */
async function floodWhile<T>(work: () => Promise<T>): Promise<{ result: T; statuses: Set<number> }> {
  let isOver = false;
  const statuses = new Set<number>();
  const connection = async () => {
    while (!isOver) {
      const name = `flood-${counter++}`;
      const answer = await fetch(`${testWorker.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'cf-connecting-ip': name },
        body: JSON.stringify({ email: `${name}@clinic.example`, password: 'wrong password' }),
      });
      await answer.text();
      statuses.add(answer.status);
    }
  };
  const flood = Promise.all(Array.from({ length: CONNECTIONS }, connection));
  const result = await work();
  isOver = true;
  await flood;
  return { result, statuses };
}

describe('a login flood', () => {
  it('leaves other routes at least a quarter of their normal throughput', async () => {
    const urls = testWorker.payIds.map((payId) => `${testWorker.url}/api/invoices/${payId}`);
    await Promise.all(urls.map(async (url) => (await fetch(url)).text()));
    const ratios: number[] = [];
    const allStatuses = new Set<number>();
    for (let round = 0; round < ROUNDS; round++) {
      const throughputBefore = await measureThroughput(urls, MS / 2);
      const { result, statuses } = await floodWhile(() => measureThroughput(urls, MS));
      const after = await measureThroughput(urls, MS / 2);
      for (const status of statuses) allStatuses.add(status);
      ratios.push((result * 2) / (throughputBefore + after));
    }
    const { median, q10, q90 } = quantiles(ratios);
    const text = `${median.toFixed(2)}x (q10 ${q10.toFixed(2)}, q90 ${q90.toFixed(2)}, ${ROUNDS} rounds)`;
    recordFigure('other routes during a login flood, 8 connections', text, '>= 0.25x', median >= 0.25);
    // Every attempt was refused by a rate limit or as a wrong password.
    expect([...allStatuses].filter((status) => status !== 401 && status !== 429)).toEqual([]);
    expect(allStatuses).toContain(401);
    expect(median).toBeGreaterThanOrEqual(0.25);
  });
});
