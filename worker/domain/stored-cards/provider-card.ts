import { findAttempt } from '#worker/data/payments/attempts';
import type { StoredCard } from '#worker/data/schema/schema';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { StoredCardRef, type TerminalRef } from '#worker/vendors/gateway-port';

/** A card as the gateway knows it; null while, or since, we have no token of it. */
export const cardRefOf = ({ id, token }: Pick<StoredCard, 'id' | 'token'>): StoredCardRef | null =>
  token === '' ? null : new StoredCardRef(id, token);

/** A card whose token the provider does not report within this time (ms) after the consent has none. */
export const MAX_WAIT_MS = 72 * 3_600_000;

/** The terminal for calls about a card: the one that stored it, or another one of the merchant. */
export const terminalOf = async (
  { db }: Pick<Deps, 'db'>,
  { accountId, terminalId }: Pick<StoredCard, 'accountId' | 'terminalId'>,
): Promise<TerminalRef | undefined> => (await listUsableTerminals(db, accountId, terminalId))[0];

/**
 * A card as the provider keeps it. Without its token, because the response that named it was lost, it is found by the
 * payment that stored it.
 */
export async function refOf(
  { db, gateway }: Deps,
  card: StoredCard,
  terminal: TerminalRef,
): Promise<StoredCardRef | 'none' | 'unavailable'> {
  const ref = cardRefOf(card);
  if (ref) return ref;
  const providerTxnId = (await findAttempt(db, card.id))?.providerTxnId;
  return providerTxnId ? gateway.findStoredCard(terminal, { providerTxnId, cardId: card.id }) : 'none';
}
