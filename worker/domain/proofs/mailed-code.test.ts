import { expect, it } from 'vitest';
import { makeApp } from '#tests/support/login';
import { newMailedCode } from './mailed-code.ts';

it('a mailed code has eight digits, each equally likely', async () => {
  const { deps } = makeApp();
  const codes = await Promise.all(Array.from({ length: 2000 }, () => newMailedCode(deps)));
  for (const code of codes) expect(code).toMatch(/^\d{8}$/);
  expect(new Set(codes).size).toBeGreaterThan(1990);
  // Each digit is expected 200 times in each place; six standard deviations are 80.
  for (let place = 0; place < 8; place++)
    for (let digit = 0; digit < 10; digit++) {
      const count = codes.filter((code) => code[place] === String(digit)).length;
      expect(Math.abs(count - 200), `${digit} in place ${place}`).toBeLessThan(82);
    }
});
