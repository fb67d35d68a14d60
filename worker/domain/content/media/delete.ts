import { deleteFiles } from '#worker/data/content/media/files';
import { deleteMedia, findMedia } from '#worker/data/content/media/media';
import type { Deps } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';

/** Delete a file of the library with its narrower copies; articles that show it go on without. False: there is none. */
export async function deleteMediaFile(deps: Deps, { user }: Member, id: string): Promise<boolean> {
  const row = await findMedia(deps.db, id);
  if (!row || !(await deleteMedia(deps.db, id, deps.now()))) return false;
  await deleteFiles(deps.media, [row.key, ...row.variants.map(({ key }) => key)]);
  deps.log.info('media-deleted', { mediaId: id, userId: user.id, used: row.uses.length });
  return true;
}
