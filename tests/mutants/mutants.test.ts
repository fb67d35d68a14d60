import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { complete } from '#tests/support/complete-only';
import { acceptedMutants } from './accepted.ts';
import { allMutants, instrumentFiles, planFor, sampleOf, textOf } from './all.ts';
import { Broker, type TestReport } from './broker.ts';
import { instrument } from './instrument.ts';
import { mutantsOf } from './mutate.ts';
import { changesOfSql } from './mutate-sql.ts';
import { reportOf } from './report.ts';
import { roomOf, rooms } from './rooms.ts';
import { runMutants } from './run.ts';

const all = allMutants();

const applyChanges = (text: string) =>
  mutantsOf('a.ts', text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));
const applySqlChanges = (text: string) =>
  changesOfSql(text).map(({ start, end, to }) => text.slice(0, start) + to + text.slice(end));

describe('mutants of a file', () => {
  it.each([
    ['a boundary', 'f(a < b)', ['f(a <= b)']],
    ['a comparison', 'f(a === b)', ['f(a !== b)']],
    ['a sum', 'f(a - b)', ['f(a + b)']],
    ['one of two conditions', 'f(a || b)', ['f(a && b)']],
    ['a condition', 'if (a) f()', ['if (true) f()', 'if (false) f()']],
    ['a choice', 'f(a ? b : c)', ['f(true ? b : c)', 'f(false ? b : c)']],
    ['the larger of two', 'Math.max(a, b)', ['Math.min(a, b)']],
    ['a number', 'const DAYS = 65', ['const DAYS = 66']],
    ['a unit', 'const DAY_MS = 86_400_000', ['const DAY_MS = 172800000']],
    ['a list of words', "f(['a', 'b'])", ["f(['b'])", "f(['a'])"]],
    ['a condition of the query builder', 'inArray(a, b)', ['mutantBuilder.notInArray(a, b)']],
    ['operands of an or condition', 'or(a, b)', ['mutantBuilder.and(a, b)', 'or(undefined, b)', 'or(a, undefined)']],
    ['a string concatenation', "f('a' + b)", []],
    ['a type', 'type A = 1 | 2', []],
  ])('change %s', (_name, text, mutants) => {
    expect(applyChanges(text)).toEqual(mutants);
  });

  it('are marked as module-level in constants and in functions that a constant calls', () => {
    const text = 'const of = (a) => a < 1;\nconst A = of(2) && 3 < 4;\nconst other = (b) => b < 5;';
    expect(mutantsOf('a.ts', text).map(({ line, isOfModule }) => [line, isOfModule])).toEqual([
      ...[1, 1, 2, 2, 2, 2, 2].map((line) => [line, true]),
      ...[3, 3].map((line) => [line, false]),
    ]);
  });

  it('change embedded SQL and the expressions inserted into it', () => {
    const statement = (where: string, insert: string) => `sql\`SELECT 1 WHERE a ${where} $\{${insert}}\``;
    expect(applyChanges(statement('>', 'b + c'))).toEqual([statement('>=', 'b + c'), statement('>', 'b - c')]);
  });
});

describe('mutants of an SQL statement', () => {
  it.each([
    ['a comparison', 'WHERE a = 1', ['WHERE a <> 1', 'WHERE a = 2']],
    ['conditions', 'WHERE a AND b', ['WHERE a OR b', 'WHERE a AND 1', 'WHERE 1 AND b']],
    [
      'a list',
      "WHERE a IN ('x', 'y')",
      ["WHERE a NOT IN ('x', 'y')", "WHERE a IN ('no such value', 'y')", "WHERE a IN ('x', 'no such value')"],
    ],
    ['NOT', 'WHERE NOT EXISTS (SELECT a)', ['WHERE  EXISTS (SELECT a)']],
    ['NULL', 'WHERE a IS NOT NULL', ['WHERE a IS NULL']],
    ['a default', 'SELECT coalesce(a, 0)', ['SELECT coalesce(a, 1)']],
    ['a sum', 'SELECT a - b', ['SELECT a + b']],
    [
      'a condition beside the account condition',
      'WHERE account_id = ?1 AND a',
      ['WHERE account_id <> ?1 AND a', 'WHERE account_id = ?1 OR a', 'WHERE account_id = ?1 AND 1'],
    ],
    ['an assignment', 'SET a = b', []],
    ['a comment', '-- a = b', []],
  ])('change %s', (_name, text, mutants) => {
    expect(applySqlChanges(text).sort()).toEqual(mutants.toSorted());
  });
});

describe('mutants of the money code', () => {
  it('come from every folder and from the migrations, and leave files that compile', () => {
    expect(new Set(all.map(({ file }) => roomOf(file)))).toEqual(new Set([...rooms, 'migrations']));
    for (const [file, text] of instrumentFiles(planFor(all)))
      expect(() => transformSync(text, { loader: 'ts' }), file).not.toThrow();
  });

  it('have at least one test each', () => {
    expect(planFor(all).filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  it('are sampled by a seed', () => {
    expect(sampleOf(all, 5, 1)).toEqual(sampleOf(all.toReversed(), 5, 1));
    expect(sampleOf(all, 5, 2)).not.toEqual(sampleOf(all, 5, 1));
  });

  it('are accepted as survivors only with a text that exists in the product and a reason', () => {
    const texts = new Set(all.map(textOf));
    expect(acceptedMutants.filter(({ text, reason }) => !texts.has(text) || reason === '')).toEqual([]);
  });
});

describe('a file with mutants compiled in', () => {
  const text = 'const LIMIT = 3;\nexport const isLate = (age) => age > LIMIT;\n';
  const mutants = mutantsOf('a.ts', text).map((mutant, index) => ({ ...mutant, id: index + 1 }));

  it('behaves like the product or like one mutant, as switched', () => {
    let [activeId, renew] = [0, () => {}];
    const code = instrument('a.ts', text, mutants)
      .replace(/^import [^;]*;/, '')
      .replace('export const', 'const');
    const run = new Function('isMutantOn', 'onMutantSwitch', `${code}; return isLate;`) as (
      isOn: (id: number) => boolean,
      onSwitch: (renewal: () => void) => void,
    ) => (age: number) => boolean;
    const isLate = run(
      (id) => id === activeId,
      (renewal) => {
        renew = renewal;
      },
    );
    const lateAges = (id: number) => {
      activeId = id;
      renew();
      return [3, 4].filter(isLate);
    };
    expect(mutants.map(({ from, to }) => [from, to])).toEqual([
      ['3', '4'],
      ['>', '>='],
    ]);
    expect([0, 1, 2].map(lateAges)).toEqual([[4], [], [3, 4]]);
  });
});

describe('a mutant', () => {
  const plan = planFor(all.slice(0, 2));
  const [file = ''] = plan[0]?.tests ?? [];
  const makeReport = (mutantId: number, hasFailed: boolean, overrides: Partial<TestReport> = {}): TestReport => ({
    file,
    test: 'a',
    worker: 'w',
    mutantId,
    hasFailed,
    message: '',
    reached: [1, 2],
    ms: 1,
    ...overrides,
  });

  const startBroker = (mutants: typeof plan) => {
    const broker = new Broker(mutants);
    broker.startNextStage();
    return broker;
  };

  it('is killed by a test that fails with it and passes again without it', () => {
    const broker = startBroker(plan);
    expect(broker.handleReport(makeReport(0, false)).next).toBe(1);
    expect(broker.handleReport(makeReport(1, true)).next).toBe(0);
    expect(broker.fates.get(1)?.state).toBe('alive');
    expect(broker.handleReport(makeReport(0, false)).next).toBe(2);
    expect(broker.fates.get(1)?.state).toBe('killed');
    expect(broker.handleReport(makeReport(2, false)).next).toBeNull();
    expect(broker.fates.get(2)?.state).toBe('alive');
  });

  it('is not killed by a test that also fails without it', () => {
    const broker = startBroker(plan);
    broker.handleReport(makeReport(0, false));
    broker.handleReport(makeReport(1, true));
    expect(broker.handleReport(makeReport(0, true)).next).toBeNull();
    expect(broker.fates.get(1)?.state).toBe('alive');
    expect(broker.problems).toHaveLength(1);
  });

  it('runs only in the tests that reach it', () => {
    const broker = startBroker(plan);
    const isOfModule = plan.map(({ mutant }) => 'isOfModule' in mutant && mutant.isOfModule);
    expect(isOfModule).toEqual([false, false]);
    expect(broker.handleReport(makeReport(0, false, { reached: [2] })).next).toBe(2);
  });

  it('is killed when its test never ends', () => {
    const broker = startBroker(plan);
    broker.handleReport(makeReport(0, false));
    expect(broker.killHung()).toBe(false);
    expect(broker.killHung(Date.now() + 3_600_000)).toBe(true);
    expect(broker.fates.get(1)?.state).toBe('killed');
  });
});

/** The number that a complete run has time for. SEED draws another sample, tests/mutants/main.ts a larger one. */
const SAMPLE = 60;

// Each mutant takes a few seconds.
describe.skipIf(!complete)('a sample of the mutants', () => {
  it('is killed by the unit tests', { timeout: 3_600_000 }, async () => {
    const plan = planFor(sampleOf(all, SAMPLE, Number(process.env.SEED ?? 1)));
    const broker = new Broker(plan);
    await runMutants(plan, broker, () => {});
    const { isGood, text } = reportOf(all, plan, broker);
    console.log(`\n${text}\n`);
    expect(isGood, text).toBe(true);
  });
});
