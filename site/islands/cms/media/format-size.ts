/** Bytes as megabytes with two decimals; what would round to nothing is at least something. */
export const formatSize = (bytes: number): string =>
  `${Math.max(bytes / 1_000_000, bytes > 0 ? 0.01 : 0).toFixed(2)} MB`;
