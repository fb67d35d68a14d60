import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { terminals } from '#worker/data/schema/schema';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import { findByAnyTerminal, queryAnyTerminal, tryTerminals } from './query-any-terminal.ts';

const HOUR = 3_600_000;

/** A clinic with these terminals, in this order. `silentIds`: the terminals that get no answer. */
async function withTerminals(refused: Record<string, number | null>, silent: string[] = []) {
  const clinic = await bareClinic();
  const { db, deps } = clinic;
  await db.delete(terminals);
  let at = 1;
  for (const [terminalId, refusedAt] of Object.entries(refused)) {
    const keys = { accountId: ACCOUNT, name: '', channel: 'counter', publicKey: '', apiKey: '' } as const;
    await db.insert(terminals).values({ ...keys, terminalId, refusedAt, createdAt: at++ });
  }
  const queried: string[] = [];
  const ask = async ({ terminalId }: { terminalId: string }) => {
    queried.push(terminalId);
    return silent.includes(terminalId) ? 'unavailable' : `answer of ${terminalId}`;
  };
  const query = async (turn?: number, first?: string) => {
    const result = await queryAnyTerminal(deps, { accountId: ACCOUNT, turn, first }, ask);
    return [typeof result === 'string' ? result : result.answer, ...queried.splice(0)];
  };
  return { ...clinic, query };
}

const four = { T1: null, T2: null, T3: null, T4: null };

describe('a query to the provider', () => {
  it('uses the first terminal, or the terminal that it concerns', async () => {
    const { query } = await withTerminals(four);
    expect([await query(), await query(undefined, 'T3')]).toEqual([
      ['answer of T1', 'T1'],
      ['answer of T3', 'T3'],
    ]);
  });

  it('tries up to three terminals until one answers', async () => {
    const { query } = await withTerminals(four, ['T1', 'T2']);
    expect(await query()).toEqual(['answer of T3', 'T1', 'T2', 'T3']);
  });

  it('is unavailable when three terminals get no answer', async () => {
    const { query } = await withTerminals(four, ['T1', 'T2', 'T3']);
    expect(await query()).toEqual(['unavailable', 'T1', 'T2', 'T3']);
  });

  it('returns no-terminal without any terminal', async () => {
    const { deps, query } = await withTerminals({});
    expect([await query(), await query(1)]).toEqual([['no-terminal'], ['no-terminal']]);
    expect(await findByAnyTerminal(deps, { accountId: ACCOUNT }, 'card', { attemptId: 'a1' })).toBe('unavailable');
  });

  it('uses one terminal per repeat, rotating through three', async () => {
    const { query } = await withTerminals(four, ['T1']);
    const turns: unknown[] = [];
    for (const turn of [0, 1, 2, 3, 4]) turns.push(await query(turn));
    expect(turns).toEqual([
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
      ['answer of T3', 'T3'],
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('skips a refused terminal on repeats while there is another one', async () => {
    const { query } = await withTerminals({ T1: NOW, T2: null });
    expect([await query(0), await query(1)]).toEqual([
      ['answer of T2', 'T2'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('uses refused terminals on repeats when all of them are refused', async () => {
    const { query } = await withTerminals({ T1: NOW, T2: NOW });
    expect([await query(0), await query(1)]).toEqual([
      ['answer of T1', 'T1'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('returns what the gateway shows', async () => {
    const { deps, show } = await withTerminals(four);
    show([{}]);
    expect(await findByAnyTerminal(deps, { accountId: ACCOUNT }, 'card', { attemptId: 'a1' })).toMatchObject([
      { id: 't1' },
    ]);
  });
});

describe('the nightly check of an account’s terminals', () => {
  /** Runs the check. `failures`: the number of requests of each terminal that get no answer. */
  async function runCheck(refused: Record<string, number | null>, silent: Record<string, number> = {}) {
    const clinic = await withTerminals(refused);
    const queried: string[] = [];
    const remaining = { ...silent };
    clinic.deps.gateway.listTransactions = async ({ terminalId }, ...args) => {
      queried.push(terminalId);
      expect(args).toEqual(['card', { from: NOW - 24 * HOUR, to: NOW }, 1]);
      const failuresLeft = remaining[terminalId] ?? 0;
      remaining[terminalId] = failuresLeft - 1;
      return failuresLeft > 0 ? 'unavailable' : { transactions: [], isLast: true };
    };
    await tryTerminals(clinic.deps, await listUsableTerminals(clinic.db, ACCOUNT));
    const rows = await clinic.db.select().from(terminals).orderBy(terminals.terminalId);
    return { queried, refused: rows.map(({ refusedAt }) => refusedAt), logs: clinic.logs };
  }
  const REFUSED = 'ALERT gateway-refused-our-credentials';
  const LONG_AGO = NOW - 12 * HOUR - 1;

  it.each<[string, Record<string, number | null>, Record<string, number>, Awaited<ReturnType<typeof runCheck>>]>([
    ['a single working terminal is not tried', { T1: null }, {}, { queried: [], refused: [null], logs: [] }],
    [
      'terminals that work are kept',
      { T1: null, T2: null },
      {},
      { queried: ['T1', 'T2'], refused: [null, null], logs: [] },
    ],
    [
      'a refused terminal that works is used again',
      { T1: LONG_AGO },
      {},
      { queried: ['T1'], refused: [null], logs: [] },
    ],
    [
      'a recently refused terminal is not tried',
      { T1: NOW - 12 * HOUR },
      {},
      { queried: [], refused: [NOW - 12 * HOUR], logs: [] },
    ],
    [
      'a refused terminal that gets no answer stays refused',
      { T1: LONG_AGO, T2: null },
      { T1: 9 },
      { queried: ['T2', 'T1'], refused: [LONG_AGO, null], logs: [] },
    ],
    [
      'a terminal that gets no answer twice is marked as refused',
      { T1: null, T2: null },
      { T1: 2 },
      { queried: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED] },
    ],
    [
      'a terminal that gets no answer once is kept',
      { T1: null, T2: null },
      { T1: 1 },
      { queried: ['T1', 'T2', 'T1'], refused: [null, null], logs: [] },
    ],
    [
      'terminals are kept if none of them gets an answer',
      { T1: null, T2: null },
      { T1: 9, T2: 9 },
      { queried: ['T1', 'T2'], refused: [null, null], logs: [] },
    ],
    [
      'a terminal that gets no answer is replaced by a refused one that works',
      { T1: null, T2: LONG_AGO },
      { T1: 9 },
      { queried: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED] },
    ],
  ])('%s', async (_title, refused, silent, expected) => {
    expect(await runCheck(refused, silent)).toEqual(expected);
  });
});
