/** Letters without a removable accent, as typed on a keyboard that lacks them. */
const LETTERS: Record<string, string> = {
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ø: 'o',
  ŧ: 't',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ẞ: 'ss',
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'giu');

/** Replaces the letters of `LETTERS` with plain ones. The view search_words does the same. */
export const plainLetters = (text: string): string =>
  text.replace(SPECIAL_LETTERS, (letter) => LETTERS[letter.toLowerCase()] ?? letter);

/** Lower case, without accents and with plain letters, for searches: "Ragnheiður Núñez" is "ragnheidur nunez". */
export const foldText = (text: string): string =>
  plainLetters(text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase());

/** True if the text contains each typed word, ignoring case and accents. */
export function containsWords(text: string, query: string): boolean {
  const foldedText = foldText(text);
  return foldText(query)
    .split(/\s+/)
    .filter(Boolean)
    .every((word) => foldedText.includes(word));
}

/**
 * The digits of a text that may be a phone number, without the country code: "+1 317 555 0242" is "3175550242". Null
 * for any other text.
 */
export function phoneDigits(text: string): string | null {
  if (!/^[\d\s().+/-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  const national = /^\s*\+\s*1/.test(text) ? digits.slice(1) : digits;
  return national.length < 7 ? null : national.slice(-10);
}
