import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The rooms that decide about and write money; each has a folder in `worker/domain/` and in `worker/data/`. */
export const rooms = [
  'batches',
  'installments',
  'invoices',
  'payments',
  'reconciliation',
  'refunds',
  'takings',
  'write-back',
];

/** The product's files that are mutated. */
export function moneyFiles(): string[] {
  const folders = rooms.flatMap((room) => [`worker/domain/${room}/*.ts`, `worker/data/${room}/*.ts`]);
  return globSync(folders)
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
}

export const roomOf = (file: string): string => (file.startsWith('migrations/') ? 'migrations' : inWorker(file));
const inWorker = (file: string) => /^worker\/(?:data|domain|routes)\/([\w-]+)\//.exec(file)?.[1] ?? 'worker/data';

/** Maximum number of test files from other rooms that run against a mutant. */
const NEAREST = 6;
/** Number of test files that run against a mutant in each stage: the nearest one, then four, then all. */
const STAGES = [1, 4, Number.POSITIVE_INFINITY];

/** The unit tests for a file's mutants, nearest first; in stages, since the nearest test kills most of them. */
export type Tests = { tests: string[]; stages: string[][] };

const inStages = (tests: string[]): Tests => ({ tests, stages: STAGES.map((count) => tests.slice(0, count)) });

/** Returns a function that finds a file's tests: those of its room, and the nearest others that import the file. */
export function testsNear(): (file: string) => Tests {
  // The ceilings only measure costs, which proves no rule.
  const allTests = globSync('worker/**/*.test.ts', { exclude: ['worker/ceilings.test.ts'] }).sort();
  const distances = new Map(allTests.map((test) => [test, distancesFrom(test)]));
  const cache = new Map<string, Tests>();
  const findTests = (file: string): Tests => {
    const distance = (test: string) =>
      isNamesake(test, file) ? 0 : (distances.get(test)?.get(file) ?? Number.POSITIVE_INFINITY);
    const isNear = (test: string) => roomOf(test) === roomOf(file) || isNamesake(test, file);
    const sorted = allTests.toSorted((a, b) => distance(a) - distance(b) || Number(isNear(b)) - Number(isNear(a)));
    const importers = sorted.filter((test) => !isNear(test) && distance(test) < Number.POSITIVE_INFINITY);
    const tests = sorted.filter((test) => isNear(test) || importers.slice(0, NEAREST).includes(test));
    return inStages(tests);
  };
  return (file) => {
    const tests = cache.get(file) ?? findTests(file);
    cache.set(file, tests);
    return tests;
  };
}

const isNamesake = (test: string, file: string) => path.basename(test, '.test.ts') === path.basename(file, '.ts');

/** These unit tests, followed by all others of their rooms. */
export function testsOfRooms(nearest: string[]): Tests {
  const rooms = [...new Set(nearest.map(roomOf))];
  const all = rooms.flatMap((room) => globSync(`worker/{data,domain,routes}/${room}/*.test.ts`).sort());
  return inStages([...new Set([...nearest, ...all])]);
}

const imports = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const cached = imports.get(file);
  if (cached) return cached;
  const text = readFileSync(file, 'utf8');
  const files = [...text.matchAll(/\bfrom '(#worker\/[^']+|\.[^']+)'/g)].flatMap(([, specifier = '']) => {
    const target = specifier.startsWith('#') ? `${specifier.slice(1)}.ts` : path.join(path.dirname(file), specifier);
    return globSync(target);
  });
  imports.set(file, files);
  return files;
}

/** The number of imports between a test and each file that it reaches. */
function distancesFrom(test: string): Map<string, number> {
  const distances = new Map([[test, 0]]);
  for (const [file, distance] of distances)
    for (const next of importsOf(file)) if (!distances.has(next)) distances.set(next, distance + 1);
  return distances;
}
