import { createHash } from 'node:crypto';

const ROW = /^ {2}'(.+)': (\[[\d, ]+\]),$/gm;

/** The limits in a text, by row name. */
const rowsOf = (text: string): Map<string, string> =>
  new Map([...text.matchAll(ROW)].map(([, name = '', limits = '']) => [name, limits]));

/**
 * The text of tests/ceilings.ts with a row for each measured item and no other, in order. Existing rows keep their
 * limits, because a person decides on those.
 */
export function withMeasured(text: string, printed: string): string {
  const existing = rowsOf(text);
  const rows = [...rowsOf(printed)]
    .map(([name, limits]) => ({ name, limits: existing.get(name) ?? limits }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, limits }) => `  '${name}': ${limits},\n`);
  const from = text.search(ROW);
  const to = text.lastIndexOf('};');
  if (rows.length === 0 || from < 0 || to < from) throw new Error('there are no rows to write, or no place for them');
  return text.slice(0, from) + rows.join('') + text.slice(to);
}

type Entry = { hash: string; owner: string; integrity: string; reason: string };

const INLINE = /<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g;

/** The hashes of the inline scripts of a built page, in the format of its content policy. */
export const inlineHashes = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(INLINE)].map(([, code = '']) => `sha256-${createHash('sha256').update(code).digest('base64')}`),
  ),
];

/** The entries with the hashes of the page. Throws for a script without an entry: a person adds owner and reason. */
export function withHashes(entries: Entry[], hashes: string[]): Entry[] {
  if (entries.length !== hashes.length)
    throw new Error(
      `the pay page has ${hashes.length} inline scripts, docs/script-inventory.json ${entries.length}: add the owner and reason of each`,
    );
  const newHashes = hashes.filter((hash) => entries.every((entry) => entry.hash !== hash));
  return entries.map((entry) =>
    hashes.includes(entry.hash) ? entry : { ...entry, hash: newHashes.shift() ?? entry.hash },
  );
}
