import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Deps } from '#worker/deps';

/** 96 bits, which is 16 characters. */
const TAG_BYTES = 12;
/** A clinic's number without leading zeros, 160 random bits, tag. */
const SHAPE = /^([1-9a-z][0-9a-z]{0,6})-[\w-]{27}-([\w-]{16})$/;
const LONGEST = 52;
/** An isolate remembers this many capabilities that it found good: a payer's page asks with the same one again and again. */
const REMEMBERED = 1000;

type Ring = { text: string; keys: Buffer[]; clinics: Map<string, number> };
let known: Ring | undefined;

/** A ring `id:base64,…`, its newest key first. The settings of an isolate do not change. */
function opened(text: string): Ring {
  if (known?.text !== text) {
    const keys = text.split(',').map((pair) => Buffer.from(pair.slice(pair.indexOf(':') + 1), 'base64'));
    known = { text, keys, clinics: new Map() };
  }
  return known;
}

/** The keys of a ring, the newest first. */
export const keysOf = (ring: string): Buffer[] => opened(ring).keys;

const tagOf = (key: Buffer | undefined, front: string): Buffer => {
  // An empty key would sign for everyone.
  if (!key?.length) throw new Error('CAPABILITY_KEYS holds no key');
  return createHmac('sha256', key).update(front).digest().subarray(0, TAG_BYTES);
};

/**
 * A secret address that names its clinic: `number36-random-tag`, 46 to 52 characters, safe in an address. `random`: 27
 * characters of base64url. The first key of the ring signs.
 */
export function capabilityOf(ring: string, clinic: number, random: string): string {
  const front = `${clinic.toString(36)}-${random}`;
  const capability = `${front}-${tagOf(keysOf(ring)[0], front).toString('base64url')}`;
  if (!SHAPE.test(capability)) throw new Error('a capability needs the number of a clinic and 27 random characters');
  return capability;
}

/**
 * The clinic's number in a capability that any key of the ring has signed; null for all else. It says that we made it,
 * not that it is still good. Whoever made one up must reach no clinic's object, since each that is reached is there.
 */
export function clinicOf(ring: string, capability: string): number | null {
  if (capability.length > LONGEST) return null;
  const { keys, clinics } = opened(ring);
  const remembered = clinics.get(capability);
  if (remembered) return remembered;
  const [, number = '', tag = ''] = SHAPE.exec(capability) ?? [];
  if (!number) return null;
  const front = capability.slice(0, -tag.length - 1);
  const shown = Buffer.from(tag, 'base64url');
  if (!keys.some((key) => timingSafeEqual(tagOf(key, front), shown))) return null;
  const clinic = Number.parseInt(number, 36);
  if (clinics.size >= REMEMBERED) clinics.clear();
  clinics.set(capability, clinic);
  return clinic;
}

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

/** The deps for what is done for a clinic. */
export const ofClinic = (deps: Deps, clinic: number): Deps => ({
  ...deps,
  clinic,
  db: deps.clinics.db(clinic),
  newCapability: () => capabilityOf(deps.settings.CAPABILITY_KEYS, clinic, deps.newSecret()),
});

/** The deps of the clinic that a capability names. Null: we never made it, and no object is touched. */
export function ofCapability(deps: Deps, capability: string): Deps | null {
  const clinic = clinicOf(deps.settings.CAPABILITY_KEYS, capability);
  return clinic === null ? null : ofClinic(deps, clinic);
}
