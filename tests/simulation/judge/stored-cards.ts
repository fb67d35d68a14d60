import { bills } from '../world/setting.ts';
import type { Scene } from './scene.ts';

/** Rules of cards on file. A restore may lose the rows of cards, whose tokens then stay at the provider. */

type Rule = (scene: Scene) => string[];

/** K1: the provider stores a card only if its payer ticked the offer. */
const storedByConsent: Rule = ({ truth, attemptOf, requestedAttempts }) =>
  truth.charges.flatMap(({ id, orderId, storedAs }) => {
    const attempt = requestedAttempts.get(orderId ?? '') ?? attemptOf(orderId);
    return storedAs !== null && !attempt?.keep_card_words ? [`K1: charge ${id} stored a card without consent`] : [];
  });

/** K2: a charge with a stored card is claimed before the card ended, and pays an invoice of the card's customer. */
const chargedWhileOpen: Rule = ({ truth, attemptOf, requestedAttempts, storedCards, restoredAt }) =>
  truth.charges.flatMap(({ id, orderId, chargedToken }) => {
    if (chargedToken === null) return [];
    const attempt = requestedAttempts.get(orderId ?? '') ?? attemptOf(orderId);
    if (!attempt) return [`K2: charge ${id} of a stored card has no attempt`];
    const card = storedCards.find((row) => row.id === attempt.stored_card_id);
    if (!card) return restoredAt === null ? [`K2: charge ${id} was made with an unknown card`] : [];
    if (card.ended_at !== null && card.ended_at < attempt.created_at)
      return [`K2: charge ${id} was made with a card that had ended`];
    const { contactId } = bills.find(({ invoiceId }) => invoiceId === attempt.invoice_id) ?? {};
    return card.contact_id === contactId || card.contact_id === MERGED_CONTACT
      ? []
      : [`K2: charge ${id} pays an invoice of another customer`];
  });

/** The contact into which a merge in the CRM moves the invoices of another. */
const MERGED_CONTACT = bills[1]?.contactId;

/** K3: the product deletes no token that an open card still uses. */
const keptWhileOpen: Rule = ({ truth, storedCards, tokenOf, restoredAt }) =>
  storedCards.flatMap((row) => {
    // A restore brings back cards that had ended.
    if (restoredAt !== null || row.ended_at !== null) return [];
    const token = truth.storedCards.find(({ tokenId }) => tokenId === tokenOf(row.id));
    return token?.endedBy === 'product' ? ['K3: the token of an open card on file was deleted'] : [];
  });

export const cardViolations = (scene: Scene): string[] =>
  [storedByConsent, chargedWhileOpen, keptWhileOpen].flatMap((rule) => rule(scene));

/** K4: after days of quiet, the provider has deleted each card that has ended here. */
export const leftTokens: Rule = ({ truth, storedCards, tokenOf, restoredAt, canDeleteCards }) => {
  if (restoredAt !== null || !canDeleteCards) return [];
  const open = new Set(storedCards.filter(({ ended_at }) => ended_at === null).map(({ id }) => tokenOf(id)));
  return storedCards.flatMap(({ id, ended_at }) => {
    const token = truth.storedCards.find(({ tokenId }) => tokenId === tokenOf(id));
    return ended_at !== null && token?.status === 'Active' && !open.has(token.tokenId)
      ? ['K4: a card that has ended is still stored at the provider']
      : [];
  });
};
