import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { World } from '../world.ts';
import type { Application } from './applications.ts';

export type BoardedTerminal = { apiKey: string; publicKey: string; name: string };

const DEVICES = [
  { name: 'Front desk 1', channel: 'counter' },
  { name: 'Front desk 2', channel: 'counter' },
  { name: 'Online payments', channel: 'ecommerce' },
] as const;

const FIRST_ID = 70_201;

/** The merchant's terminals and their keys. The first boarding creates them; later ones return the same. */
export function provisionTerminals(world: World, application: Application): BoardedTerminal[] {
  return world.store.transaction(() => {
    const known = readTerminals(world, application);
    if (known.length > 0) return known;
    for (const device of DEVICES) addTerminal(world, application, device);
    return readTerminals(world, application);
  });
}

const readTerminals = (world: World, application: Application) =>
  world.store
    .all<{ api_key: string; public_key: string; name: string }>(
      'SELECT api_key, public_key, name FROM terminals WHERE merchant_id = ? ORDER BY terminal_id',
      application.merchant_number,
    )
    .map(({ api_key, public_key, name }) => ({ apiKey: api_key, publicKey: public_key, name }));

function addTerminal(world: World, application: Application, device: (typeof DEVICES)[number]) {
  const terminalId = Number(world.store.meta('next-terminal') ?? FIRST_ID);
  world.store.setMeta('next-terminal', String(terminalId + 1));
  const keys = generateKeyPairSync('ec', {
    namedCurve: 'brainpoolP384t1',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  world.store.run(
    'INSERT INTO terminals (terminal_id, hub_id, merchant_id, name, channel, api_key, public_key) VALUES (?, ?, ?, ?, ?, ?, ?)',
    String(terminalId),
    application.hub_id ?? 0,
    application.merchant_number,
    device.name,
    device.channel,
    randomBytes(16).toString('hex'),
    keys.publicKey.toString('hex'),
  );
  // The key that signs webhooks about this terminal's transactions.
  world.store.run(
    'INSERT INTO terminal_keys (terminal_id, private_key) VALUES (?, ?)',
    String(terminalId),
    keys.privateKey.toString('hex'),
  );
}
