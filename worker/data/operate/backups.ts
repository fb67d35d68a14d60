import type { DumpManifest } from '#shared/contracts/operate';

/**
 * The bucket of backups. Its lifecycle ends what lies under the first two prefixes, 35 days and 13 months after it was
 * written; a copied file goes with the file.
 */
const NIGHTLY = 'nightly/';
const MONTHLY = 'monthly/';

const MANIFEST = 'manifest.json';
const DUMP = /^(nightly|monthly)\/(\d{1,15})\/[0-9TZ-]{1,30}\/$/;

/** A folder of its own for a dump that begins `at` (UTC ms); their names sort by time. */
export const folderOf = (clinic: number, at: number, isMonthly: boolean): string =>
  `${isMonthly ? MONTHLY : NIGHTLY}${clinic}/${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}/`;

/** Whether this names the folder of a dump, of this clinic. */
export const isDumpOf = (folder: string, clinic: number): boolean => DUMP.exec(folder)?.[2] === String(clinic);

/** Store a text, packed. */
export async function putPacked(bucket: R2Bucket, key: string, text: string): Promise<void> {
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'));
  const bytes = await new Response(packed).arrayBuffer();
  await bucket.put(key, bytes, { httpMetadata: { contentType: 'application/gzip' } });
}

/** A text that was stored packed; null: it is not there. */
export async function getPacked(bucket: R2Bucket, key: string): Promise<string | null> {
  const stored = await bucket.get(key);
  return stored && new Response(stored.body.pipeThrough(new DecompressionStream('gzip'))).text();
}

export async function putManifest(bucket: R2Bucket, folder: string, manifest: DumpManifest): Promise<void> {
  const text = JSON.stringify(manifest, null, 2);
  await bucket.put(`${folder}${MANIFEST}`, text, { httpMetadata: { contentType: 'application/json' } });
}

/** The manifest of a dump; null: there is none, or it was never finished. */
export async function getManifest(bucket: R2Bucket, folder: string): Promise<DumpManifest | null> {
  const stored = DUMP.test(folder) ? await bucket.get(`${folder}${MANIFEST}`) : null;
  return (await stored?.json<DumpManifest>()) ?? null;
}

/** The folders of a clinic's dumps, oldest first; those that were not finished too. */
export async function listFolders(bucket: R2Bucket, clinic: number): Promise<string[]> {
  const folders: string[] = [];
  for (const kind of [MONTHLY, NIGHTLY]) {
    let cursor: string | undefined;
    do {
      const page: R2Objects = await bucket.list({
        ...{ prefix: `${kind}${clinic}/`, delimiter: '/' },
        ...(cursor === undefined ? {} : { cursor }),
      });
      folders.push(...page.delimitedPrefixes);
      cursor = page.truncated ? page.cursor : undefined;
    } while (cursor !== undefined);
  }
  const time = (folder: string) => folder.slice(folder.indexOf('/') + 1);
  return folders.sort((a, b) => (time(a) < time(b) ? -1 : 1));
}
