import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPasswords } from '#worker/security/passwords';
import { quantiles } from './load.ts';
import { figure, isFull, printFigures } from './report.ts';
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

const addressOf = (who: 'known' | 'nobody', n: number) => `${who}-${n}@clinic.example`.padStart(30, 'a');

/** Time of a wrong password, in ms. Each comes from its own address, so that no rate limit stops it. */
async function wrongLogin(who: 'known' | 'nobody', n: number): Promise<number> {
  const from = performance.now();
  const answer = await fetch(`${testWorker.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': `${who}-${n}` },
    body: JSON.stringify({ email: addressOf(who, n), password: 'wrong password' }),
  });
  await answer.text();
  expect(answer.status).toBe(401);
  return performance.now() - from;
}

/** The share of all pairs in which `one` was slower: 0.5 means no difference. */
const shareSlower = (one: number[], other: number[]): number =>
  one.reduce((sum, a) => sum + other.filter((b) => b < a).length / other.length, 0) / one.length;

describe('a login with a wrong password', () => {
  it('takes the same time for addresses with and without an account', async () => {
    const took = { known: [] as number[], nobody: [] as number[] };
    await wrongLogin('nobody', PAIRS);
    for (let n = 0; n < PAIRS; n++) {
      const order = Math.random() < 0.5 ? (['known', 'nobody'] as const) : (['nobody', 'known'] as const);
      for (const who of order) took[who].push(await wrongLogin(who, n));
    }
    const apart = Math.abs(quantiles(took.known).median / quantiles(took.nobody).median - 1);
    const share = shareSlower(took.known, took.nobody);
    // A fair coin strays this far by chance once in a hundred runs.
    const chance = 2.58 * Math.sqrt((2 * PAIRS + 1) / (12 * PAIRS * PAIRS));
    const isFair = Math.abs(share - 0.5) <= 0.05 + chance;
    const text = `medians ${(apart * 100).toFixed(1)}% apart, known slower in ${share.toFixed(3)} (chance ±${chance.toFixed(3)}), ${PAIRS} pairs`;
    figure('login with a wrong password, known or not', text, '<= 5%, 0.45 to 0.55', apart <= 0.05 && isFair);
    expect(apart).toBeLessThanOrEqual(0.05);
    expect(isFair).toBe(true);
  });
});
