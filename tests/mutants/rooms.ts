import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** The rooms in which money is decided and written, with the folders of each on the two floors. */
export const rooms = ['batches', 'invoices', 'parts', 'payments', 'reconciliation', 'refunds', 'takings', 'write-back'];

/** Files of the money that lie in no room. */
const ownFiles = ['worker/data/counted-entries.ts'];

/** The product's files that are mutated. */
export function moneyFiles(): string[] {
  const folders = rooms.flatMap((room) => [`worker/domain/${room}/*.ts`, `worker/data/${room}/*.ts`]);
  return [...globSync(folders), ...ownFiles].filter((file) => !file.endsWith('.test.ts')).sort();
}

export const roomOf = (file: string): string => (file.startsWith('migrations/') ? 'migrations' : inWorker(file));
const inWorker = (file: string) => /^worker\/(?:data|domain|routes)\/([\w-]+)\//.exec(file)?.[1] ?? 'worker/data';

/** How many test files beside those of the room a mutant of it meets at most. */
const NEAREST = 6;

/** The unit tests of a file's room, and of those that import the file the nearest. */
export function testsOf(): (file: string) => string[] {
  const tests = globSync('worker/**/*.test.ts').sort();
  const distances = new Map(tests.map((test) => [test, distancesFrom(test)]));
  return (file) => {
    const room = roomOf(file);
    const ofRoom = tests.filter((test) => roomOf(test) === room);
    const others = tests
      .filter((test) => !ofRoom.includes(test) && distances.get(test)?.has(file))
      .sort((a, b) => (distances.get(a)?.get(file) ?? 0) - (distances.get(b)?.get(file) ?? 0));
    return [...ofRoom, ...others.slice(0, NEAREST)];
  };
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
