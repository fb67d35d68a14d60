import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { keysOf } from './capability.ts';

const sign = (key: Uint8Array, bytes: Uint8Array): string =>
  createHmac('sha256', key).update('archive 1\n').update(bytes).digest('hex');

/**
 * Signs the end of an archive, which has the hash of each part before it: HMAC by the first key of the ring
 * CAPABILITY_KEYS, 64 hexadecimal digits. Only this installation makes archives and takes them back, so a key that others
 * could check with would be one more to make, keep and lose.
 */
export const archiveSignature = (ring: string, bytes: Uint8Array): string => {
  const [key] = keysOf(ring);
  if (!key?.length) throw new Error('CAPABILITY_KEYS holds no key');
  return sign(key, bytes);
};

/** Whether a key of the ring signed these bytes; the digits are compared as they stand, so that one signature is one text. */
export const isArchiveSignature = (ring: string, bytes: Uint8Array, signature: string): boolean =>
  keysOf(ring).some((key) => {
    const right = Buffer.from(sign(key, bytes));
    const given = Buffer.from(signature);
    return given.length === right.length && timingSafeEqual(given, right);
  });
