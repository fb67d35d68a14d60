import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProven } from './proven.ts';

const reliability = readFileSync('docs/reliability.md', 'utf8');

test('the page of proofs tells what the last full run measured: nothing was charged twice, nothing lost', () => {
  const rows = readProven(reliability);
  expect(rows.map(({ extra, lost }) => [extra, lost])).toEqual(rows.map(() => ['0', '0']));
  expect(rows[0]).toMatchObject({ size: '20 invoices x 25' });
  expect(rows.length).toBeGreaterThanOrEqual(7);
});

test('an experiment that no run has any more stops the build, and so does a figure that is missing', () => {
  expect(() => readProven(reliability.replace('| E3 drop-after |', '| E3 something else |'))).toThrow(
    'docs/reliability.md has no row “E3 drop-after”',
  );
});
