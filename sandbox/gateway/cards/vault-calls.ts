import { z } from 'zod';
import type { World } from '#sandbox/world';
import { chargeCard, parseBody, SaleBody } from '../sale.ts';
import type { Terminal } from '../terminals/terminals.ts';
import { type Answer, GatewayProblem, success, validationProblem } from '../wire.ts';
import { isExpired } from './card-tokens.ts';
import {
  changeToken,
  countUse,
  findToken,
  isInReach,
  renderToken,
  type TokenStatus,
  type VaultToken,
} from './vault.ts';

const STATUSES: Record<string, TokenStatus> = { ACTIVE: 'Active', INACTIVE: 'Inactive', DELETED: 'Deleted' };

const TokenBody = z.object({
  status: z
    .string()
    .transform((text) => STATUSES[text.toUpperCase()])
    .pipe(z.enum(['Active', 'Inactive', 'Deleted']))
    .optional(),
  description: z.string().optional(),
  'customer-key': z.string().optional(),
});

const notFound = () => new GatewayProblem(404, '056', 'Token not found');

function requireToken(world: World, terminal: Terminal, tokenId: string): VaultToken {
  const token = findToken(world, tokenId);
  if (!token || !isInReach(world, terminal, token)) throw notFound();
  return token;
}

const tokenAnswer = (token: VaultToken) =>
  success('token', { payloadType: 'token', tokenResponse: renderToken(token) });

/** Returns null for a deleted token if the setting says so. The gateway then responds with 204 and no body. */
export function readToken(world: World, terminal: Terminal, tokenId: string) {
  const token = requireToken(world, terminal, tokenId);
  const { deleted_token } = world.settings(terminal.hub_id);
  if (token.status !== 'Deleted' || deleted_token === 'status') return tokenAnswer(token);
  if (deleted_token === 'not-found') throw notFound();
  return null;
}

/** Changes a token's status or description. The number and the expiry cannot be changed. */
export function updateToken(world: World, terminal: Terminal, tokenId: string, body: unknown) {
  const { status, description } = parseBody(TokenBody, body);
  const token = requireToken(world, terminal, tokenId);
  return tokenAnswer(
    changeToken(world, token, {
      status: status ?? token.status,
      description: description ?? token.description,
    }),
  );
}

/** Deletes a token. A second deletion succeeds too. */
export function deleteToken(world: World, terminal: Terminal, tokenId: string) {
  return tokenAnswer(changeToken(world, requireToken(world, terminal, tokenId), { status: 'Deleted' }));
}

const TokenSaleBody = SaleBody.extend({ card: z.string() });

/** Charges a card that the vault keeps. The sandbox accepts no card number here, so that none reaches the product. */
export function chargeStoredCard(world: World, terminal: Terminal, body: unknown, arrivalSeq: number): Answer {
  const { card, ...input } = parseBody(TokenSaleBody, body);
  return world.store.transaction(() => {
    const { ended_token_sale, token_dedupe } = world.settings(terminal.hub_id);
    const token = findToken(world, card);
    if (!token || !isInReach(world, terminal, token)) throw validationProblem('card: not a known token');
    if (token.status !== 'Active' && ended_token_sale === 'invalid')
      throw validationProblem('card: the token is not active');
    const isRefused = token.status !== 'Active' && ended_token_sale === 'declined';
    const behaviour = isRefused
      ? 'decline-017'
      : isExpired(token.exp_date, world.now())
        ? 'decline-003'
        : token.behaviour;
    const answer = chargeCard(
      world,
      terminal,
      token_dedupe === 'checked' ? input : { ...input, 'check-field': undefined },
      { ...token, behaviour, entryMethod: 'TOKEN' },
      arrivalSeq,
    );
    if (answer.recordedTransaction?.result === 'APPROVED') countUse(world, token);
    return answer;
  });
}
