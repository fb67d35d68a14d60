import { getFile } from '#worker/data/content/media/files';
import { findMedia, keepHash, type ListedMedia, mayBeSame } from '#worker/data/content/media/media';
import type { Deps } from '#worker/deps';
import { hashOf } from '#worker/security/hash-of';

/** The library's file with these bytes: `size` in bytes, `hash` as hashOf() makes it. A file of before is hashed now. */
export async function findSame(deps: Deps, file: { size: number; hash: string }): Promise<ListedMedia | null> {
  for (const { id, key, hash } of await mayBeSame(deps.db, file)) {
    if ((hash || (await hashNow(deps, id, key))) === file.hash) return findMedia(deps.db, id);
  }
  return null;
}

async function hashNow({ db, media }: Deps, id: string, key: string): Promise<string | null> {
  const stored = await getFile(media, key);
  if (!stored || !('body' in stored)) return null;
  const hash = hashOf([new Uint8Array(await stored.arrayBuffer())]);
  await keepHash(db, id, hash);
  return hash;
}
