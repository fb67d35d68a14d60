import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { terminals } from '#worker/data/schema/schema';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import { findByAnyTerminal, queryAnyTerminal, tryTerminals } from './ask-any-terminal.ts';

const HOUR = 3_600_000;

/** Terminals of the account beside T1, which comes first; `silent`: those that get no answer. */
async function withTerminals(refused: Record<string, number | null>, silent: string[] = []) {
  const clinic = await bareClinic();
  const { db, deps } = clinic;
  await db.delete(terminals);
  let at = 1;
  for (const [terminalId, refusedAt] of Object.entries(refused)) {
    const keys = { accountId: ACCOUNT, name: '', channel: 'counter', publicKey: '', apiKey: '' } as const;
    await db.insert(terminals).values({ ...keys, terminalId, refusedAt, createdAt: at++ });
  }
  const asked: string[] = [];
  const ask = async ({ terminalId }: { terminalId: string }) => {
    asked.push(terminalId);
    return silent.includes(terminalId) ? 'unavailable' : `answer of ${terminalId}`;
  };
  const put = async (turn?: number, first?: string) => {
    const found = await queryAnyTerminal(deps, { accountId: ACCOUNT, turn, first }, ask);
    return [typeof found === 'string' ? found : found.answer, ...asked.splice(0)];
  };
  return { ...clinic, put };
}

const four = { T1: null, T2: null, T3: null, T4: null };

describe('a query to the provider', () => {
  it('uses the first terminal, or the one it concerns', async () => {
    const { put } = await withTerminals(four);
    expect([await put(), await put(undefined, 'T3')]).toEqual([
      ['answer of T1', 'T1'],
      ['answer of T3', 'T3'],
    ]);
  });

  it('tries up to three terminals until one answers', async () => {
    const { put } = await withTerminals(four, ['T1', 'T2']);
    expect(await put()).toEqual(['answer of T3', 'T1', 'T2', 'T3']);
  });

  it('is unavailable when three terminals get no answer', async () => {
    const { put } = await withTerminals(four, ['T1', 'T2', 'T3']);
    expect(await put()).toEqual(['unavailable', 'T1', 'T2', 'T3']);
  });

  it('returns no-terminal without any terminal', async () => {
    const { deps, put } = await withTerminals({});
    expect([await put(), await put(1)]).toEqual([['no-terminal'], ['no-terminal']]);
    expect(await findByAnyTerminal(deps, { accountId: ACCOUNT }, 'card', { attemptId: 'a1' })).toBe('unavailable');
  });

  it('uses one terminal per repeat, rotating through three', async () => {
    const { put } = await withTerminals(four, ['T1']);
    const turns: unknown[] = [];
    for (const turn of [0, 1, 2, 3, 4]) turns.push(await put(turn));
    expect(turns).toEqual([
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
      ['answer of T3', 'T3'],
      ['unavailable', 'T1'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('skips a refused terminal on repeats while there is another one', async () => {
    const { put } = await withTerminals({ T1: NOW, T2: null });
    expect([await put(0), await put(1)]).toEqual([
      ['answer of T2', 'T2'],
      ['answer of T2', 'T2'],
    ]);
  });

  it('uses refused terminals on repeats when all of them are refused', async () => {
    const { put } = await withTerminals({ T1: NOW, T2: NOW });
    expect([await put(0), await put(1)]).toEqual([
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
  /** Tries them; `silent`: how often each of them gets no answer. */
  async function tried(refused: Record<string, number | null>, silent: Record<string, number> = {}) {
    const clinic = await withTerminals(refused);
    const asked: string[] = [];
    const left = { ...silent };
    clinic.deps.gateway.listTransactions = async ({ terminalId }, ...how) => {
      asked.push(terminalId);
      expect(how).toEqual(['card', { from: NOW - 24 * HOUR, to: NOW }, 1]);
      const more = left[terminalId] ?? 0;
      left[terminalId] = more - 1;
      return more > 0 ? 'unavailable' : { transactions: [], isLast: true };
    };
    await tryTerminals(clinic.deps, await listUsableTerminals(clinic.db, ACCOUNT));
    const rows = await clinic.db.select().from(terminals).orderBy(terminals.terminalId);
    return { asked, refused: rows.map(({ refusedAt }) => refusedAt), logs: clinic.logs };
  }
  const REFUSED = 'ALERT gateway-refused-our-credentials';
  const LONG_AGO = NOW - 12 * HOUR - 1;

  it.each<[string, Record<string, number | null>, Record<string, number>, Awaited<ReturnType<typeof tried>>]>([
    ['the only one is not tried', { T1: null }, {}, { asked: [], refused: [null], logs: [] }],
    ['all that work stay', { T1: null, T2: null }, {}, { asked: ['T1', 'T2'], refused: [null, null], logs: [] }],
    ['a refused one that works is used again', { T1: LONG_AGO }, {}, { asked: ['T1'], refused: [null], logs: [] }],
    [
      'one that was refused lately is not tried',
      { T1: NOW - 12 * HOUR },
      {},
      { asked: [], refused: [NOW - 12 * HOUR], logs: [] },
    ],
    [
      'a refused one that is silent stays so',
      { T1: LONG_AGO, T2: null },
      { T1: 9 },
      { asked: ['T2', 'T1'], refused: [LONG_AGO, null], logs: [] },
    ],
    [
      'one that is silent twice is left',
      { T1: null, T2: null },
      { T1: 2 },
      { asked: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED] },
    ],
    [
      'one that is silent once stays',
      { T1: null, T2: null },
      { T1: 1 },
      { asked: ['T1', 'T2', 'T1'], refused: [null, null], logs: [] },
    ],
    [
      'all that are silent stay',
      { T1: null, T2: null },
      { T1: 9, T2: 9 },
      { asked: ['T1', 'T2'], refused: [null, null], logs: [] },
    ],
    [
      'one that is silent is left for a refused one that works',
      { T1: null, T2: LONG_AGO },
      { T1: 9 },
      { asked: ['T1', 'T2', 'T1'], refused: [NOW, null], logs: [REFUSED] },
    ],
  ])('%s', async (_what, refused, silent, expected) => {
    expect(await tried(refused, silent)).toEqual(expected);
  });
});
