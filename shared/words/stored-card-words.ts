import { bilingual, fill, wordsIn } from './bilingual.ts';
import type { Language } from './language.ts';

/** Texts of the offer to keep a card. The consent is stored with the card, in full. */
export const keepCardWords = {
  consent: bilingual(
    'Keep this card for later bills of {business}. {business} charges it only when you or its staff ask for a payment of a bill of yours. You can remove it at any time by the link in each receipt. Changes to these terms are mailed to you first.',
    'Guardar esta tarjeta para futuras facturas de {business}. {business} solo hará un cargo cuando usted o su personal pidan el pago de una factura suya. Puede quitarla en cualquier momento con el enlace de cada recibo. Si cambian estas condiciones, se lo avisaremos antes por correo.',
  ),
};

/** The sentences that a payer ticks to keep a card, in one language. */
export const keepCardConsent = (language: Language, business: string): string =>
  fill(wordsIn(keepCardWords, language).consent, { business });

/** Texts of the page on which a payer removes a card. */
export const removeCardWords = {
  title: bilingual('Card on file', 'Tarjeta guardada'),
  keeps: bilingual(
    '{business} keeps this card for later bills.',
    '{business} guarda esta tarjeta para futuras facturas.',
  ),
  expires: bilingual('Expires {month}', 'Vence en {month}'),
  remove: bilingual('Remove this card', 'Quitar esta tarjeta'),
  removed: bilingual('This card has been removed.', 'Se quitó esta tarjeta.'),
  notChargedAgain: bilingual('{business} can no longer charge it.', '{business} ya no puede hacer cargos en ella.'),
};
