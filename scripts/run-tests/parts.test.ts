import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import {
  alone,
  comesAfter,
  describeSkipped,
  isFullSize,
  isInTurn,
  journeys,
  type Part,
  parallel,
  parts,
  readArguments,
  runInPairs,
} from './parts.ts';

const testsIn = (name: string) =>
  ['worker/money.test.ts', 'worker/price.test.ts'].filter((file) => file.startsWith(name));
const read = (...args: string[]) => readArguments(args, testsIn);

describe('the parts of a test run', () => {
  it('include check and each project of vitest.config.ts exactly once', () => {
    const config = readFileSync('vitest.config.ts', 'utf8');
    const projects = [...config.matchAll(/(?:node\(|name: )'(\w+)'/g)].map(([, name]) => name);
    expect(['check', ...projects].sort()).toEqual([...parts].sort());
    expect([...parallel, ...alone].sort()).toEqual([...parts].sort());
    expect(parts).toEqual(expect.arrayContaining(journeys));
  });

  it('wait only for earlier parts, and use both cores when they run alone', () => {
    for (const [part, earlier] of Object.entries(comesAfter))
      expect(parallel.indexOf(earlier)).toBeLessThan(parallel.indexOf(part as Part));
    expect([isInTurn(['unit']), isInTurn(['unit', 'statements']), isInTurn([])]).toEqual([true, true, true]);
    expect([isInTurn(['unit', 'check']), isInTurn(['money', 'statements'])]).toEqual([false, false]);
  });
});

describe('parts that run two at a time', () => {
  /** Runs the parts, each until `end` is called, and records which have started. */
  function startParts(queue: Part[]) {
    const started: Part[] = [];
    const ends = new Map<Part, () => void>();
    const all = runInPairs(queue, (part) => {
      started.push(part);
      return new Promise((resolve) => ends.set(part, resolve));
    });
    return { all, started, end: (part: Part) => ends.get(part)?.() };
  }

  it('start in order, each when an earlier part ends', async () => {
    const { all, started, end } = startParts(['unit', 'check', 'node', 'money']);
    expect(started).toEqual(['unit', 'check']);
    end('check');
    await vi.waitFor(() => expect(started).toEqual(['unit', 'check', 'node']));
    end('unit');
    await vi.waitFor(() => expect(started).toEqual(['unit', 'check', 'node', 'money']));
    for (const part of ['node', 'money'] as const) end(part);
    await all;
  });

  it('start only after the part that they need', async () => {
    const { all, started, end } = startParts(['unit', 'statements']);
    expect(started).toEqual(['unit']);
    end('unit');
    await vi.waitFor(() => expect(started).toEqual(['unit', 'statements']));
    end('statements');
    await all;
  });
});

describe('the command line of npm test', () => {
  it('runs the everyday tests by default, all files with --landing, and everything with --all', () => {
    const everyday = ['check', 'node', 'components', 'unit', 'money', 'whole', 'browser'];
    expect(read()).toMatchObject({ size: 'everyday', parts: everyday, base: null });
    expect(read('--base', 'v1')).toMatchObject({ size: 'everyday', base: 'v1' });
    expect(read('--landing')).toMatchObject({ size: 'landing', parts: everyday });
    expect(read('--all')).toMatchObject({ size: 'complete', parts: [...parts] });
  });

  it('runs the named parts, tests and files in landing size', () => {
    expect(read('money').size).toBe('landing');
    expect(read('-t', 'rounds').size).toBe('landing');
    expect(read('worker/money.test.ts').size).toBe('landing');
  });

  it('runs the named parts, even one that otherwise runs only with --all', () => {
    expect(read('unit', 'bench')).toMatchObject({ parts: ['unit', 'bench'], files: [] });
    expect(read('--all', 'money')).toMatchObject({ size: 'complete', parts: ['money'] });
  });

  it('runs a single file and filters tests by name', () => {
    expect(read('worker/money.test.ts', '-t', 'rounds')).toMatchObject({
      parts: [],
      files: ['worker/money.test.ts'],
      name: 'rounds',
    });
    expect(read('-t', 'rounds').parts).not.toContain('check');
  });

  it('runs every test file in a folder', () => {
    expect(read('worker').files).toEqual(['worker/money.test.ts', 'worker/price.test.ts']);
  });

  it('runs one shard of the browser tests', () => {
    expect(read('browser', '--shard', '1/2')).toMatchObject({ parts: ['browser'], shard: '1/2' });
    expect(read('--all', 'browser', '--shard', '2/2')).toMatchObject({ size: 'complete', shard: '2/2' });
    expect(read('browser').shard).toBeNull();
  });

  it.each([
    [
      ['browsr'],
      '"browsr" is neither a part nor a test file nor a folder of them. The parts are check, node, components',
    ],
    [['worker/nowhere.test.ts'], 'neither a part nor a test file'],
    [['unit', 'worker/money.test.ts'], 'either parts or files'],
    [['unit', '-t'], '-t needs'],
    [['check', '-t', 'x'], 'check has no tests'],
    [['--shard', '1/2'], 'Only browser can be sharded'],
    [['unit', 'browser', '--shard', '1/2'], 'Only browser can be sharded'],
    [['browser', '--shard'], '--shard needs'],
    [['browser', '--shard', '3/2'], '--shard needs'],
    [['browser', '--shard', '0/2'], '--shard needs'],
    [['browser', '--shard', 'half'], '--shard needs'],
    [['--base'], '--base needs'],
    [['--landing', '--base', 'v1'], 'Only an everyday run'],
    [['money', '--base', 'v1'], 'Only an everyday run'],
  ])('throws an explanatory error for invalid arguments: %j', (args, sentence) => {
    expect(() => read(...args)).toThrow(sentence);
  });
});

describe('the full size', () => {
  it('applies to a complete run, and to benchmarks only when they are named', () => {
    expect(isFullSize(read(), 'money')).toBe(false);
    expect(isFullSize(read('--all'), 'money')).toBe(true);
    expect(isFullSize(read('--all'), 'bench')).toBe(false);
    expect(isFullSize(read('--all', 'bench'), 'bench')).toBe(true);
  });
});

describe('the summary of skipped tests', () => {
  const skipped = new Map([
    ['unit', 0],
    ['money', 38],
  ]);

  it('lists the skipped tests and parts', () => {
    expect(describeSkipped(read(), skipped)).toBe(
      'left to npm run test:all: 38 of money (tests), statements (all), bench (all); and the full sizes',
    );
    expect(describeSkipped(read('money'), skipped)).toBe(
      'left to npm run test:all: 38 of money (tests); and the full sizes',
    );
  });

  it('is empty after a complete run or when tests were selected by name', () => {
    expect(describeSkipped(read('--all'), skipped)).toBe('');
    expect(describeSkipped(read('unit', '-t', 'rounds'), skipped)).toBe('');
  });
});
