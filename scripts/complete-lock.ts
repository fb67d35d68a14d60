import { readFileSync, writeFileSync } from 'node:fs';

/**
 * `npm ci` refuses a lock that lacks an optional package of another platform, and npm omits such packages from the
 * lock if its registry does not provide them. This script adds them, so that one lock installs on every system.
 * `--check` only lists the missing packages.
 */
type Platform = { os?: string[]; cpu?: string[]; libc?: string[] };

type Entry = Platform & {
  version?: string;
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  optionalDependencies?: Record<string, string>;
};

export type Lock = { packages: Record<string, Entry> };

const same = (...names: string[]) => Object.fromEntries(names.map((name) => [name, name]));

const OS = {
  ...same('darwin', 'linux', 'win32', 'android', 'freebsd', 'netbsd', 'openbsd', 'openharmony'),
  windows: 'win32',
};
const CPU = { ...same('x64', 'arm64', 'arm', 'ia32', 'ppc64', 'riscv64', 's390x', 'loong64', 'wasm32'), '64': 'x64' };
const LIBC = { musl: 'musl', gnu: 'glibc', gnueabihf: 'glibc' };

/** The platform from a package's name, because its manifest may be unavailable. */
function platformOf(name: string): Platform {
  const words = name.split(/[-/]/);
  const pick = (known: Record<string, string>) => words.flatMap((word) => known[word] ?? []).slice(0, 1);
  const [os, cpu, libc] = [pick(OS), pick(CPU), pick(LIBC)];
  // Without a platform npm would fetch the package everywhere.
  if (cpu.length === 0 || (os.length === 0 && cpu[0] !== 'wasm32'))
    throw new Error(`cannot tell the platform of ${name} by its name`);
  return { cpu, ...(os.length > 0 ? { os } : {}), ...(libc.length > 0 ? { libc } : {}) };
}

/** The path to which `name` resolves for the package at `from`, by Node's rule: nearest node_modules first. */
function resolvePackage(lock: Lock, from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const key = at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (lock.packages[key]) return key;
    if (at === '') return undefined;
  }
}

const isExact = (range: string) => /^\d+\.\d+\.\d+[\w.+-]*$/.test(range);

type Missing = { at: string; name: string; version: string; from: Entry };

/** Optional dependencies that the lock does not contain in the required version. */
export function missingFrom(lock: Lock): Missing[] {
  return Object.entries(lock.packages).flatMap(([key, from]) =>
    Object.entries(from.optionalDependencies ?? {}).flatMap(([name, range]) => {
      const existingKey = resolvePackage(lock, key, name);
      if (existingKey && (!isExact(range) || lock.packages[existingKey]?.version === range)) return [];
      const at = existingKey || key === '' ? `${key}/node_modules/${name}` : `node_modules/${name}`;
      return [{ at, name, version: range.replace(/^[\^~]/, ''), from }];
    }),
  );
}

/** Entries that tie the lock to one registry. */
export const tiedToRegistry = (lock: Lock): string[] =>
  Object.entries(lock.packages).flatMap(([key, { resolved, link }]) => (resolved && !link ? [key] : []));

export function complete(lock: Lock): Lock {
  const packages: Lock['packages'] = {};
  for (const [key, { resolved, ...entry }] of Object.entries(lock.packages)) {
    packages[key] = entry.link && resolved ? { resolved, ...entry } : entry;
  }
  // One at a time, because an entry added at the top also serves later packages that want the same version.
  for (let [next] = missingFrom({ packages }); next; [next] = missingFrom({ packages })) {
    packages[next.at] = {
      version: next.version,
      ...(next.from.dev ? { dev: true } : {}),
      optional: true,
      ...platformOf(next.name),
    };
  }
  const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

if (import.meta.main) {
  const file = 'package-lock.json';
  const lock = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const findings = [
    ...missingFrom(lock).map(({ at, version }) => `${at} ${version} is missing`),
    ...tiedToRegistry(lock).map((at) => `${at} names a registry`),
  ];
  for (const finding of findings) console.log(finding);
  if (!process.argv.includes('--check')) writeFileSync(file, `${JSON.stringify(complete(lock), null, 2)}\n`);
  else if (findings.length > 0) {
    console.log('Run `npm run lock` and commit package-lock.json.');
    process.exitCode = 1;
  }
}
