import { Buffer } from 'node:buffer';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { COST, createPasswords } from './passwords.ts';

const cheapCost = { N: 1024, r: 1, p: 1 };
const makePasswords = (intervalMs = 0, waitMs = 60_000) => createPasswords({ intervalMs, waitMs, cost: cheapCost });

const parametersOf = (stored: string | 'busy') => stored.split('$').slice(0, 4).join('$');

afterEach(() => void vi.useRealTimers());

describe('a stored password', () => {
  it('is salted, names its parameters and matches only with its own salt', async () => {
    const subject = makePasswords();
    const [first, second] = [await subject.hash('eleven gentle otters'), await subject.hash('eleven gentle otters')];
    expect(parametersOf(first)).toBe('scrypt$1024$1$1');
    expect(subject.isSame(first, second)).toBe(false);
    expect(subject.isSame(first, await subject.hash('eleven gentle otters', first))).toBe(true);
    expect(subject.isSame(first, await subject.hash('eleven gentle otter', first))).toBe(false);
    expect(subject.isSame(first, '')).toBe(false);
  });

  it('matches every Unicode form of its accents', async () => {
    const subject = makePasswords();
    const hash = await subject.hash('\u00e9leven gentle otters');
    expect(subject.isSame(hash, await subject.hash('e\u0301leven gentle otters', hash))).toBe(true);
  });

  it('is compared in full and case-sensitively', async () => {
    const subject = makePasswords();
    const longPassword = 'x'.repeat(127);
    const stored = await subject.hash(`${longPassword}a`);
    expect(subject.isSame(stored, await subject.hash(`${longPassword}a`, stored))).toBe(true);
    for (const otherPassword of [`${longPassword}b`, `${longPassword}A`, longPassword, ` ${longPassword}a`])
      expect(subject.isSame(stored, await subject.hash(otherPassword, stored))).toBe(false);
  });

  it('uses the highest cost that the platform allows', async () => {
    const subject = createPasswords({ intervalMs: 0, waitMs: 0 });
    const stored = await subject.hash('eleven gentle otters');
    expect(parametersOf(stored)).toBe('scrypt$32768$8$3');
    expect(COST.N * COST.r * COST.p).toBeLessThanOrEqual(2 ** 20);
    expect(subject.isOutdated(stored)).toBe(false);
    expect(subject.isOutdated(await makePasswords().hash('eleven gentle otters'))).toBe(true);
  });
});

describe('the password hash queue', () => {
  it('spaces hashes out, refuses callers that would wait too long and reopens afterwards', async () => {
    vi.useFakeTimers();
    const subject = createPasswords({ intervalMs: 100, waitMs: 350, derive: async () => Buffer.alloc(32) });
    const startedAt = Date.now();
    const allHashes = Promise.all(
      Array.from({ length: 12 }, async () => [await subject.hash('x'), Date.now() - startedAt] as const),
    );
    await vi.advanceTimersByTimeAsync(1000);
    const ends = await allHashes;
    const servedTimes = ends.filter(([hash]) => hash !== 'busy').map(([, ms]) => ms);
    expect(servedTimes.length).toBeGreaterThan(0);
    expect(servedTimes.length).toBeLessThanOrEqual(4);
    for (const [turn, ms] of servedTimes.entries()) expect(ms).toBeGreaterThanOrEqual(turn * 100);
    const laterHash = subject.hash('x');
    await vi.advanceTimersByTimeAsync(1000);
    expect(await laterHash).not.toBe('busy');
  });

  it('pauses for longer than a hash took, even on a slow machine', async () => {
    vi.useFakeTimers();
    const HASH_MS = 1500;
    const derive = () => new Promise<Buffer>((resolve) => setTimeout(() => resolve(Buffer.alloc(32)), HASH_MS));
    const subject = createPasswords({ intervalMs: 1, waitMs: 600_000, derive });
    const ends: number[] = [];
    const startedAt = Date.now();
    const hash = async () => {
      await subject.hash('x');
      ends.push(Date.now() - startedAt);
    };
    const allHashes = Promise.all([hash(), hash(), hash()]);
    await vi.advanceTimersByTimeAsync(20 * HASH_MS);
    await allHashes;
    expect(ends).toHaveLength(3);
    const [first = 0, second = 0, third = 0] = ends;
    // Each interval is a pause of twice the hash's duration, and then the hash. Only the first hash has no pause before
    // it.
    expect(second - first).toBeGreaterThanOrEqual(3 * HASH_MS);
    expect(third - second).toBeGreaterThanOrEqual(3 * HASH_MS);
  });
});
