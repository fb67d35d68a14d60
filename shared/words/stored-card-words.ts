import { bilingual, fill, wordsIn } from './bilingual.ts';
import type { Language } from './language.ts';

/** Texts of the offer to keep a card. The payer ticks the offer. The consent, which is stored, also has the terms. */
export const keepCardWords = {
  offer: bilingual(
    'Keep this card for later bills of {business}.',
    'Guardar esta tarjeta para futuras facturas de {business}.',
  ),
  terms: bilingual(
    '{business} charges it only for your own bills, and only when you or its staff ask for the payment. You can remove it at any time by the link in each receipt. Changes to these terms are mailed to you first.',
    '{business} solo cobrará con ella facturas a su nombre, y solo cuando usted o el negocio pidan el pago. Puede quitarla en cualquier momento con el enlace de cada recibo. Si cambian estas condiciones, se lo avisaremos antes por correo.',
  ),
};

/** Returns the offer to keep a card in one language, in two parts. */
export function keepCardOffer(language: Language, business: string): { offer: string; terms: string } {
  const words = wordsIn(keepCardWords, language);
  return { offer: fill(words.offer, { business }), terms: fill(words.terms, { business }) };
}

/** Returns all sentences of the offer to keep a card, as they are stored with the payer's consent. */
export function keepCardConsent(language: Language, business: string): string {
  const { offer, terms } = keepCardOffer(language, business);
  return `${offer} ${terms}`;
}

/** Texts of the page on which a payer removes a card. */
export const removeCardWords = {
  title: bilingual('Card on file', 'Tarjeta guardada'),
  keeps: bilingual(
    '{business} keeps this card for later bills.',
    '{business} guarda esta tarjeta para futuras facturas.',
  ),
  expires: bilingual('Expires {month}', 'Vence: {month}'),
  use: bilingual(
    'It is charged only for your own bills, and only when you or the business asks for the payment.',
    'Solo se cobra con ella cuando usted o el negocio piden pagar una factura a su nombre.',
  ),
  remove: bilingual('Remove this card', 'Quitar esta tarjeta'),
  removed: bilingual('This card has been removed.', 'Se quitó esta tarjeta.'),
  notChargedAgain: bilingual('{business} can no longer charge it.', '{business} ya no puede cobrar con ella.'),
  paymentsStay: bilingual('Payments that were already made do not change.', 'Los pagos ya hechos no cambian.'),
  notFound: bilingual('No card found', 'No se encontró la tarjeta'),
};

/** Texts of emails about a stored card, and of its lines on a receipt. */
export const cardMailWords = {
  keeps: removeCardWords.keeps,
  remove: removeCardWords.remove,
  expiresSoon: bilingual(
    'Your card on file at {business} expires soon',
    'Su tarjeta guardada en {business} vence pronto',
  ),
  expiring: bilingual(
    'The card that {business} keeps for later bills, {card}, expires at the end of {month}.',
    'La tarjeta que {business} guarda para futuras facturas, {card}, vence a fines de {month}.',
  ),
  nothingToDo: bilingual(
    'You do not need to do anything: after that, {business} can no longer charge it. To keep a new card, tick the offer when you pay your next bill.',
    'No tiene que hacer nada: después, {business} ya no podrá cobrar con ella. Para guardar otra tarjeta, marque la casilla cuando pague su próxima factura.',
  ),
  wasRemovedAt: bilingual('Card removed at {business}', 'Tarjeta quitada en {business}'),
  wasRemoved: bilingual(
    'The card {card} was removed on {d}. {business} can no longer charge it. Payments that were already made do not change.',
    'La tarjeta {card} se quitó el {d}. {business} ya no puede cobrar con ella. Los pagos ya hechos no cambian.',
  ),
  title: removeCardWords.title,
};
