import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { testSettings } from '#tests/support/unit/settings';
import type { Env } from '#worker/deps';
import { ring } from './run-alarm.ts';

it('keeps an alert for the next turn when the installation’s database cannot store it', async () => {
  let isDown = true;
  const refuse = () => {
    throw new Error('the installation does not answer');
  };
  const installation = new Proxy(env.INSTALLATION, {
    get(d1, name) {
      if (isDown) return refuse;
      const value = Reflect.get(d1, name);
      return typeof value === 'function' ? value.bind(d1) : value;
    },
  });
  const testEnv = { ...env, ...testSettings('http://127.0.0.1:1'), INSTALLATION: installation } as unknown as Env;
  const alerts = async () =>
    (await env.INSTALLATION.prepare('SELECT key FROM alerts ORDER BY key').all<{ key: string }>()).results;
  await env.DB.prepare(
    "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (77, 'a', 'b', 'UTC', 0)",
  ).run();
  await ring(testEnv, 7001, env.DB);
  expect(await alerts()).toEqual([]);
  isDown = false;
  await ring(testEnv, 7001, env.DB);
  expect(await alerts()).toContainEqual({ key: 'clinic-job-failing standing' });
});
