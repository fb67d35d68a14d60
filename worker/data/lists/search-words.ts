// Exactly the marks that the view search_words cuts at, and whatever the index itself takes for a gap.
const CUTS = /[\s\p{Z}\p{C}_\-.,:;/\\@'’"()[\]<>&+#*|–—]+/u;

/** Accents count for nothing in the index; a word of nothing else would be the beginning of every word. */
const VISIBLE = /[^\p{M}]/u;

/** The words of a search as the index holds them. */
export const searchWords = (text: string): string[] => text.split(CUTS).filter((word) => VISIBLE.test(word));

/**
 * What the index is asked for: rows of this account that hold each of the words, the last of which may be only begun. (Every
 * word so begun would be looked up with all its continuations: a hundred thousand numbers that begin alike, for one of
 * them.) Nothing of the index's own query language can be among the words: they are quoted, and a quote cuts words.
 */
export function searchMatch(accountId: number, text: string): string {
  const words = searchWords(text).map((word) => `"h${accountId}_${word}"`);
  // A word never begins with an underscore, so this finds nothing.
  return words.length === 0 ? `"h${accountId}__"` : `${words.join(' ')}*`;
}
