/** Half of what D1 takes as one bound value, in bytes. */
const MOST_BYTES = 1_000_000;

const encoder = new TextEncoder();

/** Rows as JSON arrays for `json_each`, in order, of 1 MB at most; a longer row stands alone. No rows, no arrays. */
export function jsonParts(rows: readonly unknown[]): string[] {
  const parts: string[][] = [];
  let room = 0;
  for (const row of rows) {
    const json = JSON.stringify(row);
    const bytes = encoder.encode(json).length + 1;
    if (bytes > room || parts.length === 0) {
      parts.push([]);
      room = MOST_BYTES - 1;
    }
    parts.at(-1)?.push(json);
    room -= bytes;
  }
  return parts.map((part) => `[${part.join(',')}]`);
}
