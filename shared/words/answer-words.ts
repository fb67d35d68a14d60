import type { ErrorCode } from '../contracts/error.ts';
import { type Bilingual, bilingual, fill, wordsIn } from './bilingual.ts';
import type { Language } from './language.ts';
import { outcomeWords, stateWords } from './outcome-words.ts';

const joinPhrases = ({ en, es }: Bilingual, next: Bilingual): Bilingual => ({
  en: `${en} ${next.en}`,
  es: `${es} ${next.es}`,
});
const { notCharged } = stateWords;

const paymentNotStarted = bilingual(
  'The payment could not be started. Please try again.',
  'No se pudo iniciar el pago. Inténtelo de nuevo.',
);
const closingTextOf = (language: Language, business: string) =>
  fill(wordsIn(stateWords, language).closing, { b: business });
const accountClosing: Bilingual = { en: closingTextOf('en', 'This business'), es: closingTextOf('es', 'Este negocio') };
const paymentRefused = bilingual('The payment was refused.', 'El pago fue rechazado.');

/** Texts for errors of the pay call, by code. The call itself always responds in English. */
const phrasesByCode = {
  'already-paid': stateWords.alreadyPaid,
  'at-the-desk': joinPhrases(stateWords.paidAtDesk, notCharged),
  'amount-changed': bilingual(
    'The amount due has changed. Please reload the page.',
    'El monto cambió. Recargue la página.',
  ),
  'amount-unclear': stateWords.changed,
  'part-refused': bilingual(
    'This amount cannot be paid now. Please reload the page.',
    'Ahora no se puede pagar ese monto. Recargue la página.',
  ),
  'nothing-to-pay': stateWords.nothingToPay,
  'amount-unreadable': joinPhrases(stateWords.amountUnreadable, joinPhrases(notCharged, stateWords.contactBusiness)),
  'not-payable-online': stateWords.notOnline,
  'not-found': stateWords.notFound,
  'link-ended': stateWords.expired,
  'crm-unavailable': joinPhrases(stateWords.cannotConfirm, notCharged),
  'gateway-unavailable': joinPhrases(stateWords.cannotTake, notCharged),
  paused: joinPhrases(
    joinPhrases(stateWords.paused, notCharged),
    bilingual('Please ask the business how to pay.', 'Pregunte al negocio cómo pagar.'),
  ),
  closing: joinPhrases(accountClosing, joinPhrases(notCharged, stateWords.contactBusiness)),
  'token-refused': joinPhrases(
    bilingual(
      'Your card details have expired. Please enter them again.',
      'Los datos de la tarjeta ya no son válidos. Escríbalos otra vez.',
    ),
    notCharged,
  ),
  declined: joinPhrases(paymentRefused, notCharged),
  'too-many': joinPhrases(
    bilingual('Too many attempts. Please contact the business.', 'Demasiados intentos. Llame al negocio.'),
    notCharged,
  ),
  'bad-request': joinPhrases(bilingual('The request could not be read.', 'No se pudo leer la solicitud.'), notCharged),
  'too-large': bilingual('The request is too large.', 'La solicitud es demasiado grande.'),
  pending: outcomeWords.doNotPayAgain,
  'not-started': joinPhrases(paymentNotStarted, notCharged),
  /** Nothing could be stored, so the text does not promise that nothing was charged. */
  internal: paymentNotStarted,
} satisfies Partial<Record<ErrorCode, Bilingual>>;

const cardDeclined = bilingual('Your card was declined.', 'Su tarjeta fue rechazada.');

/** Texts for the gateway's result codes, with the codes that share a text. */
const textsByResultCodes: [codes: string, phrase: Bilingual][] = [
  ['003 004', bilingual('The card has expired.', 'Tarjeta vencida.')],
  ['009 010 026', bilingual('The card number is not valid.', 'Número de tarjeta no válido.')],
  ['012', bilingual('Insufficient funds.', 'Fondos insuficientes.')],
  ['008 014 016', bilingual('This is over the card’s limit.', 'Supera el límite de la tarjeta.')],
  [
    '005 013 015 017 023 033 034',
    bilingual(
      'The bank declined the card. Use another one or call your bank.',
      'El banco rechazó la tarjeta. Use otra o llame a su banco.',
    ),
  ],
  ['007', bilingual('Call your bank.', 'Llame a su banco.')],
  [
    '031 057 058',
    bilingual('The bank did not answer. Try again later.', 'El banco no respondió. Inténtelo más tarde.'),
  ],
  // Does not reveal the mismatch, to prevent card testing.
  ['021 046 047 048', cardDeclined],
];

export type AnswerWords = {
  byCode: Record<string, string>;
  declines: Record<string, string>;
  /** Text for any other code. */
  refused: string;
};

/**
 * Returns the texts by response code, for a page in another language. Null in English, where the message of the
 * response itself is shown.
 */
export function answersIn(language: Language): AnswerWords | null {
  if (language === 'en') return null;
  return {
    byCode: Object.fromEntries(Object.entries(phrasesByCode).map(([code, phrase]) => [code, phrase[language]])),
    declines: Object.fromEntries(
      textsByResultCodes.flatMap(([codes, phrase]) => codes.split(' ').map((code) => [code, phrase[language]])),
    ),
    refused: paymentRefused[language],
  };
}

/** The same texts as a section of the catalogue. */
export const answerWords: Record<string, Bilingual> = {
  ...phrasesByCode,
  ...Object.fromEntries(textsByResultCodes.map(([codes, phrase]) => [codes, phrase])),
};
