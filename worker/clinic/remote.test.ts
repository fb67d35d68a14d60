import { describe, expect, it } from 'vitest';
import { type ClinicCalls, NoSuchClinic, type Reply, remoteD1, type SerializedStatement } from './d1-interface.ts';
import type { Migration } from './migration.ts';

const MIGRATIONS: Migration[] = [1, 2, 3].map((number) => ({ number, sql: `CREATE TABLE t${number} (n)` }));
const successReply: Reply = {
  done: [
    {
      columns: ['a'],
      rows: [[1]],
      meta: { changes: 0, last_row_id: 0, changed_db: false, size_after: 0, rows_read: 0, rows_written: 0 },
    },
  ],
};

type ErrorFlags = { retryable?: boolean; overloaded?: boolean };
const objectError = (flags: ErrorFlags) => Object.assign(new Error('the object moved'), flags);
const movedError = () => objectError({ retryable: true });

/** Returns a Worker's database whose object gives the listed answers in turn. An Error in the list is thrown. */
function makeWorld(answers: (Reply | Error)[], migrations = MIGRATIONS) {
  const calls: string[] = [];
  const pauses: number[] = [];
  let stubs = 0;
  const takeAnswer = () => {
    const answer = answers.shift();
    if (!answer) throw new Error('asked more often than the test has answers');
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const openStub = (): ClinicCalls => {
    const stub = ++stubs;
    return {
      ask: async (schema: number, statements: SerializedStatement[]) => {
        calls.push(`${stub}: ${schema} ${statements.map(({ sql }) => sql).join('; ')}`);
        return takeAnswer();
      },
      migrate: async (migrations) => {
        calls.push(`${stub}: migrate ${migrations.map(({ number }) => number).join()}`);
        takeAnswer();
      },
    };
  };
  const d1 = remoteD1(openStub, migrations, {
    pause: async (ms) => {
      pauses.push(ms);
    },
  });
  return { d1, calls, pauses };
}

const read = 'SELECT 1 AS a';
const write = 'UPDATE t SET n = 1';

describe('a clinic’s database, used from the Worker', () => {
  it('retries a read through a new stub', async () => {
    const { d1, calls, pauses } = makeWorld([movedError(), movedError(), successReply]);
    expect(await d1.prepare(read).first()).toEqual({ a: 1 });
    expect(calls).toEqual([1, 2, 3].map((stub) => `${stub}: 3 ${read}`));
    expect(pauses).toHaveLength(2);
    for (const [index, ms] of pauses.entries()) expect(ms).toBeLessThanOrEqual(100 * 2 ** index);
  });

  it('gives up after the third failure with an error like that of D1', async () => {
    const { d1, calls } = makeWorld([movedError(), movedError(), movedError(), successReply]);
    await expect(d1.prepare(read).all()).rejects.toThrow('D1_ERROR: the object moved');
    expect(calls).toHaveLength(3);
  });

  it.each([
    ['a write', write, { retryable: true }],
    ['a write after WITH', 'WITH g AS (SELECT 1)\n INSERT INTO t SELECT * FROM g', { retryable: true }],
    ['a PRAGMA', 'PRAGMA optimize', { retryable: true }],
    ['a read from an overloaded object', read, { retryable: true, overloaded: true }],
    ['a read after a permanent error', read, {}],
  ])('never retries %s', async (_title, statement, flaw) => {
    const { d1, calls, pauses } = makeWorld([objectError(flaw), successReply]);
    await expect(d1.prepare(statement).run()).rejects.toThrow('D1_ERROR: the object moved');
    expect([calls.length, pauses.length]).toEqual([1, 0]);
  });

  it('retries a batch only if all its statements are reads', async () => {
    const reads = makeWorld([movedError(), successReply]);
    await reads.d1.batch([read, 'WITH g AS (SELECT 1) SELECT * FROM g'].map((sql) => reads.d1.prepare(sql)));
    expect(reads.calls).toHaveLength(2);
    const mixedWorld = makeWorld([movedError(), successReply]);
    await expect(mixedWorld.d1.batch([read, write].map((sql) => mixedWorld.d1.prepare(sql)))).rejects.toThrow('moved');
    expect(mixedWorld.calls).toHaveLength(1);
  });

  it('never retries a statement that the database refused', async () => {
    const { d1, calls } = makeWorld([{ error: 'no such table: t: SQLITE_ERROR' }]);
    await expect(d1.prepare(read).all()).rejects.toThrow('D1_ERROR: no such table: t: SQLITE_ERROR');
    expect(calls).toHaveLength(1);
  });

  it('sends the missing migrations to an object that is behind, then retries once', async () => {
    const { d1, calls } = makeWorld([{ behind: 1 }, successReply, successReply]);
    await d1.prepare(write).run();
    expect(calls).toEqual([`1: 3 ${write}`, '2: migrate 2,3', `3: 3 ${write}`]);
  });

  it('sends only the migrations that this version of the code knows', async () => {
    const { d1, calls } = makeWorld([{ behind: 0 }, successReply, successReply], MIGRATIONS.slice(0, 2));
    await d1.prepare(write).run();
    expect(calls[1]).toBe('2: migrate 1,2');
  });

  it('retries the migration call, since no migration runs twice', async () => {
    const { d1, calls } = makeWorld([{ behind: 2 }, movedError(), successReply, successReply]);
    await d1.prepare(write).run();
    expect(calls).toHaveLength(4);
  });

  it('gives up on an object that stays behind', async () => {
    const { d1, calls } = makeWorld([{ behind: 2 }, successReply, { behind: 2 }]);
    await expect(d1.prepare(write).run()).rejects.toThrow('still behind, at migration 2');
    expect(calls).toHaveLength(3);
  });

  it('reports a clinic that does not exist', async () => {
    const { d1 } = makeWorld([{ missing: true }]);
    await expect(d1.prepare(read).first()).rejects.toBeInstanceOf(NoSuchClinic);
  });

  it('makes no call for a value that no database accepts', () => {
    const { d1, calls } = makeWorld([]);
    expect(() => d1.prepare(write).bind(undefined)).toThrow('D1_TYPE_ERROR');
    expect(calls).toEqual([]);
  });
});
