import { deletePrefix } from '../operate/erase.ts';

/** The folder of all downloads of a clinic, and of one of them. */
export const folderOfClinic = (clinic: number): string => `exports/${clinic}/`;
const folderOf = (clinic: number, id: string): string => `${folderOfClinic(clinic)}${id}/`;

const binary = { httpMetadata: { contentType: 'application/octet-stream' } };

/** Store a run of entries, and the lines of the directory about them. A run that is written again takes its place. */
export async function putPart(
  media: R2Bucket,
  { clinic, id, part }: { clinic: number; id: string; part: number },
  bytes: Uint8Array,
  lines: Uint8Array | null,
): Promise<void> {
  if (lines) await media.put(`${folderOf(clinic, id)}lines-${part}`, lines, binary);
  await media.put(`${folderOf(clinic, id)}part-${part}`, bytes, binary);
}

export const getPart = (media: R2Bucket, clinic: number, id: string, part: number): Promise<R2ObjectBody | null> =>
  media.get(`${folderOf(clinic, id)}part-${part}`);

/** The lines of the directory about a part. */
export async function getLines(media: R2Bucket, clinic: number, id: string, part: number): Promise<Uint8Array> {
  const stored = await media.get(`${folderOf(clinic, id)}lines-${part}`);
  if (!stored) throw new Error(`the directory of part ${part} is gone`);
  return new Uint8Array(await stored.arrayBuffer());
}

export const dropArchiveFiles = (media: R2Bucket, clinic: number, id: string): Promise<number> =>
  deletePrefix(media, folderOf(clinic, id));

/** A file that rows name, such as a signature; null: it is not there any more. */
export async function getFile(media: R2Bucket, key: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const stored = await media.get(key);
  return stored && new Uint8Array(await stored.arrayBuffer());
}

/** How many files stand under a prefix. */
export async function countFiles(media: R2Bucket, prefix: string): Promise<number> {
  let [n, cursor] = [0, undefined as string | undefined];
  do {
    const page: R2Objects = await media.list({ prefix, ...(cursor === undefined ? {} : { cursor }) });
    n += page.objects.length;
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return n;
}

const RESTORED = 'restore.json';

/** What a restore that is under way goes by: its manifest, once its signature was found to be ours. */
export async function keepManifest(media: R2Bucket, clinic: number, manifest: unknown): Promise<void> {
  await media.put(`${folderOfClinic(clinic)}${RESTORED}`, JSON.stringify(manifest));
}

/** Null: no archive is being put back into this clinic. */
export async function keptManifest<T>(media: R2Bucket, clinic: number): Promise<T | null> {
  return (await (await media.get(`${folderOfClinic(clinic)}${RESTORED}`))?.json<T>()) ?? null;
}
