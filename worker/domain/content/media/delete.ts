import { dropCopies } from '#worker/data/content/media/edge-copies';
import { deleteFiles } from '#worker/data/content/media/files';
import { deleteMedia, findMedia } from '#worker/data/content/media/media';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Member } from '#worker/domain/content/accounts/session';

/** Delete a file of the library with its narrower copies; articles that show it go on without. False: there is none. */
export async function deleteMediaFile(deps: Deps, { user }: Member, id: string): Promise<boolean> {
  const row = await findMedia(deps.db, id);
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'media.deleted', subject: ['media', id] });
  if (!row || !(await deleteMedia(deps.db, id, deps.now(), event))) return false;
  const keys = [row.key, ...row.variants.map(({ key }) => key)];
  await deleteFiles(deps.media, keys);
  await dropCopies(deps.settings.APP_URL, keys);
  deps.log.info('media-deleted', { mediaId: id, userId: user.id, used: row.uses.length });
  return true;
}
