import type { StoredCard } from '#worker/data/schema/schema';
import { recordCardFacts } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { bySystem } from '#worker/domain/audit/event';
import type { StoredCardRef, TerminalRef } from '#worker/vendors/gateway-port';
import { endStoredCard } from './end-card.ts';
import { nextStepOf } from './expiry.ts';
import { refOf, terminalOf } from './provider-card.ts';

export type CardReading =
  | { kind: 'active'; card: StoredCard; ref: StoredCardRef; terminal: TerminalRef }
  /** The provider no longer has the card, so it has ended here too. */
  | { kind: 'ended' }
  | { kind: 'unavailable' };

/**
 * Reads an open card's state at the provider, and records its token and its expiry, which the provider may have updated.
 * If the provider has ended the card, it ends here too, so a removed card never comes back.
 */
export async function readCard(deps: Deps, card: StoredCard): Promise<CardReading> {
  const terminal = await terminalOf(deps, card);
  if (!terminal) return { kind: 'unavailable' };
  const ref = await refOf(deps, card, terminal);
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
