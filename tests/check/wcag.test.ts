import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { REPORT, reportFile } from '#scripts/registers/accessibility-report';
import type { Read } from './asvs.ts';
import { problemsOf, REQUIRED } from './wcag.ts';

const csv = readFileSync('docs/wcag.csv', 'utf8');
const read: Read = (file) => (file !== '' && existsSync(file) ? readFileSync(file, 'utf8') : null);

test('WCAG 2.2 has 31 criteria of level A and 24 of level AA', () => {
  expect(['A', 'AA'].map((level) => REQUIRED.filter((name) => name.endsWith(` ${level}`)).length)).toEqual([31, 24]);
});

test('docs/wcag.csv has every criterion, and every test it names exists', () => {
  expect(problemsOf(csv, read)).toEqual([]);
});

test('the accessibility page of the site matches the table', () => {
  expect(readFileSync(REPORT, 'utf8'), `npm run registers writes ${REPORT}`).toBe(reportFile(csv));
});

describe('table of criteria', () => {
  it.each([
    ['a missing criterion', /^1\.4\.10,.*\n/m, '', 'the rows are not those'],
    ['an unknown result', /,not evaluated,,$/m, ',done,,', '"done" is not a result'],
    ['support without a test', /(1\.4\.12,AA,Text Spacing,supports),[^,]*,/, '$1,,', 'is "supports", and 0 tests'],
    ['a test without an evaluation', /(1\.4\.5,.*not evaluated),,/, '$1,tests/a.test.ts: a,', 'and 1 tests'],
    ['an exception without a reason', /(1\.4\.2,.*not applicable,,).*/, '$1', '1.4.2: gives no reason'],
    ['a missing test', /takes a payment at a terminal/, 'takes nothing', 'has no test'],
  ])('fails the check with %s', (_label, from, to, problem) => {
    const bad = csv.replace(from, to);
    expect(bad).not.toBe(csv);
    expect(problemsOf(bad, read).join('\n')).toContain(problem);
  });
});
