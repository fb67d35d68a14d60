import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { wakeSilent } from './wake-silent.ts';

it('wakes a clinic whose clock was lost, however many have been silent for longer and stay so', async () => {
  const { installation, clock } = await makeWorld();
  await env.INSTALLATION.prepare('DELETE FROM clinic_keys').run();
  await env.INSTALLATION.prepare('DELETE FROM clinics').run();
  await env.INSTALLATION.prepare(
    `INSERT INTO clinics (account, founded_at, heard_at)
SELECT value, 1, 1 FROM json_each(?1) UNION ALL SELECT 999, 1, ?2`,
  )
    .bind(JSON.stringify(Array.from({ length: 100 }, (_, n) => n + 1)), clock.now - 30 * 60_000)
    .run();
  const late = await env.INSTALLATION.prepare('SELECT number FROM clinics WHERE account = 999').first<number>('number');
  const woken = new Set<number>();
  const clinics = { ...installation.clinics, wake: async (clinic: number) => void woken.add(clinic) };
  for (let minute = 0; minute < 10; minute++) await wakeSilent({ ...installation, clinics });
  expect(woken).toContain(late);
});
