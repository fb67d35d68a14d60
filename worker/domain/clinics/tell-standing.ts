import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { listOwnKeys } from '#worker/data/directory/keys';
import { findTelling, readStanding, saveStanding, saveTelling } from '#worker/data/directory/standing';
import type { Deps } from '#worker/deps';
import { resealSecrets } from '#worker/domain/keys/reseal';

/** A clinic with nothing new to say says so this often (ms): who is silent for longer is woken. */
export const HEARTBEAT_MS = 15 * 60_000;

/**
 * Tell the directory how this clinic stands, by what the vendors name it, and which older keys it still needs: on a
 * change, and otherwise every quarter of an hour. What it told last is in its own database, since the object's memory
 * ends whenever the platform likes.
 */
export async function tellStanding(deps: Deps): Promise<void> {
  const { db, installation, clinic, now } = deps;
  const standing = await readStanding(db);
  if (!standing) return;
  const olderKeys = (await resealSecrets(deps)).join(' ');
  const { accountId } = standing;
  const keys = await listOwnKeys(db);
  const text = JSON.stringify({ ...standing, olderKeys, keys, schema: CLINIC_SCHEMA });
  const last = await findTelling(db, accountId);
  const heardAt = now();
  if (last?.text === text && heardAt - last.at < HEARTBEAT_MS) return;
  await saveStanding(installation, clinic, standing, { heardAt, schema: CLINIC_SCHEMA, olderKeys }, keys);
  await saveTelling(db, { accountId, text, at: heardAt });
}
