import { merchantIds, terminals as seededTerminals } from '#sandbox/credentials';
import type { World } from '#sandbox/world';
import { GatewayProblem } from '../wire.ts';

export type Terminal = {
  terminal_id: string;
  /** Null if the merchant's CRM account is unknown. */
  hub_id: number | null;
  merchant_id: string;
  name: string;
  channel: 'counter' | 'ecommerce';
  public_key: string;
  online: number;
  duplicates: string | null;
};

const COLUMNS = 'terminal_id, nullif(hub_id, 0) AS hub_id, merchant_id, name, channel, public_key, online, duplicates';

export function seedTerminals(world: World) {
  world.store.run('DELETE FROM terminals');
  for (const terminal of seededTerminals) {
    world.store.run(
      'INSERT INTO terminals (terminal_id, hub_id, merchant_id, name, channel, api_key, public_key) VALUES (?, ?, ?, ?, ?, ?, ?)',
      terminal.terminalId,
      terminal.hubId,
      merchantIds[terminal.hubId] ?? '',
      terminal.name,
      terminal.channel,
      terminal.apiKey,
      terminal.publicKey,
    );
  }
}

export const listTerminals = (world: World) =>
  world.store.all<Terminal>(`SELECT ${COLUMNS} FROM terminals ORDER BY terminal_id`);

export const findTerminal = (world: World, terminalId: string) =>
  world.store.get<Terminal>(`SELECT ${COLUMNS} FROM terminals WHERE terminal_id = ?`, terminalId);

export const findTerminalByPublicKey = (world: World, publicKey: string) =>
  world.store.get<Terminal>(`SELECT ${COLUMNS} FROM terminals WHERE public_key = ?`, publicKey);

export const findTerminalByApiKey = (world: World, apiKey: string) =>
  world.store.get<Terminal>(`SELECT ${COLUMNS} FROM terminals WHERE api_key = ?`, apiKey);

/** Finds the terminal of a call, and thus the merchant, by the API key alone. */
export function requireTerminal(world: World, apiKey: string | undefined): Terminal {
  const terminal = apiKey ? findTerminalByApiKey(world, apiKey) : undefined;
  if (!terminal) throw new GatewayProblem(401, '042', 'UNAUTHORIZED');
  return terminal;
}
