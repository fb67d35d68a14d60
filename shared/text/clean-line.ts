/**
 * Removes the invisible characters of pasted text, which would break mail headers, receipts and lists: direction marks
 * and zero-width characters are dropped, control characters and line separators become spaces.
 */
export const cleanLine = (text: string): string =>
  text
    .replace(/[\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu, '')
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
