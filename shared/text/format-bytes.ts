const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "1.9 GB", "25 MB" */
export function formatBytes(bytes: number): string {
  let [size, at] = [bytes, 0];
  // 999.6 kB would be rounded to 1000 kB.
  for (; size >= (at === 0 ? 1000 : 999.5) && at < SIZES.length - 1; at++) size /= 1000;
  const shown = at === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${shown} ${SIZES[at]}`;
}
