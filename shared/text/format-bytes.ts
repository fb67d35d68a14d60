const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "1.9 GB", "25 MB" */
export function formatBytes(bytes: number): string {
  let [size, unit] = [bytes, 0];
  // 999.6 kB would be rounded to 1000 kB.
  for (; size >= (unit === 0 ? 1000 : 999.5) && unit < SIZES.length - 1; unit++) size /= 1000;
  const rounded = unit === 0 || size >= 99.95 ? Math.round(size) : Math.round(size * 10) / 10;
  return `${rounded} ${SIZES[unit]}`;
}
