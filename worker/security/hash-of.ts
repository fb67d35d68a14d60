import { createHash } from 'node:crypto';

/** SHA-256 of a file's parts, in hex; part by part, since a large file is in memory often enough. */
export function hashOf(parts: Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
