import type { Db } from '../db.ts';

/** The number of rows read at a time. */
export const ROWS_PER_READ = 25;

/** Tables whose rows contain file keys, each with a query for the next rows after a position; `keys` is JSON. */
const CLINIC_QUERIES = {
  payment_attempts: `SELECT rowid AS place, json_array(signature_key) AS keys FROM payment_attempts
WHERE rowid > ?1 AND signature_key IS NOT NULL ORDER BY rowid LIMIT ${ROWS_PER_READ}`,
  // The row stays when its picture is replaced.
  invoice_signatures: `SELECT saved_at AS place, json_array(image_key) AS keys
FROM invoice_signatures INDEXED BY invoice_signatures_saved WHERE saved_at > ?1 ORDER BY saved_at LIMIT ${ROWS_PER_READ}`,
};
const INSTALLATION_QUERIES = {
  media: `SELECT rowid AS place, json_insert((SELECT json_group_array('media/' || (value ->> 'key')) FROM json_each(variants)),
  '$[#]', 'media/' || key) AS keys FROM media WHERE rowid > ?1 ORDER BY rowid LIMIT ${ROWS_PER_READ}`,
};

export type ReferencedFiles = { place: number; keys: (string | null)[] };

export const fileQueriesOf = (database: 'clinic' | 'installation'): Record<string, string> =>
  database === 'clinic' ? CLINIC_QUERIES : INSTALLATION_QUERIES;

/** The files in the next rows of a table. */
export async function listNextFiles({ $client }: Db, query: string, after: number): Promise<ReferencedFiles[]> {
  const { results } = await $client.prepare(query).bind(after).all<{ place: number; keys: string }>();
  return results.map(({ place, keys }) => ({ place, keys: JSON.parse(keys) as (string | null)[] }));
}

/** The key of a file's copy in the backup bucket. */
export const copyKeyOf = (key: string): string => `files/${key}`;

/** The bucket of files; deleting a file also deletes its copy in the backup bucket. */
export const pairedBucket = (files: R2Bucket, backups: R2Bucket): R2Bucket =>
  new Proxy({} as R2Bucket, {
    get(_, name) {
      if (name === 'delete')
        return async (keys: string | string[]) => {
          // Deletes the copy first, so that the file still exists if a deletion fails and the caller tries again.
          await backups.delete([keys].flat().map(copyKeyOf));
          await files.delete(keys);
        };
      const value: unknown = Reflect.get(files, name);
      return typeof value === 'function' ? value.bind(files) : value;
    },
  });

/** Copy a file to the backup bucket, unless it is already there. A file that no longer exists is skipped. */
export async function copyFile(from: R2Bucket, to: R2Bucket, key: string): Promise<void> {
  if (await to.head(copyKeyOf(key))) return;
  const stored = await from.get(key);
  if (stored) await to.put(copyKeyOf(key), await stored.arrayBuffer(), { httpMetadata: stored.httpMetadata ?? {} });
}
