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
    why: 'Comes with Astro for pictures in the build; nothing of it is served.',
  },
  lightningcss: {
    licence: 'MPL-2.0',
    why: 'Shortens styles while the site is built; nothing of it is served.',
  },
  '@astrojs/compiler-binding-': {
    licence: '',
    why: 'The compiler for another system: the lock lacks its manifest. The installed compiler is under MIT.',
  },
};

/** True if an SPDX expression is permissive. Ignores the parentheses that some packages put around it. */
function isPermissive(expression: string): boolean {
  const plain = expression.replace(/^\((.*)\)$/, '$1');
  if (plain.includes(' OR ')) return plain.split(' OR ').some(isPermissive);
  return plain.split(' AND ').every((licence) => permissive.has(licence));
}

const nameOf = (key: string) => key.slice(key.lastIndexOf('node_modules/') + 'node_modules/'.length);

function isAccepted(name: string, licence: string): boolean {
  const restricted = licence.split(' AND ').filter((term) => !permissive.has(term));
  return Object.entries(accepted).some(
    ([prefix, { licence: known }]) => name.startsWith(prefix) && restricted.every((term) => term === known),
  );
}

/** Packages of the product without an accepted licence, and exceptions for packages that are not installed. */
export function findLicenceProblems({ packages }: Lock): string[] {
  const shipped = Object.entries(packages)
    .filter(([key, { dev, devOptional, link }]) => key !== '' && !dev && !devOptional && !link)
    .map(([key, { version, license = '' }]) => ({ name: nameOf(key), version, license }));
  const open = shipped.filter(({ name, license }) => !isPermissive(license) && !isAccepted(name, license));
  const unused = Object.keys(accepted).filter((prefix) => !shipped.some(({ name }) => name.startsWith(prefix)));
  return [
    ...open.map(({ name, version, license }) => `${name} ${version} is under ${license || 'no stated licence'}`),
    ...unused.map((prefix) => `${prefix} is accepted but not installed`),
  ];
}

if (import.meta.main) {
  const findings = findLicenceProblems(JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock);
  for (const finding of findings) console.log(finding);
  if (findings.length > 0) {
    console.log('Take another package, or decide in scripts/checks/licences.ts and say why.');
    process.exitCode = 1;
  }
}
