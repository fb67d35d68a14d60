/** R2 as a map; only what the verbs call. Nothing that is written is read again but by its name. */
export function files(): R2Bucket {
  const kept = new Map<string, Date>();
  const api = {
    put: async (key: string, _value: unknown, { onlyIf }: { onlyIf?: unknown } = {}) => {
      if (onlyIf !== undefined && kept.has(key)) return null;
      kept.set(key, new Date(0));
      return { key };
    },
    head: async (key: string) => (kept.has(key) ? { key } : null),
    get: async () => null,
    list: async () => ({ objects: [], truncated: false }),
    delete: async (keys: string | string[]) => {
      for (const key of [keys].flat()) kept.delete(key);
    },
  };
  return api as unknown as R2Bucket;
}
