import {
  type StoredCard,
  StoredCardCharge,
  type StoredCardChargeBody,
  StoredCardEnded,
  StoredCardsReply,
} from '#shared/contracts/payments/stored-cards';
import { cardName } from '#shared/text/card-name';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api, type ClientError, sendJson } from '../api/api.ts';

/** An open invoice in dollars. `balance` is decimal text. */
export type ChargeableInvoice = { id: string; number: string; balance: string };

export type ChargeProps = {
  /** The CRM's id of the customer. */
  contactId: string;
  /** The invoices that a card may be charged for. Without any, there is no button. */
  invoices: ChargeableInvoice[];
  /** Opens the email with the payment link, as another way to pay. Undefined if no link can be sent. */
  onSendLink?: ((invoiceId: string) => void) | undefined;
  /** Called when the invoices may have changed. */
  onInvoicesChanged(): void;
  /** Called when a card turns out to have ended. */
  onCardsChanged?: () => void;
};

/** A charge that was confirmed. Its key stays the same for all its calls, so that the card is charged once. */
export type ChargeRequest = { card: StoredCard; invoice: ChargeableInvoice; cents: number; key: string };

/** The reply to a charge, or the error that refused it. */
export type ChargeOutcome = { request: ChargeRequest } & ({ charge: StoredCardCharge } | { refusal: ClientError });

const CARDS_PATH = '/api/stored-cards';
const cardApi = (cardId: string): string => `${CARDS_PATH}/${encodeURIComponent(cardId)}`;

const readCards = readWith(StoredCardsReply, ({ cards }) => cards);
const readCharge = readWith(StoredCardCharge);
const readEnded = readWith(StoredCardEnded);

export const fetchStoredCards = (contactId: string) =>
  api.call(`${CARDS_PATH}?contactId=${encodeURIComponent(contactId)}`, readCards);

/** Sends a charge, or reads the outcome of a charge that was sent before. */
export const sendCharge = ({ card, invoice, cents, key }: ChargeRequest) =>
  api.call(
    `${cardApi(card.id)}/charges`,
    readCharge,
    sendJson<StoredCardChargeBody>('POST', { invoiceId: invoice.id, amountCents: cents, key }),
  );

export const removeStoredCard = (cardId: string) => api.call(cardApi(cardId), readEnded, { method: 'DELETE' });

/** Returns for example "Visa 1111". */
export const storedCardName = ({ brand, last4 }: StoredCard): string => cardName({ brand, lastFour: last4 });

/** Returns for example "Visa 1111, expires 12/2027". */
export function describeStoredCard(card: StoredCard): string {
  const [year, month] = card.expiresOn.split('-');
  const expiry = month ? `, ${card.usable ? 'expires' : 'expired'} ${month}/${year}` : '';
  return `${storedCardName(card)}${expiry}`;
}
