import {
  type StoredCard,
  StoredCardCharge,
  type StoredCardChargeBody,
  StoredCardEnded,
  StoredCardsReply,
} from '#shared/contracts/payments/stored-cards';
import { cardName } from '#shared/text/card-name';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api, sendJson } from '../api/api.ts';

const CARDS_PATH = '/api/stored-cards';
const cardApi = (cardId: string): string => `${CARDS_PATH}/${encodeURIComponent(cardId)}`;

const readCards = readWith(StoredCardsReply, ({ cards }) => cards);
const readCharge = readWith(StoredCardCharge);
const readEnded = readWith(StoredCardEnded);

export const fetchStoredCards = (contactId: string) =>
  api.call(`${CARDS_PATH}?contactId=${encodeURIComponent(contactId)}`, readCards);
/** Charges a card. A repeated call with the same key charges nothing and returns the same charge. */
export const chargeStoredCard = (cardId: string, body: StoredCardChargeBody) =>
  api.call(`${cardApi(cardId)}/charges`, readCharge, sendJson<StoredCardChargeBody>('POST', body));
export const removeStoredCard = (cardId: string) => api.call(cardApi(cardId), readEnded, { method: 'DELETE' });

/** Returns for example "Visa 1111". */
export const storedCardName = ({ brand, last4 }: StoredCard): string => cardName({ brand, lastFour: last4 });

/** Returns for example "Visa 1111, expires 12/2027". */
export function describeStoredCard(card: StoredCard): string {
  const [year, month] = card.expiresOn.split('-');
  const expiry = month ? `, ${card.usable ? 'expires' : 'expired'} ${month}/${year}` : '';
  return `${storedCardName(card)}${expiry}`;
}
