import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsIn, problemsOfImports, problemsOfNumbers } from '#scripts/checks/migrations';

const trigger = (body: string, begin = 'BEGIN', end = 'END') =>
  `CREATE TRIGGER counts AFTER INSERT ON notes ${begin}\n  ${body};\n${end};\n`;
const UPDATE = 'UPDATE sums SET n = n + 1';

describe('migration check for D1’s remote splitter', () => {
  it('accepts every migration file in the repository', () => {
    const files = globSync('migrations/*/*.sql');
    expect(files.length).toBeGreaterThan(10);
    for (const file of files) expect(problemsIn(readFileSync(file, 'utf8')), file).toEqual([]);
  });

  it('accepts a trigger, a CASE in parentheses inside one, and such keywords in strings and comments', () => {
    const harmless = [
      trigger(UPDATE),
      trigger("UPDATE sums SET n = (CASE WHEN n > 1 THEN 2 ELSE 'COMMIT; BEGIN' END)"),
      trigger(`SELECT RAISE(ROLLBACK, 'no')`),
      "-- BEGIN; a CASE of its own\nSELECT CASE WHEN 1 THEN 'a' END;\n",
    ];
    for (const sql of harmless) expect(problemsIn(sql), sql).toEqual([]);
  });

  it.each([
    ['CR line endings', 'SELECT 1;\r\n', 'has CR line endings'],
    ['a byte order mark', '\uFEFFSELECT 1;\n', 'begins with a byte order mark'],
    ['a last statement without its semicolon', 'SELECT 1', 'does not end with a semicolon'],
    ['BEGIN', 'BEGIN; SELECT 1;\n', 'controls a transaction'],
    ['COMMIT', 'SELECT 1; commit;\n', 'controls a transaction'],
    ['SAVEPOINT after a trigger', `${trigger(UPDATE)}SAVEPOINT a;\n`, 'controls a transaction'],
    ['foreign keys switched off', 'PRAGMA foreign_keys = OFF;\n', 'sets foreign_keys'],
    ['a lower-case BEGIN', trigger(UPDATE, 'begin'), 'the trigger counts needs one BEGIN in capitals'],
    ['a lower-case END', trigger(UPDATE, 'BEGIN', 'end'), 'the trigger counts must end with END;'],
    ['a bare CASE', trigger('UPDATE sums SET n = CASE WHEN n > 1 THEN 2 END'), 'the trigger counts has a CASE'],
    ['a bare CASE at the end', trigger('SELECT CASE WHEN new.n THEN 1 END'), 'the trigger counts has a CASE'],
  ])('rejects %s', (_label, sql, problem) => {
    const problems = problemsIn(sql);
    expect(
      problems.some((text) => text.startsWith(problem)),
      problems.join('\n'),
    ).toBe(true);
  });

  it('requires consecutive numbers in each set', () => {
    expect(problemsOfNumbers(['m/0101_b.sql', 'm/0100_a.sql'])).toEqual([]);
    expect(problemsOfNumbers(['m/0100_a.sql', 'm/0102_c.sql'])).toEqual(['m/0102_c.sql: its number must be 0101']);
    expect(problemsOfNumbers(['m/0100_a.sql', 'm/0100_b.sql'])).toEqual(['m/0100_b.sql: its number must be 0101']);
    expect(problemsOfNumbers(['m/0001_a.sql'])).toEqual(['m/0001_a.sql: its number must be 0100']);
  });

  it('requires every migration in the Worker’s list, in order', () => {
    const list = "import a from '../../migrations/clinic/0100_a.sql?raw';";
    expect(problemsOfImports(['m/0100_a.sql'], list)).toEqual([]);
    for (const files of [['m/0100_a.sql', 'm/0101_b.sql'], ['m/0100_b.sql'], []])
      expect(problemsOfImports(files, list)).toHaveLength(1);
  });
});
