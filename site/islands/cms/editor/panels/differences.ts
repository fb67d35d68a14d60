/** A paragraph, and whether the other text does not have it. */
export type Part = { text: string; isOnly: boolean };

/** More than this many paragraphs are compared without regard to their order. */
const MOST = 1500;

/** What two texts have in common stays in order; the rest of each is its own. */
export function partsOf(one: readonly string[], other: readonly string[]): [Part[], Part[]] {
  if (one.length > MOST || other.length > MOST) return [unordered(one, other), unordered(other, one)];
  const width = other.length + 1;
  // The longest common sequence of what begins at each pair, from the end backwards.
  const longest = new Uint16Array((one.length + 1) * width);
  const at = (i: number, j: number) => longest[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i--) {
    for (let j = other.length - 1; j >= 0; j--) {
      longest[i * width + j] = one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const left = one.map((text) => ({ text, isOnly: true }));
  const right = other.map((text) => ({ text, isOnly: true }));
  for (let i = 0, j = 0; i < one.length && j < other.length; ) {
    const [mine, theirs] = [left[i], right[j]];
    if (mine && theirs && mine.text === theirs.text) {
      mine.isOnly = false;
      theirs.isOnly = false;
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return [left, right];
}

function unordered(one: readonly string[], other: readonly string[]): Part[] {
  const known = new Set(other);
  return one.map((text) => ({ text, isOnly: !known.has(text) }));
}
