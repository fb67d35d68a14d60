import type { NewMail } from '#worker/data/mail/outbox';
import type { CardEnding, StoredCard } from '#worker/data/schema/schema';
import {
  cardRefOf,
  endCard,
  findStoredCard,
  listLookAlikeCards,
  recordDeletion,
} from '#worker/data/stored-cards/stored-cards';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { cardMail } from '#worker/domain/mail/card-mails';
import type { Merchant } from '#worker/domain/merchants/session';
import { causeOf } from '#worker/log';

/**
 * Ends a card here, so that nothing can charge it from now on, and then at the provider. If the provider does not
 * answer, the schedule repeats the deletion. False if the card had already ended.
 */
export async function endStoredCard(
  deps: Deps,
  card: StoredCard,
  reason: CardEnding,
  mail?: NewMail,
): Promise<boolean> {
  const event = auditEvent(deps, {
    accountId: card.accountId,
    action: 'card.ended',
    subject: ['stored-card', card.id],
    after: { card: card.brand, contact: card.contactId, reason },
  });
  const hasEnded = await endCard(deps.db, card, { reason, at: deps.now() }, event, mail);
  if (!hasEnded) return false;
  deps.log.info('card-ended', { accountId: card.accountId, cardId: card.id, reason });
  await deleteAtProvider(deps, card);
  return true;
}

/** Deletes an ended card at the provider. Never throws; until it succeeds, the schedule repeats it. */
export async function deleteAtProvider(deps: Deps, card: StoredCard): Promise<void> {
  const { db, gateway, log } = deps;
  const fields = { accountId: card.accountId, cardId: card.id };
  try {
    const ref = cardRefOf(card);
    const [terminal] = await listUsableTerminals(db, card.accountId, card.terminalId);
    if (!ref || !terminal) return;
    const keptCards = (await listLookAlikeCards(db, card)).flatMap((other) => cardRefOf(other) ?? []);
    const outcome = await gateway.deleteStoredCard(terminal, ref, keptCards);
    log.info('card-deletion', { ...fields, outcome });
    // Another terminal may have no access to the card, and then finds none although it exists.
    const isGone = outcome === 'not-found' && terminal.terminalId === card.terminalId;
    if (outcome === 'deleted' || isGone) await recordDeletion(db, card);
  } catch (cause) {
    log.info('card-deletion', { ...fields, outcome: 'failed', cause: causeOf(cause) });
  }
}

/** Ends a customer's card at the request of staff. False if the account has no such card. */
export async function removeCardByStaff(deps: Deps, { accountId }: Merchant, cardId: string): Promise<boolean> {
  const card = await findStoredCard(deps.db, accountId, cardId);
  if (!card) return false;
  await endStoredCard(deps, card, 'removed_by_staff', (await cardMail(deps, card, 'card-removed')) ?? undefined);
  return true;
}
