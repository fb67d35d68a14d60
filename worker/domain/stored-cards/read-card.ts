import { findAttempt } from '#worker/data/payments/attempts';
import type { StoredCard } from '#worker/data/schema/schema';
import { cardRefOf, recordCardFacts } from '#worker/data/stored-cards/stored-cards';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import type { StoredCardRef, TerminalRef } from '#worker/vendors/gateway-port';
import { endStoredCard } from './end-card.ts';
import { nextStepOf } from './expiry.ts';

export type CardReading =
  | { kind: 'active'; card: StoredCard; ref: StoredCardRef; terminal: TerminalRef }
  /** The provider no longer has the card, so it has ended here too. */
  | { kind: 'ended' }
  | { kind: 'unavailable' };

/** The terminal for calls about a card: the one that stored it, or another one of the merchant. */
export const terminalOf = async (
  { db }: Pick<Deps, 'db'>,
  { accountId, terminalId }: Pick<StoredCard, 'accountId' | 'terminalId'>,
): Promise<TerminalRef | undefined> => (await listUsableTerminals(db, accountId, terminalId))[0];

/**
 * Reads an open card's state at the provider, and records its token and its expiry, which the provider may have updated.
 * If the provider has ended the card, it ends here too, so a removed card never comes back.
 */
export async function readCard(deps: Deps, card: StoredCard): Promise<CardReading> {
  const terminal = await terminalOf(deps, card);
  if (!terminal) return { kind: 'unavailable' };
  const ref = cardRefOf(card) ?? (await findRef(deps, card, terminal));
  if (typeof ref === 'string') return { kind: 'unavailable' };
  const state = await deps.gateway.readStoredCard(terminal, ref);
  if (state.kind === 'ended') {
    // Another terminal may not have access to the card.
    if (terminal.terminalId !== card.terminalId) return { kind: 'unavailable' };
    await endStoredCard(bySystem(deps), card, 'deleted_at_provider');
    return { kind: 'ended' };
  }
  if (state.kind === 'unavailable') return state;
  const expiresOn = state.expiresOn || card.expiresOn;
  // A new expiry has its own notice.
  const expiryMailedAt = expiresOn === card.expiresOn ? card.expiryMailedAt : null;
  const facts = { token: ref.sealedToken(), expiresOn, expiryMailedAt };
  const nextAt = nextStepOf(facts);
  await recordCardFacts(deps.db, card, { ...facts, nextAt });
  return { kind: 'active', card: { ...card, ...facts, nextAt }, ref, terminal };
}

/** Finds a card by the payment that stored it, because the response with its token was lost. */
async function findRef(
  { db, gateway }: Deps,
  card: StoredCard,
  terminal: TerminalRef,
): Promise<StoredCardRef | 'none' | 'unavailable'> {
  const providerTxnId = (await findAttempt(db, card.id))?.providerTxnId;
  return providerTxnId ? gateway.findStoredCard(terminal, { providerTxnId, cardId: card.id }) : 'none';
}
