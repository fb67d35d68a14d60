import { describe, expect, it } from 'vitest';
import { COST, createPasswords } from './passwords.ts';

const cheap = { N: 1024, r: 1, p: 1 };
const passwords = (intervalMs = 0, waitMs = 60_000) => createPasswords({ intervalMs, waitMs, cost: cheap });

const madeOf = (stored: string | 'busy') => stored.split('$').slice(0, 4).join('$');

describe('a stored password', () => {
  it('is salted, names its parameters, and is reproduced with its own salt only', async () => {
    const own = passwords();
    const [one, two] = [await own.hash('eleven gentle otters'), await own.hash('eleven gentle otters')];
    expect(madeOf(one)).toBe('scrypt$1024$1$1');
    expect(own.isSame(one, two)).toBe(false);
    expect(own.isSame(one, await own.hash('eleven gentle otters', one))).toBe(true);
    expect(own.isSame(one, await own.hash('eleven gentle otter', one))).toBe(false);
    expect(own.isSame(one, '')).toBe(false);
  });

  it('is the same for every Unicode form of its accents', async () => {
    const own = passwords();
    const one = await own.hash('\u00e9leven gentle otters');
    expect(own.isSame(one, await own.hash('e\u0301leven gentle otters', one))).toBe(true);
  });

  it('is compared to its last character, in upper and lower case', async () => {
    const own = passwords();
    const long = 'x'.repeat(127);
    const stored = await own.hash(`${long}a`);
    expect(own.isSame(stored, await own.hash(`${long}a`, stored))).toBe(true);
    for (const other of [`${long}b`, `${long}A`, long, ` ${long}a`])
      expect(own.isSame(stored, await own.hash(other, stored))).toBe(false);
  });

  it('is as slow as the platform’s bounds allow', async () => {
    const own = createPasswords({ intervalMs: 0, waitMs: 0 });
    const stored = await own.hash('eleven gentle otters');
    expect(madeOf(stored)).toBe('scrypt$32768$8$3');
    expect(COST.N * COST.r * COST.p).toBeLessThanOrEqual(2 ** 20);
    expect(own.isOutdated(stored)).toBe(false);
    expect(own.isOutdated(await passwords().hash('eleven gentle otters'))).toBe(true);
  });
});

describe('the queue of hashes', () => {
  it('spaces them out, refuses callers that would wait too long, and is open again afterwards', async () => {
    const own = passwords(100, 350);
    const begun = performance.now();
    const ends = await Promise.all(
      Array.from({ length: 12 }, async () => [await own.hash('x'), performance.now() - begun] as const),
    );
    const served = ends.filter(([hash]) => hash !== 'busy').map(([, ms]) => ms);
    expect(served.length).toBeGreaterThan(0);
    expect(served.length).toBeLessThanOrEqual(4);
    for (const [turn, ms] of served.entries()) expect(ms).toBeGreaterThanOrEqual(turn * 100 - 5);
    expect(await own.hash('x')).not.toBe('busy');
  });

  it('rests for longer than a hash took, on a slow machine too', async () => {
    const own = createPasswords({ intervalMs: 1, waitMs: 600_000 });
    const ends: number[] = [];
    const begun = performance.now();
    const hash = async () => {
      await own.hash('x');
      ends.push(performance.now() - begun);
    };
    await Promise.all([hash(), hash(), hash()]);
    const [first = 0, second = 0, third = 0] = ends;
    // A hash takes about as long as the first one, plus the load of the machine.
    expect(second - first).toBeGreaterThan(first * 1.5);
    expect(third - second).toBeGreaterThan(first * 1.5);
  });
});
