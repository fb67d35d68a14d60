/** Half of what one bound value may have, bytes. */
const MOST_BYTES = 1_000_000;

const encoder = new TextEncoder();

/**
 * Rows as JSON for `json_each`, in order: an array, or several where one would be longer than a statement should be given.
 * None for no rows.
 */
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
