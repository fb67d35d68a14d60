/** Bytes as megabytes (10^6) with two decimals. */
export const formatSize = (bytes: number): string => `${(bytes / 1_000_000).toFixed(2)} MB`;
