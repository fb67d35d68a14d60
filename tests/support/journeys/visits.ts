/** The product's paths that the tests of one file requested. */
const visited = new Set<string>();

export function noteVisit(url: string): void {
  if (url.startsWith('http')) visited.add(new URL(url).pathname);
}

/** The paths recorded since the last call, which it clears. */
export function takeVisits(): string[] {
  const all = [...visited].sort();
  visited.clear();
  return all;
}
