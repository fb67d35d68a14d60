import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { terminals } from '#worker/data/schema/schema';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import { findByAnyTerminal, queryAnyTerminal, testTerminals } from './query-any-terminal.ts';

const HOUR = 3_600_000;

/** A clinic with these terminals, in this order. `silentIds`: the terminals that get no answer. */
async function makeClinicWithTerminals(refused: Record<string, number | null>, silentIds: string[] = []) {
  const clinic = await bareClinic();
  const { db, deps } = clinic;
  await db.delete(terminals);
  let at = 1;
  for (const [terminalId, refusedAt] of Object.entries(refused)) {
    const keys = { accountId: ACCOUNT, name: '', channel: 'counter', publicKey: '', apiKey: '' } as const;
    await db.insert(terminals).values({ ...keys, terminalId, refusedAt, createdAt: at++ });
  }
  const queried: string[] = [];
  const sendRequest = async ({ terminalId }: { terminalId: string }) => {
    queried.push(terminalId);
    return silentIds.includes(terminalId) ? 'unavailable' : `answer of ${terminalId}`;
  };
  const query = async (turn?: number, first?: string) => {
    const result = await queryAnyTerminal(deps, { accountId: ACCOUNT, turn, first }, sendRequest);
    return [typeof result === 'string' ? result : result.answer, ...queried.splice(0)];
  };
  return { ...clinic, query };
}

const FOUR_TERMINALS = { T1: null, T2: null, T3: null, T4: null };

describe('a query to the provider', () => {
  it('uses the first terminal, or the terminal that it concerns', async () => {
    const { query } = await makeClinicWithTerminals(FOUR_TERMINALS);
    expect([await query(), await query(undefined, 'T3')]).toEqual([
      ['answer of T1', 'T1'],
      ['answer of T3', 'T3'],
    ]);
  });

  it('tries up to three terminals until one answers', async () => {
    const { query } = await makeClinicWithTerminals(FOUR_TERMINALS, ['T1', 'T2']);
    expect(await query()).toEqual(['answer of T3', 'T1', 'T2', 'T3']);
  });

  it('is unavailable when three terminals get no answer', async () => {
    const { query } = await makeClinicWithTerminals(FOUR_TERMINALS, ['T1', 'T2', 'T3']);
    expect(await query()).toEqual(['unavailable', 'T1', 'T2', 'T3']);
  });

  it('returns no-terminal without any terminal', async () => {
    const { deps, query } = await makeClinicWithTerminals({});
    expect([await query(), await query(1)]).toEqual([['no-terminal'], ['no-terminal']]);
    expect(await findByAnyTerminal(deps, { accountId: ACCOUNT }, 'card', { attemptId: 'a1' })).toBe('unavailable');
  });

  it('uses one terminal per repeat, rotating through three', async () => {
    const { query } = await makeClinicWithTerminals(FOUR_TERMINALS, ['T1']);
    const results: unknown[] = [];
    for (const turn of [0, 1, 2, 3, 4]) results.push(await query(turn));
    expect(results).toEqual([
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
      ['answer of T3', 'T3'],
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('skips a refused terminal on repeats while there is another one', async () => {
    const { query } = await makeClinicWithTerminals({ T1: NOW, T2: null });
    expect([await query(0), await query(1)]).toEqual([
      ['answer of T2', 'T2'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('uses refused terminals on repeats when all of them are refused', async () => {
    const { query } = await makeClinicWithTerminals({ T1: NOW, T2: NOW });
    expect([await query(0), await query(1)]).toEqual([
      ['answer of T1', 'T1'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('returns what the gateway shows', async () => {
    const { deps, show } = await makeClinicWithTerminals(FOUR_TERMINALS);
    show([{}]);
    expect(await findByAnyTerminal(deps, { accountId: ACCOUNT }, 'card', { attemptId: 'a1' })).toMatchObject([
      { id: 't1' },
    ]);
  });
});

describe('the nightly check of an account’s terminals', () => {
  /** Runs the check. `failures`: the number of requests of each terminal that get no answer. */
  async function runCheck(refused: Record<string, number | null>, failures: Record<string, number> = {}) {
    const clinic = await makeClinicWithTerminals(refused);
    const queried: string[] = [];
    const remaining = { ...failures };
    clinic.deps.gateway.listTransactions = async ({ terminalId }, ...args) => {
      queried.push(terminalId);
      expect(args).toEqual(['card', { from: NOW - 24 * HOUR, to: NOW }, 1]);
      const failuresLeft = remaining[terminalId] ?? 0;
      remaining[terminalId] = failuresLeft - 1;
      return failuresLeft > 0 ? 'unavailable' : { transactions: [], isLast: true };
    };
    await testTerminals(clinic.deps, await listUsableTerminals(clinic.db, ACCOUNT));
    const rows = await clinic.db.select().from(terminals).orderBy(terminals.terminalId);
    return { queried, refused: rows.map(({ refusedAt }) => refusedAt), logs: clinic.logs };
  }
  const REFUSED_ALERT = 'ALERT gateway-refused-our-credentials';
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
      { queried: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED_ALERT] },
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
      { queried: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED_ALERT] },
    ],
  ])('%s', async (_title, refused, failures, expected) => {
    expect(await runCheck(refused, failures)).toEqual(expected);
  });
});
