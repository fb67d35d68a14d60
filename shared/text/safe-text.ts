/** Removes bidirectional controls from a text that is not ours: after such a name an amount would read backwards. */
export const plainText = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '');

/**
 * CSV that spreadsheets read as plain data: UTF-8 with a byte order mark, every cell quoted, and an apostrophe before
 * any text that would count as a formula.
 */
export const CSV_START = '\u{feff}';

/** Characters that make a spreadsheet calculate, full-width forms included. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** An amount that we wrote may begin with a minus and stays a number. */
const AMOUNT = /^-?\d+\.\d\d$/;

export function csvCell(value: string): string {
  const isText = FORMULA.test(value) && !AMOUNT.test(value);
  return `"${(isText ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export const csvLine = (cells: string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
