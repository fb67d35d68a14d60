import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { FORCED, problemsOf, REQUIRED, type Read, rowsOf, stateOf } from './asvs.ts';

const csv = readFileSync('docs/asvs.csv', 'utf8');
const read: Read = (file) => (file !== '' && existsSync(file) ? readFileSync(file, 'utf8') : null);

test('the list of requirements has the standard’s count for each chapter', () => {
  const counts = (level: string) =>
    Array.from({ length: 17 }, (_none, at) => {
      const rows = REQUIRED.filter(([id, requiredLevel]) => requiredLevel === level && id.startsWith(`${at + 1}.`));
      return rows.length;
    });
  expect(counts('1')).toEqual([8, 4, 8, 2, 4, 13, 6, 4, 4, 5, 3, 3, 1, 2, 3, 0, 0]);
  expect(counts('2')).toEqual([19, 7, 11, 8, 5, 22, 12, 3, 3, 24, 11, 6, 12, 7, 10, 16, 7]);
  expect(REQUIRED).toHaveLength(70 + 183);
});

test('docs/asvs.csv has every requirement of levels 1 and 2, and every file and test it names exists', () => {
  const rows = rowsOf(csv);
  for (const level of ['1', '2']) {
    const counts: Record<string, number> = {};
    for (const row of rows) if (row.level === level) counts[stateOf(row)] = (counts[stateOf(row)] ?? 0) + 1;
    console.log(
      `level ${level}: ${Object.entries(counts)
        .map(([state, n]) => `${n} ${state}`)
        .join(', ')}`,
    );
  }
  console.log(
    `open: ${rows
      .filter((row) => stateOf(row) === 'open')
      .map(({ id }) => id)
      .join(' ')}`,
  );
  expect(problemsOf(csv, read)).toEqual([]);
});

test('the threat model lists exactly the open rows and the rows forced by the specification', () => {
  const text = readFileSync('docs/security.md', 'utf8');
  const idsUnder = (heading: string) =>
    [...(text.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '').matchAll(/^\| (\d+\.\d+\.\d+) \|/gm)].map(
      ([, id]) => id,
    );
  const rows = rowsOf(csv);
  expect(idsUnder('Open')).toEqual(rows.filter((row) => stateOf(row) === 'open').map(({ id }) => id));
  expect(idsUnder('Forced by the specification')).toEqual(FORCED);
});

describe('table of requirements', () => {
  const row = (id: string) => csv.split('\n').find((line) => line.startsWith(`${id},`)) ?? '';
  const edited = (id: string, from: string | RegExp, to: string) => csv.replace(row(id), row(id).replace(from, to));
  const accounts = 'worker/routes/content/accounts/accounts.test.ts';
  const open = 'open: nobody has built this yet';

  it.each([
    ['a missing requirement', csv.replace(`${row('7.4.1')}\n`, ''), '7.4.1 level 1 is missing'],
    ['a requirement with another level', edited('7.4.1', ',1,', ',2,'), '7.4.1 level 2 is not a requirement'],
    ['a requirement of level 3', `${csv}2.3.5,3,x,no: x,,,not applicable\n`, '2.3.5 level 3 is not a requirement'],
    [
      'rows out of order',
      csv.replace(`${row('1.1.1')}\n`, '').replace(row('1.1.2'), `${row('1.1.2')}\n${row('1.1.1')}`),
      'the rows are not in the order',
    ],
    ['an open row of level 1', edited('7.4.1', /met$/, open), '7.4.1: is open, and of level 1'],
    ['an open row without a reason', edited('7.3.1', /met$/, 'open'), '7.3.1: gives no reason'],
    ['a new exception', edited('7.4.1', /met$/, 'by specification: it says so somewhere'), '7.4.1: the state con'],
    [
      'an exception called not applicable',
      edited('3.3.1', /"by spec.*"$/, 'not applicable'),
      '3.3.1: applies and state',
    ],
    ['an unknown state', edited('7.4.1', /met$/, 'done'), '7.4.1: "done" is not a state'],
    ['a met row without evidence', edited('4.1.1', /,[^,]*,met$/, ',,met'), '4.1.1: is met, but nothing shows it'],
    ['a missing file', edited('7.4.1', 'session.ts', 'sessions-of-old.ts'), '7.4.1: there is no worker/'],
    ['a missing test file', edited('7.4.1', 'session.test.ts', 'old.test.ts'), '7.4.1: there is no test file'],
    [
      'a missing title',
      edited('7.4.1', 'after logout', 'after login'),
      '7.4.1: worker/routes/content/accounts/accounts.test.ts has no test',
    ],
    [
      'a missing heading',
      edited('7.1.1', '#sessions', '#sittings'),
      '7.1.1: docs/security-rules.md has no heading sittings',
    ],
    ['a cell without quotes', csv.replace(row('3.3.1'), row('3.3.1').replaceAll('"', '')), 'not quoted as a CSV'],
    ['an endless line', edited('7.4.1', 'opens nothing', 'opens nothing'.repeat(80)), 'longer than'],
  ])('fails the check with %s', (_label, bad, problem) => {
    expect(bad).not.toBe(csv);
    expect(problemsOf(bad, read).join('\n')).toContain(problem);
  });

  it('fails the check when it names a skipped test', () => {
    const skipping: Read = (file) =>
      read(file)?.replaceAll(/\bit\(\s*'grants no access after logout/g, "it.skip('grants no access after logout") ??
      null;
    expect(problemsOf(csv, skipping)).toEqual([
      `7.4.1: ${accounts} leaves out the test "grants no access after logout"`,
    ]);
  });

  it('marks as forced only the rows named by the specification', () => {
    expect(FORCED.filter((id) => REQUIRED.some(([known, level]) => known === id && level === '1'))).toEqual([
      '3.3.1',
      '7.4.2',
      '14.2.1',
    ]);
  });
});
