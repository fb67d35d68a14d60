/** The addresses of the product that the tests of one file asked for. */
const visited = new Set<string>();

export function noteVisit(url: string): void {
  if (url.startsWith('http')) visited.add(new URL(url).pathname);
}

/** What was noted since the last call. */
export function takeVisits(): string[] {
  const all = [...visited].sort();
  visited.clear();
  return all;
}
