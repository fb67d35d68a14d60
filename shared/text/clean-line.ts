/**
 * A line without characters that nobody sees and that come along when text is pasted: controls and line separators
 * become spaces, marks that
 * turn the direction or have no width go. They would break mail headers, receipts and lists.
 */
export const cleanLine = (text: string): string =>
  text
    .replace(/[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
