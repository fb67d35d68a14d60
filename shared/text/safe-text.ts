/** Removes bidirectional controls from third-party text: after such a name, an amount would be shown backwards. */
export const plainText = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/** Removes invisible characters, such as a zero-width space in a copied email address, and outer spaces. */
export const visibleText = (text: string): string => text.replace(/[\p{Cf}\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim();

/**
 * The start of a CSV file that spreadsheets read as plain data: UTF-8 with a byte order mark, every cell quoted, and an
 * apostrophe before any text that would be a formula.
 */
export const CSV_START = '\u{feff}';

/** Characters that start a formula in a spreadsheet, including full-width forms. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** Our own amounts may start with a minus and remain numbers. */
const AMOUNT = /^-?\d+\.\d\d$/;

export function csvCell(value: string): string {
  const isText = FORMULA.test(value) && !AMOUNT.test(value);
  return `"${(isText ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export const csvLine = (cells: string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
