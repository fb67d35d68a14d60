import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checks, runCheck } from '#scripts/checks/commands';
import { findLicenceProblems } from '#scripts/checks/licences';
import { plantTree } from './tree.ts';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Parameters<typeof findLicenceProblems>[0];
const withPackage = (name: string, entry: object) => ({
  packages: { ...lock.packages, [`node_modules/${name}`]: { version: '1.0.0', ...entry } },
});

test('every package in the product has an approved licence', () => {
  expect(findLicenceProblems(lock)).toEqual([]);
});

test.each([
  ['a copyleft licence', 'planted', { license: 'GPL-3.0-only' }, 'planted 1.0.0 is under GPL-3.0-only'],
  ['mixed copyleft', 'planted', { license: 'MIT AND AGPL-3.0-only' }, 'planted 1.0.0 is under MIT AND AGPL-3.0-only'],
  ['no licence', 'planted', {}, 'planted 1.0.0 is under no stated licence'],
  ['a licence other than the accepted one', 'lightningcss-planted', { license: 'GPL-2.0' }, 'is under GPL-2.0'],
])('a product package with %s is reported', (_label, name, entry, problem) => {
  expect(findLicenceProblems(withPackage(name, entry))).toEqual([expect.stringContaining(problem)]);
});

test.each([
  ['a choice that includes a permissive licence', { license: '(MPL-2.0 OR Apache-2.0)' }],
  ['a copyleft licence of a development tool', { license: 'GPL-3.0-only', dev: true }],
])('a package under %s passes', (_label, entry) => {
  expect(findLicenceProblems(withPackage('planted', entry))).toEqual([]);
});

test('an approved licence of a package that is no longer installed fails the check', async () => {
  const packages = Object.fromEntries(Object.entries(lock.packages).filter(([key]) => !key.includes('lightningcss')));
  expect(findLicenceProblems({ packages })).toEqual(['lightningcss is accepted but not installed']);
  const tree = plantTree({ 'package-lock.json': JSON.stringify({ packages }) });
  const [outcome] = await Promise.all(
    checks.filter(({ name }) => name === 'licences').map((check) => runCheck(check, tree)),
  );
  expect(outcome).toMatchObject({ isOk: false, output: expect.stringContaining('not installed') });
});

test('npm run sbom lists the product’s dependencies in two SBOM formats and a readable list', () => {
  execFileSync('npm', ['run', 'sbom'], { stdio: 'pipe' });
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
  const list = readFileSync('dist-sbom/licences.md', 'utf8');
  for (const [name, version] of Object.entries(dependencies)) expect(list).toContain(`| ${name} | ${version} | `);
  expect(list).not.toMatch(/not stated|playwright-core/);
  expect(JSON.parse(readFileSync('dist-sbom/sbom.cdx.json', 'utf8'))).toMatchObject({ bomFormat: 'CycloneDX' });
  expect(JSON.parse(readFileSync('dist-sbom/sbom.spdx.json', 'utf8'))).toMatchObject({ spdxVersion: 'SPDX-2.3' });
});
