import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { plainAddress } from '#shared/text/email-address';
import type { Deps } from '#worker/deps';

/** The length of a tag: 96 bits, or 16 base64url characters. */
const TAG_BYTES = 12;
/** The clinic's number without leading zeros, 160 random bits, and a tag. */
const CAPABILITY_PATTERN = /^([1-9a-z][0-9a-z]{0,6})-[\w-]{27}-([\w-]{16})$/;
const MAX_LENGTH = 52;
/** An isolate caches this many valid capabilities, because a payer's page sends the same one repeatedly. */
const MAX_CACHED = 1000;

type KeyRing = { text: string; keys: Buffer[]; clinics: Map<string, number> };
let cachedRing: KeyRing | undefined;

/** Parses a key ring `id:base64,…`, newest key first. Cached, because the settings of an isolate do not change. */
function parseRing(text: string): KeyRing {
  if (cachedRing?.text !== text) {
    const keys = text.split(',').map((pair) => Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64'));
    cachedRing = { text, keys, clinics: new Map() };
  }
  return cachedRing;
}

/** The keys of a ring, newest first. */
export const keysOf = (ring: string): Buffer[] => parseRing(ring).keys;

const tagOf = (key: Buffer | undefined, payload: string): Buffer => {
  // An empty key would let anyone forge a signature.
  if (!key?.length) throw new Error('CAPABILITY_KEYS holds no key');
  return createHmac('sha256', key).update(payload).digest().subarray(0, TAG_BYTES);
};

/**
 * Creates a capability that contains its clinic's number, as `number36-random-tag` (46 to 52 URL-safe characters).
 * `random`: 27 base64url characters. The first key of the ring signs it.
 */
export function capabilityOf(ring: string, clinic: number, random: string): string {
  const payload = `${clinic.toString(36)}-${random}`;
  const capability = `${payload}-${tagOf(keysOf(ring)[0], payload).toString('base64url')}`;
  if (!CAPABILITY_PATTERN.test(capability))
    throw new Error('a capability needs the number of a clinic and 27 random characters');
  return capability;
}

/**
 * Returns the clinic's number from a capability that any key of the ring has signed, or null. A result proves that we
 * issued the capability, not that it is still valid. A forged capability must not reach an object, because each access
 * creates one.
 */
export function clinicOf(ring: string, capability: string): number | null {
  if (capability.length > MAX_LENGTH) return null;
  const { keys, clinics } = parseRing(ring);
  const cached = clinics.get(capability);
  if (cached) return cached;
  const [, number = '', tag = ''] = CAPABILITY_PATTERN.exec(capability) ?? [];
  if (!number) return null;
  const payload = capability.slice(0, -tag.length - 1);
  const signature = Buffer.from(tag, 'base64url');
  if (!keys.some((key) => timingSafeEqual(tagOf(key, payload), signature))) return null;
  const clinic = Number.parseInt(number, 36);
  if (clinics.size >= MAX_CACHED) clinics.clear();
  clinics.set(capability, clinic);
  return clinic;
}

/**
 * Keyed hashes of an email address, under which the directory finds its clinics. Returns one per key of the ring
 * CAPABILITY_KEYS, newest first, so that rows written with an older key are still found.
 */
export const addressHashes = (ring: string, email: string): string[] =>
  keysOf(ring).map((key) =>
    createHmac('sha256', key)
      .update(`staff ${plainAddress(email)}`)
      .digest('base64url'),
  );

const signArchive = (key: Uint8Array, bytes: Uint8Array): string =>
  createHmac('sha256', key).update('archive 1\n').update(bytes).digest('hex');

/**
 * Signs the end of an archive, which contains the hashes of all earlier parts. The signature is an HMAC with the first
 * key of the ring CAPABILITY_KEYS, as 64 hex digits. A public-key signature would need another key, and only this
 * installation verifies its archives.
 */
export const archiveSignature = (ring: string, bytes: Uint8Array): string => {
  const [key] = keysOf(ring);
  if (!key?.length) throw new Error('CAPABILITY_KEYS holds no key');
  return signArchive(key, bytes);
};

/** True if a key of the ring signed these bytes. The hex digits are compared exactly, so only one spelling is valid. */
export const isArchiveSignature = (ring: string, bytes: Uint8Array, signature: string): boolean =>
  keysOf(ring).some((key) => {
    const expected = Buffer.from(signArchive(key, bytes));
    const actual = Buffer.from(signature);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });

/** Returns dependencies that act for one clinic. */
export const depsOfClinic = (deps: Deps, clinic: number): Deps => ({
  ...deps,
  clinic,
  db: deps.clinics.db(clinic),
  newCapability: () => capabilityOf(deps.settings.CAPABILITY_KEYS, clinic, deps.newSecret()),
});

/**
 * Returns dependencies for the clinic of a capability, or null if we did not issue it. In that case, no object is
 * accessed.
 */
export function depsOfCapability(deps: Deps, capability: string): Deps | null {
  const clinic = clinicOf(deps.settings.CAPABILITY_KEYS, capability);
  return clinic === null ? null : depsOfClinic(deps, clinic);
}
