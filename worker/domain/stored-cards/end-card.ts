import type { NewMail } from '#worker/data/mail/outbox';
import type { Attempt, CardEnding, StoredCard } from '#worker/data/schema/schema';
import { endCard, findStoredCard, listLookAlikeCards, recordDeletion } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { cardMail } from '#worker/domain/mail/card-mails';
import type { Merchant } from '#worker/domain/merchants/session';
import { causeOf } from '#worker/log';
import type { ChargeOutcome, StoredCardRef, TerminalRef } from '#worker/vendors/gateway-port';
import { cardRefOf, MAX_WAIT_MS, refOf, terminalOf } from './provider-card.ts';

type DeletableCard = Pick<StoredCard, 'id' | 'accountId' | 'terminalId' | 'brand' | 'lastFour'>;

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
  const fields = { accountId: card.accountId, cardId: card.id };
  try {
    const terminal = await terminalOf(deps, card);
    if (!terminal) return;
    const ref = await refOf(deps, card, terminal);
    if (ref === 'none' && deps.now() >= card.consentAt + MAX_WAIT_MS) return await recordDeletion(deps.db, card);
    if (typeof ref === 'string') return deps.log.info('card-deletion', { ...fields, outcome: 'no-token' });
    if (await deleteUnkept(deps, card, ref, terminal)) await recordDeletion(deps.db, card);
  } catch (cause) {
    deps.log.info('card-deletion', { ...fields, outcome: 'failed', cause: causeOf(cause) });
  }
}

/**
 * Deletes a card at the provider, unless an open card may have the same token. Every deletion goes through here. True if
 * the card needs no further deletion.
 */
async function deleteUnkept(
  { db, gateway, log }: Deps,
  card: DeletableCard,
  ref: StoredCardRef,
  terminal: TerminalRef,
): Promise<boolean> {
  const fields = { accountId: card.accountId, cardId: card.id };
  const lookAlikes = await listLookAlikeCards(db, card);
  const keptCards = lookAlikes.flatMap((other) => cardRefOf(other) ?? []);
  // The token of one of them is not known yet, and may be the same.
  if (keptCards.length < lookAlikes.length) {
    log.info('card-deletion', { ...fields, outcome: 'waits' });
    return false;
  }
  const outcome = await gateway.deleteStoredCard(terminal, ref, keptCards);
  log.info('card-deletion', { ...fields, outcome });
  // Another terminal may have no access to the card, and then finds none although it exists.
  return outcome === 'deleted' || (outcome === 'not-found' && terminal.terminalId === card.terminalId);
}

/** Deletes the card that the provider stored for a declined payment. Never throws, and is not repeated. */
export async function deleteDeclinedCard(
  deps: Deps,
  attempt: Pick<Attempt, 'id' | 'accountId' | 'terminalId'>,
  { storedCard, txn }: Extract<ChargeOutcome, { kind: 'declined' }>,
): Promise<void> {
  if (!storedCard) return;
  const { id, accountId, terminalId } = attempt;
  const card = { id, accountId, terminalId, brand: txn?.brand ?? '', lastFour: txn?.lastFour ?? '' };
  try {
    const terminal = await terminalOf(deps, card);
    if (terminal) await deleteUnkept(deps, card, storedCard, terminal);
  } catch (cause) {
    deps.log.info('card-deletion', { accountId, cardId: id, outcome: 'failed', cause: causeOf(cause) });
  }
}

/** Ends a customer's card at the request of staff. False if the account has no such card. */
export async function removeCardByStaff(deps: Deps, { accountId }: Merchant, cardId: string): Promise<boolean> {
  const card = await findStoredCard(deps.db, accountId, cardId);
  if (!card) return false;
  await endStoredCard(deps, card, 'removed_by_staff', (await cardMail(deps, card, 'card-removed')) ?? undefined);
  return true;
}
