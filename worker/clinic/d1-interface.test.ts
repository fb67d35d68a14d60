import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, type Case, insert, rowsAfter, SCHEMA, TABLES, toPlain, VALUES } from '#tests/support/unit/d1-contract';
import { remoteD1 } from './d1-interface.ts';
import { asD1 } from './storage-as-d1.ts';

/**
 * The contract: the same statements run on a D1 and on a clinic's database, and their results are compared. Some values
 * differ and are therefore not compared: `served_by`, durations, sizes, and `last_row_id` of statements that inserted
 * no row. The product does not depend on the other known differences: `exec`, `dump` and session bookmarks are missing;
 * a text with several reads may be refused the second time; a text without a statement is refused with another message;
 * and where D1 refuses a batch that violates a deferred foreign key (`PRAGMA defer_foreign_keys` or DEFERRABLE), an
 * object is reset and loses that batch. Both have the platform's limits (100 values, 100 kB of SQL, 2 MB per value),
 * which neither local database enforces.
 */
const CLINIC = 901;
const openStub = () => env.CLINICS.getByName(String(CLINIC));
const clinicD1 = remoteD1(openStub, []);
const realD1 = env.BARE_D1;

/** Returns the result, or the messages of the error and its cause. */
const resultOf = async (testCase: Case, d1: D1Database) => {
  try {
    return toPlain(await testCase(d1));
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { name, message, cause: cause instanceof Error ? cause.message : cause };
  }
};

const reset = async (d1: D1Database) => {
  const drops = ['made_here', ...TABLES].map((table) => `DROP TABLE IF EXISTS ${table}`);
  await d1.batch([...drops, ...SCHEMA].map((statement) => d1.prepare(statement)));
  await d1.batch(['first', 'second'].map((name) => d1.prepare(insert).bind(name)));
};
const contents = [
  rowsAfter,
  ...['noted', 'child', 'words'].map((table) => `SELECT * FROM ${table}`),
  "SELECT name FROM sqlite_schema WHERE name = 'made_here'",
];

const PRISTINE = JSON.stringify([
  [
    [1, 'first', null],
    [2, 'second', null],
  ],
  [['made first'], ['made second']],
  [],
  [],
  [],
]);

describe('a clinic’s database compared with a D1', () => {
  beforeAll(async () => {
    await openStub().found({ clinic: CLINIC, accountId: 1 });
    for (const d1 of [realD1, clinicD1]) await reset(d1);
  });
  afterAll(async () => {
    await openStub().erase();
    await realD1.batch(['made_here', ...TABLES].map((table) => realD1.prepare(`DROP TABLE IF EXISTS ${table}`)));
  });

  /** Returns the result of a case and the contents of the tables afterwards. Resets the tables for the next case. */
  const run = async (testCase: Case, d1: D1Database) => {
    const result = await resultOf(testCase, d1);
    const tables = await Promise.all(contents.map((statement) => d1.prepare(statement).raw()));
    if (JSON.stringify(tables) !== PRISTINE) await reset(d1);
    return { result, tables };
  };
  const runInside = <T>(work: (local: D1Database) => Promise<T>): Promise<T> =>
    runInDurableObject(openStub(), (_object, { storage }) => work(asD1(storage)));

  it.each(CASES)('returns the same result: %s', async (_title, testCase) => {
    const expected = await run(testCase, realD1);
    expect(await run(testCase, clinicD1)).toEqual(expected);
    expect(await runInside((local) => run(testCase, local))).toEqual(expected);
  });

  it('accepts the same values with the same result', async () => {
    const answers = async (d1: D1Database) => {
      const results = new Map<string, unknown>();
      for (const [label, value] of VALUES)
        results.set(
          label,
          await resultOf((db) => db.prepare('SELECT ?1 AS x, typeof(?1) AS type').bind(value).all(), d1),
        );
      return results;
    };
    const expected = await answers(realD1);
    expect(await answers(clinicD1)).toEqual(expected);
    expect(await runInside(answers)).toEqual(expected);
  });
});
