import { readFileSync } from 'node:fs';

/**
 * Each package of the product in the lock file must have a licence that allows us to ship it, or be accepted below with
 * a reason. Development tools are omitted because they are not distributed.
 */
type Entry = { version?: string; license?: string; dev?: boolean; devOptional?: boolean; link?: boolean };
type Lock = { packages: Record<string, Entry> };

const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'OFL-1.1'],
  'Python-2.0',
]);

/** Exceptions that a person approved. The key is a prefix of the package name. */
const accepted: Record<string, { licence: string; why: string }> = {
  '@img/sharp': {
    licence: 'LGPL-3.0-or-later',
    why: 'Comes with Astro for pictures of the build; nothing of it is served.',
  },
  lightningcss: {
    licence: 'MPL-2.0',
    why: 'Shortens styles while the site is built; nothing of it is served.',
  },
  '@astrojs/compiler-binding-': {
    licence: '',
    why: 'The compiler for another system: the lock has its name without its manifest. The one that is installed is MIT.',
  },
};

/** True if an SPDX expression is permissive. Ignores the parentheses that some packages put around it. */
function isPermissive(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive);
  return plain.split(' AND ').every((licence) => permissive.has(licence));
}

const nameOf = (at: string) => at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length);

function isAccepted(name: string, licence: string): boolean {
  const rest = licence.split(' AND ').filter((one) => !permissive.has(one));
  return Object.entries(accepted).some(
    ([begin, { licence: known }]) => name.startsWith(begin) && rest.every((one) => one === known),
  );
}

/** Packages of the product without an accepted licence, and exceptions for packages that are not installed. */
export function undecided({ packages }: Lock): string[] {
  const shipped = Object.entries(packages)
    .filter(([at, { dev, devOptional, link }]) => at !== '' && !dev && !devOptional && !link)
    .map(([at, { version, license = '' }]) => ({ name: nameOf(at), version, license }));
  const open = shipped.filter(({ name, license }) => !isPermissive(license) && !isAccepted(name, license));
  const unused = Object.keys(accepted).filter((begin) => !shipped.some(({ name }) => name.startsWith(begin)));
  return [
    ...open.map(({ name, version, license }) => `${name} ${version} is under ${license || 'no licence that it names'}`),
    ...unused.map((begin) => `${begin} is accepted and not installed`),
  ];
}

if (import.meta.main) {
  const findings = undecided(JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock);
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) {
    console.log('Take another package, or decide in scripts/checks/licences.ts and say why.');
    process.exitCode = 1;
  }
}
