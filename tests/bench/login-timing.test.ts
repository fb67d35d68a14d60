import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '#worker/security/passwords';
import { quantiles } from './load.ts';
import { isFull, printFigures, recordFigure } from './report.ts';
import { type BenchWorker, openBenchWorker } from './test-worker.ts';

const PAIRS = isFull ? 500 : 80;

let testWorker: BenchWorker;
beforeAll(async () => {
  // One after the other, to measure the login and not the queue of hashes.
  testWorker = await openBenchWorker({ set: { HASH_INTERVAL_MS: '0' } });
  const hash = createPasswords({ intervalMs: 0, waitMs: 0 });
  const password = await hash.hash('eleven gentle otters');
  const account = testWorker.installation.prepare(
    "INSERT INTO content_users (id, email, name, role, status, password, created_at) VALUES (?1, ?2, 'Ana', 'editor', 'active', ?3, 0)",
  );
  await testWorker.installation.batch(
    Array.from({ length: PAIRS }, (_, n) => account.bind(`u${n}`, addressOf('known', n), password)),
  );
});
afterAll(() => testWorker.close());
printFigures();

const addressOf = (kind: 'known' | 'nobody', n: number) => `${kind}-${n}@clinic.example`.padStart(30, 'a');

/** Time of a wrong password, in ms. Each comes from its own address, so that no rate limit stops it. */
async function wrongLogin(kind: 'known' | 'nobody', n: number): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${testWorker.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `${kind}-${n}` },
    body: JSON.stringify({ email: addressOf(kind, n), password: 'wrong password' }),
  });
  await answer.text();
  expect(answer.status).toBe(401);
  return performance.now() - from;
}

/** The share of all pairs in which the first of two was slower: 0.5 means no difference. */
const shareSlower = (times: number[], others: number[]): number =>
  times.reduce((sum, a) => sum + others.filter((b) => b < a).length / others.length, 0) / times.length;

describe('a login with a wrong password', () => {
  it('takes the same time for addresses with and without an account', async () => {
    const times = { known: [] as number[], nobody: [] as number[] };
    await wrongLogin('nobody', PAIRS);
    for (let n = 0; n < PAIRS; n++) {
      const order = Math.random() < 0.5 ? (['known', 'nobody'] as const) : (['nobody', 'known'] as const);
      for (const kind of order) times[kind].push(await wrongLogin(kind, n));
    }
    const gap = Math.abs(quantiles(times.known).median / quantiles(times.nobody).median - 1);
    const share = shareSlower(times.known, times.nobody);
    // A fair coin strays this far by chance once in a hundred runs.
    const chance = 2.58 * Math.sqrt((2 * PAIRS + 1) / (12 * PAIRS * PAIRS));
    const isFair = Math.abs(share - 0.5) <= 0.05 + chance;
    const text = `medians ${(gap * 100).toFixed(1)}% apart, known slower in ${share.toFixed(3)} (chance ±${chance.toFixed(3)}), ${PAIRS} pairs`;
    recordFigure('login with a wrong password, known or not', text, '<= 5%, 0.45 to 0.55', gap <= 0.05 && isFair);
    expect(gap).toBeLessThanOrEqual(0.05);
    expect(isFair).toBe(true);
  });
});
