import { randomInt } from 'node:crypto';
import type { World } from '#sandbox/world';
import type { Terminal } from '../terminals/terminals.ts';
import { omitEmpty, type Transaction } from '../transactions.ts';
import type { CardToken } from './card-tokens.ts';

export type TokenStatus = 'Active' | 'Inactive' | 'Deleted';
/** The account updater's finding about a card. */
export type TokenUpdate = 'UPDATED' | 'CLOSED' | 'CONTACT CARD HOLDER';

/** A card that the provider keeps for a merchant. */
export type VaultToken = {
  token_id: string;
  merchant_id: string;
  terminal_id: string;
  last_four: string;
  card_type: string;
  exp_date: string;
  behaviour: string;
  status: TokenStatus;
  update_status: TokenUpdate | null;
  description: string;
  times_used: number;
  created_ms: number;
  updated_ms: number;
};

export type StorableCard = Pick<CardToken, 'last_four' | 'card_type' | 'exp_date' | 'behaviour'>;

/** Stores the card of a transaction, which then links to the token. */
export function storeCard(
  world: World,
  terminal: Terminal,
  card: StorableCard,
  row: Transaction,
  description: string,
): Transaction {
  const token_id = earlierToken(world, terminal, card) ?? createToken(world, terminal, card, description);
  world.store.run('INSERT INTO transaction_tokens (seq, token_id) VALUES (?, ?)', row.seq, token_id);
  return { ...row, token_id };
}

function earlierToken(world: World, terminal: Terminal, card: StorableCard): string | undefined {
  if (world.settings(terminal.hub_id).token_of_same_card === 'new') return undefined;
  return world.store.get<{ token_id: string }>(
    `SELECT token_id FROM vault_tokens
     WHERE merchant_id = ? AND last_four = ? AND card_type = ? AND exp_date = ? AND status = 'Active'`,
    terminal.merchant_id,
    card.last_four,
    card.card_type,
    card.exp_date,
  )?.token_id;
}

/** A token has 19 digits and ends in the card's last four, as in the vendor's samples. */
function createToken(world: World, terminal: Terminal, card: StorableCard, description: string): string {
  const tokenId = `11000${randomInt(1_000_000_000, 9_999_999_999)}${card.last_four}`;
  const now = world.now();
  world.store.run(
    `INSERT INTO vault_tokens (token_id, merchant_id, terminal_id, last_four, card_type, exp_date, behaviour, status,
       description, created_ms, updated_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, 'Active', ?, ?, ?)`,
    tokenId,
    terminal.merchant_id,
    terminal.terminal_id,
    card.last_four,
    card.card_type,
    card.exp_date,
    card.behaviour,
    description,
    now,
    now,
  );
  return tokenId;
}

export const listTokens = (world: World) =>
  world.store.all<VaultToken>('SELECT * FROM vault_tokens ORDER BY created_ms, token_id');

export const findToken = (world: World, tokenId: string) =>
  world.store.get<VaultToken>('SELECT * FROM vault_tokens WHERE token_id = ?', tokenId);

export type TokenChange = Partial<
  Pick<VaultToken, 'status' | 'description' | 'behaviour' | 'exp_date' | 'last_four' | 'update_status'>
>;

export function changeToken(world: World, token: VaultToken, change: TokenChange): VaultToken {
  const changed = { ...token, ...change, updated_ms: world.now() };
  world.store.run(
    `UPDATE vault_tokens SET status = ?, description = ?, behaviour = ?, exp_date = ?, last_four = ?, update_status = ?,
       updated_ms = ? WHERE token_id = ?`,
    changed.status,
    changed.description,
    changed.behaviour,
    changed.exp_date,
    changed.last_four,
    changed.update_status,
    changed.updated_ms,
    changed.token_id,
  );
  return changed;
}

export const countUse = (world: World, { token_id }: VaultToken) =>
  world.store.run('UPDATE vault_tokens SET times_used = times_used + 1 WHERE token_id = ?', token_id);

/** True if the terminal can see and charge the token. */
export const isInReach = (world: World, terminal: Terminal, token: VaultToken) =>
  token.merchant_id === terminal.merchant_id &&
  (world.settings(terminal.hub_id).token_reach === 'merchant' || token.terminal_id === terminal.terminal_id);

export const renderToken = (token: VaultToken) =>
  omitEmpty({
    'token-id': token.token_id,
    'times-used': String(token.times_used),
    status: token.status,
    created: new Date(token.created_ms).toISOString(),
    updated: new Date(token.updated_ms).toISOString(),
    'exp-date': token.exp_date,
    'last-four-digits': token.last_four,
    'card-type': token.card_type,
    description: token.description,
    'merchant-id': token.merchant_id,
    'token-update-status': token.update_status,
  });
