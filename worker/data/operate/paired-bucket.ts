/** Where the bucket of backups has its copy of a file. */
export const copyOf = (key: string): string => `files/${key}`;

/** The bucket of files: what is deleted there is deleted with its copy in the bucket of backups. */
export const pairedBucket = (files: R2Bucket, backups: R2Bucket): R2Bucket =>
  new Proxy({} as R2Bucket, {
    get(_, name) {
      if (name === 'delete')
        return async (keys: string | string[]) => {
          // The copy first: while the file is there, whoever deletes it tries again.
          await backups.delete([keys].flat().map(copyOf));
          await files.delete(keys);
        };
      const value: unknown = Reflect.get(files, name);
      return typeof value === 'function' ? value.bind(files) : value;
    },
  });

/** Copy a file beside the dumps, where it is not there yet. One that is gone already needs no copy. */
export async function copyFile(from: R2Bucket, to: R2Bucket, key: string): Promise<void> {
  if (await to.head(copyOf(key))) return;
  const stored = await from.get(key);
  if (stored) await to.put(copyOf(key), await stored.arrayBuffer(), { httpMetadata: stored.httpMetadata ?? {} });
}
