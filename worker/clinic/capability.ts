import { Buffer } from 'node:buffer';
import { createHmac, timingSafeEqual } from 'node:crypto';

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
