import { readFileSync } from 'node:fs';

/**
 * Each package of the product, as the lock lists it, must be under a licence that lets us ship it, or be accepted below with
 * a reason. Tools of development are left out because they are never handed on.
 */
type Entry = { version?: string; license?: string; dev?: boolean; devOptional?: boolean; link?: boolean };
type Lock = { packages: Record<string, Entry> };

const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'OFL-1.1'],
  'Python-2.0',
]);

/** A person decides about these. The key is the beginning of a package's name. */
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

/** An expression of SPDX, without the brackets that packages put around a simple one. */
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

/** Packages of the product whose licence is not decided about, and decisions about packages that are not there. */
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
    console.log('Take another package, or decide in scripts/check-licences.ts and say why.');
    process.exitCode = 1;
  }
}
