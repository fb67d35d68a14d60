import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a build ignores the build mode in its caller’s environment', () => {
  const script =
    "await import('./astro.config.mjs'); console.log(JSON.stringify(['DEV', 'PROD', 'MODE'].map((name) => process.env[name] ?? null)))";
  const env = { ...process.env, DEV: '1', PROD: '', MODE: 'test' };
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], { env, encoding: 'utf8' });
  expect(JSON.parse(output)).toEqual([null, null, null]);
});
