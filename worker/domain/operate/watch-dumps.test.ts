import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { MINUTE, makeOperator } from '#tests/support/unit/operator';
import { readAlertState } from '#worker/data/alerts/health';
import { watchDumps } from './dump.ts';

const HOUR = 60;

it('dumps missing for 26 hours raise one alert for all clinics, which closes after the last dump', async () => {
  const { installation, clock, pass, rows, messages } = await makeOperator();
  const database = env.INSTALLATION;
  const startedAt = clock.now;
  await database.batch(['clinic_keys', 'clinics'].map((table) => database.prepare(`DELETE FROM ${table}`)));
  await insertRow(database, 'dumps', { id: 1, due_at: startedAt, ended_at: startedAt });
  for (const number of [101, 102, 103, 104])
    await insertRow(database, 'clinics', { number, account: number, founded_at: startedAt - 90 * MINUTE * HOUR });
  // One clinic was erased and one is being restored, so neither needs a dump.
  await insertRow(database, 'clinics', { number: 105, founded_at: 1, erased_at: 1 });
  await insertRow(database, 'clinics', { number: 106, founded_at: 1 });
  const recordDumps = (at: number, numbers: number[]) =>
    database.batch([
      database.prepare('UPDATE dumps SET ended_at = ?').bind(at),
      ...numbers.map((n) => database.prepare('UPDATE clinics SET dumped_at = ?2 WHERE number = ?1').bind(n, at)),
    ]);
  const passHours = (hours: number) => pass(hours * HOUR, { planted: () => watchDumps(installation) }, 30);

  await recordDumps(startedAt, [101, 102, 103, 104]);
  await passHours(25);
  // Two clinics are not dumped in the second night.
  await recordDumps(clock.now, [101, 102]);
  expect(messages).toEqual([]);
  await passHours(2);
  expect([...(await rows()).keys()]).toEqual(['job-overdue backup']);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({ event: 'job-overdue' });
  expect((await readAlertState(installation.db)).beats).toContainEqual(
    expect.objectContaining({ job: 'backup', okAt: startedAt }),
  );

  await recordDumps(clock.now, [103]);
  await passHours(1);
  expect((await rows()).get('job-overdue backup')).toMatchObject({ closed_at: null });
  await recordDumps(clock.now, [104]);
  await passHours(1);
  expect((await rows()).get('job-overdue backup')).toMatchObject({ closed_as: 'over' });
  expect(messages).toHaveLength(1);
});
