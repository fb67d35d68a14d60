/** The parts of a test run: `check`, and the projects of vitest.config.ts. */
export const parts = [
  'check',
  'node',
  'components',
  'unit',
  'statements',
  'money',
  'whole',
  'browser',
  'bench',
] as const;
export type Part = (typeof parts)[number];

/** Parts that only a complete run has. In other parts it adds single tests (`tests/support/complete-only.ts`). */
export const completeOnly: Part[] = ['statements', 'bench'];

/** These share one product, started with `npm start`. */
export const journeys: Part[] = ['whole', 'browser', 'bench'];

/** Parts that run in parallel, two at a time, each on one core: long ones first, so that both cores end together. */
export const parallel: Part[] = ['unit', 'check', 'node', 'statements', 'money', 'whole', 'components'];

/** `statements` replays the statements that `unit` sent, so it comes after it. */
export const comesAfter: Partial<Record<Part, Part>> = { statements: 'unit' };

/** Runs two parts at a time: whenever one ends, the next begins. */
export async function runInPairs(list: readonly Part[], run: (part: Part) => Promise<void>): Promise<void> {
  const queue = [...list];
  const runs = new Map<Part | undefined, Promise<void>>();
  const core = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const next = part;
      const earlier = runs.get(comesAfter[next]);
      const current = earlier ? earlier.then(() => run(next)) : run(next);
      runs.set(next, current);
      await current;
    }
  };
  await Promise.all([core(), core()]);
}

/** True if only one part at a time can run, which may then use both cores. */
export const isInTurn = (list: Part[]): boolean =>
  list.filter((part) => !list.some((dependency) => dependency === comesAfter[part])).length < 2;
/** Browser workers, each with its own product: one more than cores, since a journey often waits for the product. */
export const BROWSER_WORKERS = 3;

/** Parts that run alone: a browser needs both cores, and measurements must not be disturbed. */
export const alone: Part[] = ['browser', 'bench'];

/**
 * `everyday`: check, all unit tests, and of the rest the core and the tests that the change affects (selection.ts).
 * `landing`: all files, at small sizes. `complete`: everything at full size.
 */
export type Size = 'everyday' | 'landing' | 'complete';

export type TestRequest = {
  size: Size;
  parts: Part[];
  files: string[];
  name: string | null;
  /** Share of the browser's files, such as `1/2`, so that two machines run one each. */
  shard: string | null;
  /** Base commit of an everyday run. */
  base: string | null;
};

/**
 * Parses the command line: names of parts, files, folders, `-t` with a part of a test's name, `--landing`, `--all` for
 * everything at full size, `--shard` for a share of the browser's files, `--base` for the base commit. A named part
 * runs with all its files. Throws an Error with a message for the user.
 */
export function readArguments(args: string[], testsIn: (name: string) => string[]): TestRequest {
  const request: TestRequest = { size: 'everyday', parts: [], files: [], name: null, shard: null, base: null };
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const part = parts.find((candidate) => candidate === word);
    const files = part || word.startsWith('-') ? [] : testsIn(word);
    if (word === '--all') request.size = 'complete';
    else if (word === '--landing') request.size = 'landing';
    else if (word === '--base') request.base = rest.shift() ?? missing('--base needs a commit.');
    else if (word === '-t') request.name = rest.shift() ?? missing('-t needs a part of a test’s name.');
    else if (word === '--shard') request.shard = readShard(rest.shift());
    else if (part) request.parts.push(part);
    else if (files.length > 0) request.files.push(...files);
    else
      throw new Error(
        `"${word}" is neither a part nor a test file nor a folder of them. The parts are ${parts.join(', ')}.`,
      );
  }
  if (request.parts.length > 0 && request.files.length > 0) throw new Error('Name either parts or files, not both.');
  if (request.name !== null && request.parts.includes('check'))
    throw new Error('check has no tests to filter with -t.');
  if (request.shard !== null && request.parts.join() !== 'browser')
    throw new Error('Only browser can be sharded: name that part alone.');
  const isWhole = request.parts.length === 0 && request.files.length === 0 && request.name === null;
  if (request.base !== null && (request.size !== 'everyday' || !isWhole))
    throw new Error('Only an everyday run compares with a base.');
  if (request.size === 'everyday' && !isWhole) request.size = 'landing';
  if (request.parts.length === 0 && request.files.length === 0) {
    const candidates = parts.filter((part) => request.size === 'complete' || !completeOnly.includes(part));
    request.parts = candidates.filter((part) => request.name === null || part !== 'check');
  }
  return request;
}

function missing(sentence: string): never {
  throw new Error(sentence);
}

function readShard(word = ''): string {
  const [, index = 0, total = 0] = (/^(\d+)\/(\d+)$/.exec(word) ?? []).map(Number);
  if (index < 1 || index > total) throw new Error('--shard needs a share of the files, such as 1/2.');
  return word;
}

/** The benches at full size take an hour, so they run only if requested by name. */
export const isFullSize = ({ size, parts: named }: Pick<TestRequest, 'size' | 'parts'>, name: string): boolean =>
  size === 'complete' && (name !== 'bench' || named.every((part) => part === 'bench'));

/** A sentence that lists the tests left to a complete run; empty if there are none. */
export function describeSkipped(request: TestRequest, skipped: Map<string, number>): string {
  if (request.size === 'complete' || request.name !== null || request.files.length > 0) return '';
  const tests = [...skipped].filter(([, count]) => count > 0).map(([part, count]) => `${count} of ${part}`);
  const isEverything = parts.every((part) => request.parts.includes(part) || completeOnly.includes(part));
  const whole = isEverything ? completeOnly.filter((part) => !request.parts.includes(part)) : [];
  const extra = [...(tests.length > 0 ? [`${tests.join(', ')} (tests)`] : []), ...whole.map((part) => `${part} (all)`)];
  return extra.length === 0 ? '' : `left to npm run test:all: ${extra.join(', ')}; and the full sizes`;
}
