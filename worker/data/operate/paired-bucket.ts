/** Where the bucket of backups has its copy of a file. */
export const copyOf = (key: string): string => `files/${key}`;

/** The bucket of files: what is deleted there is deleted with its copy in the bucket of backups. */
export const pairedBucket = (files: R2Bucket, backups: R2Bucket): R2Bucket =>
  new Proxy(files, {
    get(bucket, name) {
      if (name === 'delete')
        return async (keys: string | string[]) => {
          // The copy first: while the file is there, whoever deletes it tries again.
          await backups.delete([keys].flat().map(copyOf));
          await bucket.delete(keys);
        };
      const value: unknown = Reflect.get(bucket, name);
      return typeof value === 'function' ? value.bind(bucket) : value;
    },
  });
