import type { ArticleKind } from '#shared/contracts/content/content';
import { contentLimits } from '#shared/limits';

/** Paths under /blog and /pages that have, or may get, another meaning. */
const RESERVED = new Set(
  'new edit draft drafts preview index shell page pages post posts tag tags feed rss atom sitemap robots api media cms 404'.split(
    ' ',
  ),
);

const LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  '&': ' and ',
};

/** Converts a text to lower-case letters, digits and single hyphens. '' if nothing usable is left. */
export function slugOf(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[ßæœøđðþłı&]/g, (char) => LETTERS[char] ?? '')
    .normalize('NFKD')
    // Characters such as № become capitals only after normalization.
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (plain.length <= contentLimits.slug) return plain;
  const prefix = plain.slice(0, contentLimits.slug + 1);
  const end = prefix.lastIndexOf('-');
  return prefix.slice(0, end > contentLimits.slug / 2 ? end : contentLimits.slug).replace(/-+$/, '');
}

/** Returns the slug of a text, with a suffix if it is reserved. '' if nothing usable is left. */
export function usableSlug(text: string, kind: ArticleKind): string {
  const slug = slugOf(text);
  return RESERVED.has(slug) ? `${slug}-${kind}` : slug;
}
