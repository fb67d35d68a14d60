import { describe, expect, it } from 'vitest';
import { CSV_START, csvCell, csvLine } from './text/safe-text.ts';

describe('a CSV cell', () => {
  it.each([
    '=1+1',
    '+1 317 555',
    '-2+3',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '\n=1',
    '  =1',
    '＝1',
    '=cmd|"/c calc"!A0',
    '-5',
    '+5.00',
  ])('writes %j as text, not as a formula', (value) => {
    expect(csvCell(value)).toBe(`"'${value.replaceAll('"', '""')}"`);
  });

  it.each(['', 'Marta', '184.00', '-184.00', '2026-01-01', 'a=b', "O'Neil"])('leaves %j unchanged', (value) => {
    expect(csvCell(value)).toBe(`"${value}"`);
  });

  it('keeps quotes, commas and line breaks inside the cell', () => {
    expect(csvLine(['a "b", c', 'd\ne', ''])).toBe('"a ""b"", c","d\ne",""\r\n');
  });

  it('starts the file with a UTF-8 byte order mark', () => {
    expect(new TextEncoder().encode(CSV_START)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
  });
});
