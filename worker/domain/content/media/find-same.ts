import { getFile } from '#worker/data/content/media/files';
import { findMedia, keepHash, type ListedMedia, mayBeSame } from '#worker/data/content/media/media';
import type { Deps } from '#worker/deps';

/** SHA-256 of a file's parts. A large file is in memory often enough: one part is not copied. */
export function hashOf({ sha256 }: Deps, parts: Uint8Array[], size: number): Promise<string> {
  const [first] = parts;
  if (first && parts.length === 1) return sha256(first);
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return sha256(all);
}

/** The library's file with these bytes: `size` in bytes, `hash` as hashOf() makes it. A file of before is hashed now. */
export async function findSame(deps: Deps, file: { size: number; hash: string }): Promise<ListedMedia | null> {
  for (const { id, key, hash } of await mayBeSame(deps.db, file)) {
    if ((hash || (await hashNow(deps, id, key))) === file.hash) return findMedia(deps.db, id);
  }
  return null;
}

async function hashNow({ db, media, sha256 }: Deps, id: string, key: string): Promise<string | null> {
  const stored = await getFile(media, key);
  if (!stored) return null;
  const hash = await sha256(new Uint8Array(await stored.arrayBuffer()));
  await keepHash(db, id, hash);
  return hash;
}
