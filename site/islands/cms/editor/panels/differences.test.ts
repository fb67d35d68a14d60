import { describe, expect, it } from 'vitest';
import { partsOf } from './differences.ts';

const only = (one: string[], other: string[]) =>
  partsOf(one, other).map((parts) => parts.filter(({ isOnly }) => isOnly).map(({ text }) => text));

describe('two texts', () => {
  it('that are equal have no paragraphs of their own', () => {
    expect(only(['a', 'b', 'b'], ['a', 'b', 'b'])).toEqual([[], []]);
    expect(only([], [])).toEqual([[], []]);
  });

  it('have inserted, removed and changed paragraphs of their own', () => {
    expect(only(['a', 'b', 'c'], ['a', 'x', 'b', 'c', 'd'])).toEqual([[], ['x', 'd']]);
    expect(only(['a', 'b', 'c'], ['a', 'B', 'c'])).toEqual([['b'], ['B']]);
    expect(only(['a', 'b'], [])).toEqual([['a', 'b'], []]);
  });

  it('show a moved paragraph as removed and inserted', () => {
    expect(only(['a', 'b', 'c'], ['c', 'a', 'b'])).toEqual([['c'], ['c']]);
  });

  it('are compared without order when they are very long', () => {
    const long = Array.from({ length: 2000 }, (_, index) => `paragraph ${index}`);
    expect(only([...long, 'mine'], [...long].reverse())).toEqual([['mine'], []]);
  });
});
