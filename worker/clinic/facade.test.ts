import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { type ClinicCalls, remoteD1 } from './facade.ts';
import { clinicMigrations } from './migrations.ts';

it('works', async () => {
  const open = () => env.CLINICS.getByName('1');
  console.log(await open().ask(0, []));
  const d1 = remoteD1(() => open() as unknown as ClinicCalls, 3);
  await expect(d1.prepare('SELECT 1').all()).rejects.toThrow();
  console.log(await open().found({ number: 1, account: 7 }, [...clinicMigrations]));
  console.log(await d1.prepare('SELECT 1 AS a').all());
  console.log(await open().wake());
});
