import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { checks, runCheck } from '#scripts/checks/commands';
import { complete, type Lock, missingFrom } from '#scripts/complete-lock';
import { plantTree } from './tree.ts';

const readLock = () =>
  JSON.parse(readFileSync(path.resolve(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Lock;
const lockCheck = checks.filter(({ name }) => name === 'lock');

async function checkOf(lock: Lock) {
  const tree = plantTree({ 'package-lock.json': JSON.stringify(lock) });
  const outcomes = await Promise.all(lockCheck.map((check) => runCheck(check, tree)));
  return outcomes[0];
}

test('the lock file lists every optional package for every system and names no registry', async () => {
  expect(await checkOf(readLock())).toMatchObject({ isOk: true });
});

test('the product and all tests run on one version of the Workers runtime', () => {
  const versions = Object.entries(readLock().packages).flatMap(([name, { version }]) =>
    name.endsWith('node_modules/workerd') ? [version] : [],
  );
  expect(versions).toHaveLength(1);
});

test('a lock file without another system’s package fails the check, and completing it adds the package', async () => {
  const lock = readLock();
  const name = 'node_modules/@biomejs/cli-win32-x64';
  const { [name]: removed, ...rest } = lock.packages;

  const outcome = await checkOf({ ...lock, packages: rest });

  expect(outcome).toMatchObject({
    isOk: false,
    output: expect.stringContaining(`${name} ${removed?.version} is missing`),
  });
  expect(complete({ ...lock, packages: rest }).packages[name]).toMatchObject({
    os: ['win32'],
    cpu: ['x64'],
    optional: true,
  });
});

test('a lock file that names a registry fails the check, and completing it removes the name', async () => {
  const lock = readLock();
  const name = 'node_modules/hono';
  const tied = {
    ...lock,
    packages: { ...lock.packages, [name]: { ...lock.packages[name], resolved: 'https://r.example/h.tgz' } },
  };

  const outcome = await checkOf(tied);

  expect(outcome).toMatchObject({ isOk: false, output: expect.stringContaining(`${name} names a registry`) });
  expect(complete(tied).packages[name]).not.toHaveProperty('resolved');
});

test('two versions of one platform package are placed beside the packages that need them', () => {
  const lock: Lock = {
    packages: {
      '': {},
      'node_modules/tool': { optionalDependencies: { 'tool-darwin-arm64': '1.0.0' } },
      'node_modules/old': {},
      'node_modules/old/node_modules/tool': { optionalDependencies: { 'tool-darwin-arm64': '0.9.0' } },
    },
  };
  const { packages } = complete(lock);
  expect(packages['node_modules/tool-darwin-arm64']?.version).toBe('1.0.0');
  expect(packages['node_modules/old/node_modules/tool/node_modules/tool-darwin-arm64']?.version).toBe('0.9.0');
  expect(missingFrom({ packages })).toEqual([]);
});
