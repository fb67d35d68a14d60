import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CASES, type Case, insert, plain, rowsAfter, SCHEMA, TABLES, VALUES } from '#tests/support/unit/d1-contract';
import { remoteD1 } from './facade.ts';
import { asD1 } from './storage-as-d1.ts';

/**
 * The contract: the same questions to a D1 and to a clinic's database, answer by answer. What is not compared, because
 * it is of the one database and not of the other: `served_by`, durations, sizes, and `last_row_id` of what
 * made no row. What differs, and the product does not use:
 * - `exec`, `dump` and bookmarks of sessions are missing.
 * - Several statements in one text: a text of several reads may be refused the second time.
 * - A text without a statement is refused in other words.
 * - `PRAGMA defer_foreign_keys`, and keys that are DEFERRABLE: where D1 refuses the batch that leaves one broken, an
 *   object is reset, and what it wrote in that moment is gone.
 * The platform's limits (100 values, 100 kB of SQL, 2 MB in a value) are those of both; neither local database keeps
 * them.
 */
const CLINIC = 901;
const open = () => env.CLINICS.getByName(String(CLINIC));
const far = remoteD1(open, []);
const real = env.BARE_D1;

/** The answer, or the words of the error and of its cause. */
const told = async (ask: Case, d1: D1Database) => {
  try {
    return plain(await ask(d1));
  } catch (error) {
    const { name, message, cause } = error as Error;
    return { name, message, cause: cause instanceof Error ? cause.message : cause };
  }
};

const fresh = async (d1: D1Database) => {
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

describe('a clinic’s database beside a D1', () => {
  beforeAll(async () => {
    await open().found({ clinic: CLINIC, accountId: 1 });
    for (const d1 of [real, far]) await fresh(d1);
  });
  afterAll(async () => {
    await open().erase();
    await real.batch(['made_here', ...TABLES].map((table) => real.prepare(`DROP TABLE IF EXISTS ${table}`)));
  });

  /** The answer and what is in the tables afterwards; the next question finds them as they were. */
  const asked = async (ask: Case, d1: D1Database) => {
    const answer = await told(ask, d1);
    const left = await Promise.all(contents.map((statement) => d1.prepare(statement).raw()));
    if (JSON.stringify(left) !== PRISTINE) await fresh(d1);
    return { answer, left };
  };
  const inside = <T>(work: (near: D1Database) => Promise<T>): Promise<T> =>
    runInDurableObject(open(), (_object, { storage }) => work(asD1(storage)));

  it.each(CASES)('gives the same answer: %s', async (_what, ask) => {
    const expected = await asked(ask, real);
    expect(await asked(ask, far)).toEqual(expected);
    expect(await inside((near) => asked(ask, near))).toEqual(expected);
  });

  it('takes the same values with the same result', async () => {
    const answers = async (d1: D1Database) => {
      const all = new Map<string, unknown>();
      for (const [what, value] of VALUES)
        all.set(what, await told((own) => own.prepare('SELECT ?1 AS x, typeof(?1) AS type').bind(value).all(), d1));
      return all;
    };
    const expected = await answers(real);
    expect(await answers(far)).toEqual(expected);
    expect(await inside(answers)).toEqual(expected);
  });
});
