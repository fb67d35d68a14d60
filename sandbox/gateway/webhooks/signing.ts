import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import type { World } from '#sandbox/world';
import { signingKeys } from './signing-keys.ts';

const read = new Map<string, KeyObject>();

function keyFrom(hex: string): KeyObject {
  const known = read.get(hex);
  if (known) return known;
  const key = createPrivateKey({ key: Buffer.from(hex, 'hex'), format: 'der', type: 'pkcs8' });
  read.set(hex, key);
  return key;
}

/** Hex DER over SHA-384 with the terminal's brainpool key, of exactly the given text; null for an unknown key. */
export function signFor(world: World, terminalId: string, text: string): string | null {
  const hex =
    world.store.get<{ private_key: string }>('SELECT private_key FROM terminal_keys WHERE terminal_id = ?', terminalId)
      ?.private_key ?? signingKeys[terminalId];
  return hex ? sign('sha384', Buffer.from(text), keyFrom(hex)).toString('hex') : null;
}
