import { createHash } from 'node:crypto';

type Entry = { hash: string; owner: string; integrity: string; reason: string };

const INLINE = /<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g;

/** The hashes of the inline scripts of a built page, as its content policy names them. */
export const inlineHashes = (html: string): string[] => [
  ...new Set(
    [...html.matchAll(INLINE)].map(([, code = '']) => `sha256-${createHash('sha256').update(code).digest('base64')}`),
  ),
];

/** The entries with the hashes of the page. Owner and reason are for a person: a script without an entry is refused. */
export function withHashes(entries: Entry[], hashes: string[]): Entry[] {
  if (entries.length !== hashes.length)
    throw new Error(
      `the pay page has ${hashes.length} inline scripts, docs/script-inventory.json ${entries.length}: write owner and reason of each`,
    );
  const fresh = hashes.filter((hash) => entries.every((entry) => entry.hash !== hash));
  return entries.map((entry) =>
    hashes.includes(entry.hash) ? entry : { ...entry, hash: fresh.shift() ?? entry.hash },
  );
}
