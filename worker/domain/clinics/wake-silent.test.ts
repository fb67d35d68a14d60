import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { wakeSilentClinics } from './heartbeat.ts';

const MINUTE = 60_000;

/** A directory of `count` clinics that never reported, and a run for each simulated minute. */
async function makeSilentWorld(count: number) {
  const { installation, clock } = await makeWorld();
  for (const table of ['clinic_keys', 'clinics']) await env.INSTALLATION.prepare(`DELETE FROM ${table}`).run();
  await env.INSTALLATION.prepare(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
INSERT INTO clinics (number, account, founded_at, heard_at) SELECT i, i, 0, 0 FROM n`,
  )
    .bind(count)
    .run();
  const woken = new Set<number>();
  let calls = 0;
  let callMs = 0;
  const clinics = {
    ...installation.clinics,
    wake: async (clinic: number) => {
      calls += 1;
      clock.now += callMs;
      woken.add(clinic);
      if (clinic % 2 === 0) throw new Error('overloaded');
    },
  };
  const run = async () => {
    calls = 0;
    await wakeSilentClinics({ ...installation, clinics });
    clock.now += MINUTE;
    return calls;
  };
  const slow = (ms: number) => {
    callMs = ms;
  };
  return { run, woken, slow };
}

it('wakes each silent clinic in turn, even when all of them stay silent', async () => {
  const { run, woken } = await makeSilentWorld(2_000);
  for (let minute = 0; minute < 4; minute++) expect(await run()).toBe(500);
  expect(woken.size).toBe(2_000);
});

it('wakes a few clinics at once, and none twice in a run', async () => {
  const { run, woken } = await makeSilentWorld(3);
  expect(await run()).toBe(3);
  expect(woken).toEqual(new Set([1, 2, 3]));
});

it('stops when the objects are slow, and continues a minute later', async () => {
  const { run, slow } = await makeSilentWorld(400);
  slow(250);
  expect(await run()).toBe(100);
});

it('skips clinics that were heard from recently or erased', async () => {
  const { run, woken } = await makeSilentWorld(4);
  await env.INSTALLATION.prepare('UPDATE clinics SET heard_at = 9000000000000 WHERE number = 1').run();
  await env.INSTALLATION.prepare('UPDATE clinics SET erased_at = 1 WHERE number = 2').run();
  expect(await run()).toBe(2);
  expect(woken).toEqual(new Set([3, 4]));
});
