/**
 * CSV that a spreadsheet opens as what it is: UTF-8 with a byte order mark, every cell quoted, and no text that would be
 * taken for a formula (an apostrophe in front says that it is text).
 */
export const CSV_START = '\u{feff}';

/** What makes a spreadsheet calculate, also in its wide forms. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;

/** An amount of our own writing may begin with a minus and stays a number. */
const AMOUNT = /^-?\d+\.\d\d$/;

export function csvCell(value: string): string {
  const isText = FORMULA.test(value) && !AMOUNT.test(value);
  return `"${(isText ? `'${value}` : value).replaceAll('"', '""')}"`;
}

export const csvLine = (cells: string[]): string => `${cells.map(csvCell).join(',')}\r\n`;
