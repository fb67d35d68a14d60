import type { StoredCard } from '#worker/data/schema/schema';
import { claimDueCards, recordCardFacts, recordExpiryMail } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { cardMail } from '#worker/domain/mail/card-mails';
import { causeOf } from '#worker/log';
import { deleteAtProvider, endStoredCard } from './end-card.ts';
import { expiryOf, isExpired, nextStepOf } from './expiry.ts';
import { MAX_WAIT_MS } from './provider-card.ts';
import { readCard } from './read-card.ts';

/** A call to the provider that failed is repeated after this time (ms). */
const RETRY_MS = 3_600_000;
const MAX_CARDS = 20;

/**
 * For the schedule: reads new cards at the provider, tells payers that a card expires, ends expired cards, and deletes
 * ended ones at the provider until it has answered.
 */
export async function runDueCards(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const card of await claimDueCards(deps.db, now, now + RETRY_MS, MAX_CARDS)) {
    try {
      await (card.endedAt === null ? stepOf(deps, card) : deleteAtProvider(deps, card));
    } catch (cause) {
      deps.log.info('card-step-failed', { accountId: card.accountId, cardId: card.id, cause: causeOf(cause) });
    }
  }
}

async function stepOf(deps: Deps, storedCard: StoredCard): Promise<void> {
  const now = deps.now();
  // The provider may have updated the expiry.
  const reading = await readCard(deps, storedCard);
  if (reading.kind === 'ended') return;
  if (reading.kind === 'unavailable') {
    if (storedCard.token === '' && now >= storedCard.consentAt + MAX_WAIT_MS)
      await endStoredCard(deps, storedCard, 'deleted_at_provider');
    return;
  }
  const { card } = reading;
  if (isExpired(card.expiresOn, now)) {
    await endStoredCard(deps, card, 'expired');
    return;
  }
  const nextAt = nextStepOf(card);
  const expiry = expiryOf(card.expiresOn);
  if (nextAt === null || nextAt > now || expiry === null) return recordCardFacts(deps.db, card, { nextAt });
  await recordExpiryMail(deps.db, card, { at: now, nextAt: expiry }, await cardMail(deps, card, 'card-expiring'));
}
