import { expect, it } from 'vitest';
import { jsonParts } from './sql.ts';

const bytes = (text: string) => new TextEncoder().encode(text).length;

it('splits rows into chunks of at most 1 MB, with every row once and in order', () => {
  const rows = Array.from({ length: 2500 }, (_, at) => ({ at, name: 'é"\u0001'.repeat(at % 200) }));
  const parts = jsonParts(rows);
  expect(parts.length).toBeGreaterThan(1);
  expect(Math.max(...parts.map(bytes))).toBeLessThanOrEqual(1_000_000);
  expect(parts.flatMap((part) => JSON.parse(part))).toEqual(rows);
  // The chunks are no smaller than necessary.
  for (const [at, part] of parts.slice(1).entries()) {
    const [first] = JSON.parse(part);
    expect(bytes(parts[at] ?? '') + bytes(JSON.stringify(first)) + 1).toBeGreaterThan(1_000_000);
  }
});

it('returns one chunk for few rows, none for no rows, and a separate one for a longer row', () => {
  expect(jsonParts(['a', 1, null])).toEqual(['["a",1,null]']);
  expect(jsonParts([])).toEqual([]);
  expect(jsonParts(['a', 'x'.repeat(1_500_000), 'b']).map((part) => part.length)).toEqual([5, 1_500_004, 5]);
});
