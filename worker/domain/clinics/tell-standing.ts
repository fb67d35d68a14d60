import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { readStanding, saveStanding } from '#worker/data/directory/standing';
import type { Deps } from '#worker/deps';
import { resealSecrets } from '#worker/domain/keys/reseal';
import { tellKeys } from '#worker/domain/merchants/clinic-of-account';

/** A clinic with nothing new to say says so this often (ms): who is silent for longer is woken. */
export const HEARTBEAT_MS = 15 * 60_000;

/** What each clinic told last, in this isolate: to tell the same again costs a write in the directory. */
const told = new Map<number, { text: string; at: number }>();

/**
 * Tell the directory how this clinic stands, by what the vendors name it, and which older keys it still needs: on a
 * change, and otherwise every quarter of an hour.
 */
export async function tellStanding(deps: Deps): Promise<void> {
  const { db, installation, clinic, now } = deps;
  const standing = await readStanding(db);
  if (!standing) return;
  const olderKeys = (await resealSecrets(deps)).join(' ');
  const text = JSON.stringify({ ...standing, olderKeys });
  const last = told.get(clinic);
  const heardAt = now();
  if (last?.text === text && heardAt - last.at < HEARTBEAT_MS) return;
  await saveStanding(installation, clinic, standing, { heardAt, schema: CLINIC_SCHEMA, olderKeys });
  await tellKeys(deps);
  told.set(clinic, { text, at: heardAt });
}
