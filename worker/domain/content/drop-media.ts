import { deleteMedia, findMedia } from '../../data/content/media.ts';
import { deleteFiles } from '../../data/media-files.ts';
import type { Deps } from '../../deps.ts';
import type { Member } from './session.ts';

/** Delete a file of the library with its narrower copies; articles that show it go on without. False: there is none. */
export async function dropMedia(deps: Deps, { user }: Member, id: string): Promise<boolean> {
  const row = await findMedia(deps.db, id);
  if (!row || !(await deleteMedia(deps.db, id, deps.now()))) return false;
  await deleteFiles(deps.media, [row.key, ...row.variants.map(({ key }) => key)]);
  deps.log.info('media-deleted', { mediaId: id, userId: user.id, used: row.uses.length });
  return true;
}
