import type { ErrorCode } from '../contracts/error.ts';
import { type Both, both, fill, wordsIn } from './both.ts';
import type { Language } from './language.ts';
import { outcomeWords, stateWords } from './outcome-words.ts';

const and = ({ en, es }: Both, next: Both): Both => ({ en: `${en} ${next.en}`, es: `${es} ${next.es}` });
const { notCharged } = stateWords;

const notStarted = both(
  'The payment could not be started. Please try again.',
  'No se pudo iniciar el pago. Inténtelo de nuevo.',
);
const ofThisBusiness = (language: Language, business: string) =>
  fill(wordsIn(stateWords, language).closing, { b: business });
const closing: Both = { en: ofThisBusiness('en', 'This business'), es: ofThisBusiness('es', 'Este negocio') };
const refused = both('The payment was refused.', 'El pago fue rechazado.');

/** Texts for errors of the pay call, by code. The call itself always responds in English. */
const byCode = {
  'already-paid': stateWords.alreadyPaid,
  'at-the-desk': and(stateWords.paidAtDesk, notCharged),
  'amount-changed': both('The amount due has changed. Please reload the page.', 'El monto cambió. Recargue la página.'),
  'amount-unclear': stateWords.changed,
  'part-refused': both(
    'This amount cannot be paid now. Please reload the page.',
    'Ahora no se puede pagar ese monto. Recargue la página.',
  ),
  'nothing-to-pay': stateWords.nothingToPay,
  'amount-unreadable': and(stateWords.amountUnreadable, and(notCharged, stateWords.contactBusiness)),
  'not-payable-online': stateWords.notOnline,
  'not-found': stateWords.notFound,
  'link-ended': stateWords.expired,
  'crm-unavailable': and(stateWords.cannotConfirm, notCharged),
  'gateway-unavailable': and(stateWords.cannotTake, notCharged),
  paused: and(
    and(stateWords.paused, notCharged),
    both('Please ask the business how to pay.', 'Pregunte al negocio cómo pagar.'),
  ),
  closing: and(closing, and(notCharged, stateWords.contactBusiness)),
  'token-refused': and(
    both(
      'Your card details have expired. Please enter them again.',
      'Los datos de la tarjeta ya no son válidos. Escríbalos otra vez.',
    ),
    notCharged,
  ),
  declined: and(refused, notCharged),
  'too-many': and(
    both('Too many attempts. Please contact the business.', 'Demasiados intentos. Llame al negocio.'),
    notCharged,
  ),
  'bad-request': and(both('The request could not be read.', 'No se pudo leer la solicitud.'), notCharged),
  'too-large': both('The request is too large.', 'La solicitud es demasiado grande.'),
  pending: outcomeWords.doNotPayAgain,
  'not-started': and(notStarted, notCharged),
  /** Nothing could be stored, so the text does not promise that nothing was charged. */
  internal: notStarted,
} satisfies Partial<Record<ErrorCode, Both>>;

const declined = both('Your card was declined.', 'Su tarjeta fue rechazada.');

/** Texts for the gateway's result codes, with the codes that share a text. */
const declines: [codes: string, phrase: Both][] = [
  ['003 004', both('The card has expired.', 'Tarjeta vencida.')],
  ['009 010 026', both('The card number is not valid.', 'Número de tarjeta no válido.')],
  ['012', both('Insufficient funds.', 'Fondos insuficientes.')],
  ['008 014 016', both('This is over the card’s limit.', 'Supera el límite de la tarjeta.')],
  [
    '005 013 015 017 023 033 034',
    both(
      'The bank declined the card. Use another one or call your bank.',
      'El banco rechazó la tarjeta. Use otra o llame a su banco.',
    ),
  ],
  ['007', both('Call your bank.', 'Llame a su banco.')],
  ['031 057 058', both('The bank did not answer. Try again later.', 'El banco no respondió. Inténtelo más tarde.')],
  // Does not reveal the mismatch, to prevent card testing.
  ['021 046 047 048', declined],
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
    byCode: Object.fromEntries(Object.entries(byCode).map(([code, phrase]) => [code, phrase[language]])),
    declines: Object.fromEntries(
      declines.flatMap(([codes, phrase]) => codes.split(' ').map((code) => [code, phrase[language]])),
    ),
    refused: refused[language],
  };
}

/** The same texts as a section of the catalogue. */
export const answerWords: Record<string, Both> = {
  ...byCode,
  ...Object.fromEntries(declines.map(([codes, phrase]) => [codes, phrase])),
};
