import { createHmac } from 'node:crypto';
import { keysOf } from './capability.ts';

/** One spelling per address. */
const plain = (email: string) => email.trim().normalize('NFC').toLowerCase();

/**
 * Keyed hashes of a person's address, by which the directory knows the clinics that know it: one for each key of the ring
 * CAPABILITY_KEYS, the newest first, so that a new key finds what was written with the one before.
 */
export const addressHashes = (ring: string, email: string): string[] =>
  keysOf(ring).map((key) =>
    createHmac('sha256', key)
      .update(`staff ${plain(email)}`)
      .digest('base64url'),
  );
