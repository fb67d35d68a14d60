import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The rooms in which money is decided and written, with the folders of each on the two floors. */
export const rooms = ['batches', 'invoices', 'parts', 'payments', 'reconciliation', 'refunds', 'takings', 'write-back'];

/** The product's files that are mutated. */
export function moneyFiles(): string[] {
  const folders = rooms.flatMap((room) => [`worker/domain/${room}/*.ts`, `worker/data/${room}/*.ts`]);
  return globSync(folders)
    .filter((file) => !file.endsWith('.test.ts'))
    .sort();
}

export const roomOf = (file: string): string => (file.startsWith('migrations/') ? 'migrations' : inWorker(file));
const inWorker = (file: string) => /^worker\/(?:data|domain|routes)\/([\w-]+)\//.exec(file)?.[1] ?? 'worker/data';

/** How many test files beside those of the room a mutant of it meets at most. */
const NEAREST = 6;
/** Of the test files, how many it meets first, of those that it leaves how many then, and at last all. */
const STAGES = [1, 4, Number.POSITIVE_INFINITY];

/** The unit tests that a file's mutants meet, the nearest first; in stages, since most die by the nearest. */
export type Tests = { tests: string[]; stages: string[][] };

const inStages = (tests: string[]): Tests => ({ tests, stages: STAGES.map((count) => tests.slice(0, count)) });

/** The unit tests of a file's room, and of those that import the file the nearest. */
export function testsNear(): (file: string) => Tests {
  // The ceilings only measure costs, and a cost is no proof of a rule.
  const all = globSync('worker/**/*.test.ts', { exclude: ['worker/ceilings.test.ts'] }).sort();
  const distances = new Map(all.map((test) => [test, distancesFrom(test)]));
  const found = new Map<string, Tests>();
  const near = (file: string): Tests => {
    const distance = (test: string) =>
      isNamesake(test, file) ? 0 : (distances.get(test)?.get(file) ?? Number.POSITIVE_INFINITY);
    const isNear = (test: string) => roomOf(test) === roomOf(file) || isNamesake(test, file);
    const sorted = all.toSorted((a, b) => distance(a) - distance(b) || Number(isNear(b)) - Number(isNear(a)));
    const others = sorted.filter((test) => !isNear(test) && distance(test) < Number.POSITIVE_INFINITY);
    const tests = sorted.filter((test) => isNear(test) || others.slice(0, NEAREST).includes(test));
    return inStages(tests);
  };
  return (file) => {
    const tests = found.get(file) ?? near(file);
    found.set(file, tests);
    return tests;
  };
}

const isNamesake = (test: string, file: string) => path.basename(test, '.test.ts') === path.basename(file, '.ts');

/** These unit tests, and all others of their rooms after them. */
export function testsOfRooms(nearest: string[]): Tests {
  const rooms = [...new Set(nearest.map(roomOf))];
  const all = rooms.flatMap((room) => globSync(`worker/{data,domain,routes}/${room}/*.test.ts`).sort());
  return inStages([...new Set([...nearest, ...all])]);
}

const imports = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = imports.get(file);
  if (known) return known;
  const text = readFileSync(file, 'utf8');
  const found = [...text.matchAll(/\bfrom '(#worker\/[^']+|\.[^']+)'/g)].flatMap(([, to = '']) => {
    const at = to.startsWith('#') ? `${to.slice(1)}.ts` : path.join(path.dirname(file), to);
    return globSync(at);
  });
  imports.set(file, found);
  return found;
}

/** Over how many imports a test reaches each file. */
function distancesFrom(test: string): Map<string, number> {
  const found = new Map([[test, 0]]);
  for (const [file, distance] of found)
    for (const next of importsOf(file)) if (!found.has(next)) found.set(next, distance + 1);
  return found;
}
