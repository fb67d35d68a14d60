import type { StoredCardsReply } from '#shared/contracts/payments/stored-cards';
import type { StoredCard } from '#worker/data/schema/schema';
import { listCardsOfContact } from '#worker/data/stored-cards/stored-cards';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { isExpired } from './expiry.ts';

const hasExpired = ({ endedReason, expiresOn }: StoredCard, now: number) =>
  endedReason === 'expired' || isExpired(expiresOn, now);

/** The cards that a contact keeps at the business: brand, last four digits and expiry, never a token. */
export async function viewStoredCards(
  deps: Deps,
  { accountId }: Merchant,
  contactId: string,
): Promise<StoredCardsReply> {
  const cards = await listCardsOfContact(deps.db, accountId, contactId);
  return {
    cards: cards.map((card) => ({
      id: card.id,
      brand: card.brand,
      last4: card.lastFour,
      expiresOn: card.expiresOn,
      consent: {
        words: card.consentWords,
        language: card.consentLanguage,
        givenAt: new Date(card.consentAt).toISOString(),
      },
      ...(hasExpired(card, deps.now()) ? { usable: false, reason: 'expired' as const } : { usable: true }),
    })),
  };
}
