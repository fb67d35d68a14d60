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
export async function runInPairs(some: readonly Part[], run: (part: Part) => Promise<void>): Promise<void> {
  const queue = [...some];
  const runs = new Map<Part | undefined, Promise<void>>();
  const core = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      const next = part;
      const earlier = runs.get(comesAfter[next]);
      const own = earlier ? earlier.then(() => run(next)) : run(next);
      runs.set(next, own);
      await own;
    }
  };
  await Promise.all([core(), core()]);
}

/** True if only one part at a time can run, which may then use both cores. */
export const isInTurn = (some: Part[]): boolean =>
  some.filter((part) => !some.some((other) => other === comesAfter[part])).length < 2;
/** Browser workers, each with its own product: one more than cores, since a journey often waits for the product. */
export const BROWSER_WORKERS = 3;

/** Parts that run alone: a browser needs both cores, and measurements must not be disturbed. */
export const alone: Part[] = ['browser', 'bench'];

/**
 * `everyday`: check, all unit tests, and of the rest the core and the tests that the change affects (selection.ts).
 * `landing`: all files, at small sizes. `complete`: everything at full size.
 */
export type Size = 'everyday' | 'landing' | 'complete';

export type Asked = {
  size: Size;
  parts: Part[];
  files: string[];
  name: string | null;
  /** Share of the browser's files, as `1/2`, so that two machines run one each. */
  shard: string | null;
  /** Base commit of an everyday run. */
  base: string | null;
};

/**
 * Parses the command line: names of parts, files, folders, `-t` with a part of a test's name, `--landing`, `--all` for
 * everything at full size, `--shard` for a share of the browser's files, `--base` for the base commit. A named part
 * runs with all its files. Throws an Error with a message for the user.
 */
export function readArguments(given: string[], testsIn: (name: string) => string[]): Asked {
  const asked: Asked = { size: 'everyday', parts: [], files: [], name: null, shard: null, base: null };
  const rest = [...given];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const part = parts.find((one) => one === word);
    const files = part || word.startsWith('-') ? [] : testsIn(word);
    if (word === '--all') asked.size = 'complete';
    else if (word === '--landing') asked.size = 'landing';
    else if (word === '--base') asked.base = rest.shift() ?? missing('--base needs a commit.');
    else if (word === '-t') asked.name = rest.shift() ?? missing('-t needs a part of a test’s name.');
    else if (word === '--shard') asked.shard = readShard(rest.shift());
    else if (part) asked.parts.push(part);
    else if (files.length > 0) asked.files.push(...files);
    else
      throw new Error(
        `"${word}" is neither a part nor a test file nor a folder of them. The parts are ${parts.join(', ')}.`,
      );
  }
  if (asked.parts.length > 0 && asked.files.length > 0) throw new Error('Name either parts or files, not both.');
  if (asked.name !== null && asked.parts.includes('check')) throw new Error('check has no tests that -t could name.');
  if (asked.shard !== null && asked.parts.join() !== 'browser')
    throw new Error('Only browser comes in shards: name that part alone.');
  const isWhole = asked.parts.length === 0 && asked.files.length === 0 && asked.name === null;
  if (asked.base !== null && (asked.size !== 'everyday' || !isWhole))
    throw new Error('Only an everyday run compares with a base.');
  if (asked.size === 'everyday' && !isWhole) asked.size = 'landing';
  if (asked.parts.length === 0 && asked.files.length === 0) {
    const wanted = parts.filter((part) => asked.size === 'complete' || !completeOnly.includes(part));
    asked.parts = wanted.filter((part) => asked.name === null || part !== 'check');
  }
  return asked;
}

function missing(sentence: string): never {
  throw new Error(sentence);
}

function readShard(word = ''): string {
  const [, which = 0, of = 0] = (/^(\d+)\/(\d+)$/.exec(word) ?? []).map(Number);
  if (which < 1 || which > of) throw new Error('--shard needs a share of the files, as 1/2.');
  return word;
}

/** The benches at full size take an hour, so they run only if requested by name. */
export const isFullSize = ({ size, parts: some }: Pick<Asked, 'size' | 'parts'>, name: string): boolean =>
  size === 'complete' && (name !== 'bench' || some.every((part) => part === 'bench'));

/** A sentence that lists the tests left to a complete run; empty if there are none. */
export function whatIsLeft(asked: Asked, skipped: Map<string, number>): string {
  if (asked.size === 'complete' || asked.name !== null || asked.files.length > 0) return '';
  const tests = [...skipped].filter(([, count]) => count > 0).map(([part, count]) => `${count} of ${part}`);
  const isEverything = parts.every((part) => asked.parts.includes(part) || completeOnly.includes(part));
  const whole = isEverything ? completeOnly.filter((part) => !asked.parts.includes(part)) : [];
  const left = [...(tests.length > 0 ? [`${tests.join(', ')} (tests)`] : []), ...whole.map((part) => `${part} (all)`)];
  return left.length === 0 ? '' : `left to npm run test:all: ${left.join(', ')}; and the full sizes`;
}
