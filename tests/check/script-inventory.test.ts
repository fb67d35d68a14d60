import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Entry = { owner: string; integrity: string; reason: string };
type Inventory = { scripts: (Entry & { url: string })[]; inline: (Entry & { hash: string })[] };

const read = <T>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as T;
const { scripts, inline } = read<Inventory>('docs/script-inventory.json');
const { dependencies } = read<{ dependencies: Record<string, string> }>('package.json');
const { packages } = read<{ packages: Record<string, { version?: string; integrity?: string }> }>('package-lock.json');

/** Phrases in the inventory's text about a script, each with a check that it is true. */
const claims: [words: RegExp, isTrue: (entry: Entry & { url?: string }) => boolean][] = [
  [/served from our own origin/, ({ url = '' }) => url.startsWith('/_astro/')],
  [/exact version (?:in|of) the lock file/, ({ owner }) => packagesNamed(owner).every(isPinned)],
  [/allowed by its origin alone/, ({ url = '' }) => /^(?:\{provider\}|https:\/\/pay\.google\.com)\//.test(url)],
  [/allowed by this hash alone/, ({ url }) => url === undefined],
];

/** Package names in texts like `React (react-dom)` or `Tillway, with the npm package signature_pad`. */
function packagesNamed(owner: string): string[] {
  const names = Object.keys(dependencies).filter((name) =>
    owner
      .toLowerCase()
      .split(/[\s(),]+/)
      .includes(name),
  );
  expect(names, `${owner} names no package`).not.toEqual([]);
  return names;
}

const isPinned = (name: string): boolean => {
  const locked = packages[`node_modules/${name}`];
  return dependencies[name] === locked?.version && /^sha512-/.test(locked?.integrity ?? '');
};

test.each([...scripts, ...inline])('the inventory’s claim about $owner is true: $integrity', (entry) => {
  const matching = claims.filter(([words]) => words.test(entry.integrity));
  expect(matching).not.toEqual([]);
  for (const [words, isTrue] of matching) expect([String(words), isTrue(entry)]).toEqual([String(words), true]);
});

test('every script in the inventory has its own reason', () => {
  const reasons = [...scripts, ...inline].map(({ reason }) => reason);
  expect(new Set(reasons).size).toBe(reasons.length);
  expect(reasons).not.toContain('');
});
