// Exactly the characters at which the view search_words cuts, and all that the index itself takes for a gap.
const CUTS = /[\s\p{Z}\p{C}_\-.,:;/\\@'’"()[\]<>&+#*|–—]+/u;

/** The index ignores accents, so a word of accents alone would match the beginning of every word. */
const VISIBLE = /[^\p{M}]/u;

/** The words of a search text, cut as the index cuts them. */
export const searchWords = (text: string): string[] => text.split(CUTS).filter((word) => VISIBLE.test(word));

/**
 * MATCH expression: rows of this account that hold each word, the last of which may be a prefix. (As prefixes, all
 * words would be looked up with every continuation: 100,000 numbers that begin alike, to find one.) Words are quoted
 * and a quote cuts words, so the text cannot bring in query syntax.
 */
export function searchMatch(accountId: number, text: string): string {
  const words = searchWords(text).map((word) => `"h${accountId}_${word}"`);
  // No word begins with an underscore, so this finds nothing.
  return words.length === 0 ? `"h${accountId}__"` : `${words.join(' ')}*`;
}
