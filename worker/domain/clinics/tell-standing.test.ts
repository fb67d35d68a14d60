import { expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { addClinic } from '#worker/data/directory/clinics';
import { findRow } from '#worker/data/operate/directory';
import { createSealer } from '#worker/security/token-cipher';
import { tellStanding } from './tell-standing.ts';

const key = (id: string) => `${id}:${btoa(id.padEnd(32, '.'))}`;

it('tells of each key that a clinic still needs, also of one that is in no ring any more', async () => {
  const { deps, installation, accountId, clock, db } = await makeWorld();
  const clinic = await addClinic(installation.db, accountId, clock.now);
  await db.$client.prepare('DELETE FROM crm_tokens').run();
  await db.$client.prepare('DELETE FROM terminals').run();
  await db.$client
    .prepare(
      `INSERT INTO crm_tokens (hub_id, access_token, refresh_token, expires_at, scopes)
SELECT hub_id, 'lost.a', 'new.b', 0, '' FROM hubs WHERE hub_id = ?1`,
    )
    .bind(accountId)
    .run();
  const keysTold = async () => {
    const row = await findRow(installation.db, clinic);
    return row?.olderKeys;
  };
  const own = { ...deps, clinic, sealer: createSealer(`${key('new')},${key('old')}`) };
  expect(await tellStanding(own)).toBeUndefined();
  expect(await keysTold()).toBe('lost');
});
