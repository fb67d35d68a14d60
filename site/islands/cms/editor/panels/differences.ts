import { diffArrays } from 'diff';

/** A paragraph, and whether the other text does not have it. */
export type Part = { text: string; isOnly: boolean };

/** Above this many paragraphs, the comparison ignores their order. */
const MOST = 1500;

/** Splits two texts by their longest common sequence of paragraphs; the rest of each is its own. */
export function partsOf(one: readonly string[], other: readonly string[]): [Part[], Part[]] {
  if (one.length > MOST || other.length > MOST) return [unordered(one, other), unordered(other, one)];
  const changes = diffArrays([...one], [...other]);
  const parts = (is: 'removed' | 'added', isNot: 'removed' | 'added'): Part[] =>
    changes
      .filter((change) => !change[isNot])
      .flatMap(({ value, [is]: isOnly }) => value.map((text) => ({ text, isOnly })));
  return [parts('removed', 'added'), parts('added', 'removed')];
}

function unordered(one: readonly string[], other: readonly string[]): Part[] {
  const known = new Set(other);
  return one.map((text) => ({ text, isOnly: !known.has(text) }));
}
