/** R2 as a map of keys with only the calls that the product makes; contents are never read back. */
export function files(): R2Bucket {
  const stored = new Map<string, Date>();
  const api = {
    put: async (key: string, _value: unknown, { onlyIf }: { onlyIf?: unknown } = {}) => {
      if (onlyIf !== undefined && stored.has(key)) return null;
      stored.set(key, new Date(0));
      return { key };
    },
    head: async (key: string) => (stored.has(key) ? { key } : null),
    get: async () => null,
    list: async () => ({ objects: [], truncated: false }),
    delete: async (keys: string | string[]) => {
      for (const key of [keys].flat()) stored.delete(key);
    },
  };
  return api as unknown as R2Bucket;
}
