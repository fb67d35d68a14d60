import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as sharedPaths from '#shared/paths';

/** Static imports of a file, without types and without dynamic `import()`. */
const IMPORT = /^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;
/** The `imports` of package.json, which are one folder each. */
const ALIAS = /^#(\w+)\/(.*)$/;

/** The file of a module specifier, relative to the root of the tree; undefined for a package. */
function fileOf(name: string, from: string): string | undefined {
  const [, folder, rest] = ALIAS.exec(name) ?? [];
  if (folder) return `${folder}/${rest}.ts`;
  return name.startsWith('.') ? path.posix.join(path.posix.dirname(from), name) : undefined;
}

/** Returns a function for a file's dependencies: itself and its direct and indirect imports. Reads each file once. */
export function readImports(root = '.'): (file: string) => Set<string> {
  const direct = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    const cached = direct.get(file);
    if (cached) return cached;
    const at = path.join(root, file);
    const text = /\.(?:tsx?|mjs|astro)$/.test(file) && existsSync(at) ? readFileSync(at, 'utf8') : '';
    const imports = [...text.matchAll(IMPORT)].flatMap(
      ([, name = '']) => fileOf(name.replace(/\?.*$/, ''), file) ?? [],
    );
    direct.set(file, imports);
    return imports;
  };
  return (file) => {
    const all = new Set([file]);
    for (const current of all) for (const next of importsOf(current)) all.add(next);
    return all;
  };
}

/**
 * The sources that each journey uses, from the addresses that it requested: `tests/journeys.json`, written by a
 * complete run. Tests of money, whole and browser drive the built product, so their imports do not show their sources.
 */
export type Journeys = Record<string, string[]>;
export const JOURNEYS = 'tests/journeys.json';
/** The folder into which tests/support/journeys/keep-visits.ts writes, one file for each test file. */
export const VISITS = 'tests/.output/visits';
export type Visits = { file: string; paths: string[] };

type Source = { file: string; pattern: RegExp };

const patternOf = (template: string) =>
  new RegExp(`^${template.replace(/[.+$]/g, '\\$&').replace(/:\w+/g, '[^/]+').replaceAll('*', '.*')}$`);

/** The addresses in a route's file, from its string literals and its calls to functions of shared/paths.ts. */
function addressesIn(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const literal = [...text.matchAll(/'(?:[A-Z]+ )?(\/[\w:/.*-]+)'/g)].map(([, address = '']) => address);
  const built = Object.entries(sharedPaths).flatMap(([name, make]) =>
    typeof make === 'function' && text.includes(`${name}(`)
      ? [(make as (...words: string[]) => string)(':a', ':b')]
      : [],
  );
  return [...literal, ...built];
}

function workerSources(): Source[] {
  const files = globSync('worker/routes/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  return files.flatMap((file) => addressesIn(file).map((address) => ({ file, pattern: patternOf(address) })));
}

/** The pages of an address: its own, or else all in the nearest folder, one of which is a shell for the Worker. */
function pagesOf(address: string): string[] {
  const page = `site/pages${address === '/' ? '/index' : address}.astro`;
  if (existsSync(page)) return [page];
  const folders = address.split('/').map((_word, at, words) => `site/pages${words.slice(0, at + 1).join('/')}`);
  const nearest = folders.slice(1).findLast((folder) => existsSync(folder));
  return nearest ? globSync(`${nearest}/*.astro`) : [];
}

/** `/_astro/PayPage.CREhS8tH.js` contains PayPage.tsx. Chunks without a file of that name belong to their importers. */
function chunkOf(address: string, modules: Map<string, string[]>): string[] {
  const [, name = ''] = /^\/_astro\/([\w-]+)\.[\w-]+\.js$/.exec(address) ?? [];
  return modules.get(name) ?? [];
}

/** Returns a function for the files that serve an address, without their imports. */
export function readSources(): (address: string) => string[] {
  const routes = workerSources();
  const modules = Map.groupBy(globSync('site/islands/**/*.tsx'), (file) => path.basename(file, '.tsx'));
  return (address) => {
    // The tests' own Worker around the product's verbs.
    if (address.startsWith('/_money/')) return ['tests/money/cluster/entry.ts'];
    if (address.startsWith('/_astro/')) return chunkOf(address, modules);
    return [...routes.filter(({ pattern }) => pattern.test(address)).map(({ file }) => file), ...pagesOf(address)];
  };
}

export const readJourneys = (): Journeys =>
  existsSync(JOURNEYS) ? (JSON.parse(readFileSync(JOURNEYS, 'utf8')) as Journeys) : {};

/** The updated map after a run. Journeys that did not run keep their entries while their files exist. */
export function journeysAfter(known: Journeys, folder = VISITS): Journeys {
  const sources = readSources();
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const entries = names.map((name) => {
    const { file, paths } = JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Visits;
    return [file, [...new Set(paths.flatMap(sources))].sort()] as const;
  });
  const remaining = Object.entries(known).filter(([file]) => existsSync(file));
  return Object.fromEntries([...new Map([...remaining, ...entries])].sort(([a], [b]) => (a < b ? -1 : 1)));
}

export type Reach = {
  /** Journeys to run, in order. */
  files: string[];
  /** Changed files on which more than a quarter of the journeys depend: only the landing run includes all of those. */
  broad: string[];
};

const nameOf = (file: string) => path.basename(file).replace(/\..*$/, '');
const kebab = (name: string) => name.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();

/** True if a journey is named after the file or one of its folders. */
function isNamedAfter(journey: string, file: string): boolean {
  const words = [...path.dirname(file).split('/'), kebab(nameOf(file))];
  return words.some((word) => nameOf(journey) === word || nameOf(journey).startsWith(`${word}-`));
}

/**
 * The journeys that depend on a changed file. A journey missing from the map is new, and runs. If many depend on a
 * file, only those named after it run, and all of money.
 */
export function reachedBy(changed: string[], journeys: Journeys, all: string[], root?: string): Reach {
  const filesOf = readImports(root);
  const sources = new Map(
    all.map((file) => [file, new Set([file, ...(journeys[file] ?? [])].flatMap((source) => [...filesOf(source)]))]),
  );
  const files = new Set(all.filter((file) => journeys[file] === undefined));
  const broad: string[] = [];
  for (const changedFile of changed) {
    const reached = all.filter((file) => sources.get(file)?.has(changedFile));
    const isBroad = reached.length > all.length / 4;
    if (isBroad) broad.push(changedFile);
    for (const file of reached)
      if (!isBroad || file.startsWith('tests/money/') || isNamedAfter(file, changedFile)) files.add(file);
  }
  return { files: [...files].sort(), broad };
}
