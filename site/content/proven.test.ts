import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readProven } from './proven.ts';

const reliability = readFileSync('docs/reliability.md', 'utf8');

test('the proof page reports that the last full run charged nothing twice and lost nothing', () => {
  const rows = readProven(reliability);
  expect(rows.map(({ extra, lost }) => [extra, lost])).toEqual(rows.map(() => ['0', '0']));
  expect(rows[0]).toMatchObject({ size: '20 invoices x 25' });
  expect(rows.length).toBeGreaterThanOrEqual(7);
});

test('the build fails when the reliability report lacks an experiment', () => {
  expect(() => readProven(reliability.replace('| E3 drop-after |', '| E3 something else |'))).toThrow(
    'docs/reliability.md has no row “E3 drop-after”',
  );
});
