import type { Signed } from './port.ts';

/** In both directions (s), against what was recorded earlier. */
const TOLERANCE_S = 5 * 60;
const PREFIX = 'whsec_';

/**
 * Whether a webhook was signed with one of these secrets (`whsec_…`, separated by commas), as Standard Webhooks says. Any
 * match of any secret with any of the signatures counts, so that a secret can be replaced while messages are under way.
 */
export async function isSigned(
  secrets: string,
  { id, timestamp, signature }: Signed,
  body: Uint8Array<ArrayBuffer>,
  now: number,
): Promise<boolean> {
  if (id === '' || id.length > 256 || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const given = signature
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .slice(0, 8)
    .flatMap((one) => decoded(one.slice(3)) ?? []);
  const front = new TextEncoder().encode(`${id}.${timestamp}.`);
  const message = new Uint8Array(front.length + body.length);
  message.set(front);
  message.set(body, front.length);
  for (const secret of secrets.split(',')) {
    const raw = decoded(secret.slice(PREFIX.length));
    if (!raw) continue;
    const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    // The platform compares in constant time.
    for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, message)) return true;
  }
  return false;
}

/** The bytes of a text in base64; null: it is none. */
function decoded(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
}
