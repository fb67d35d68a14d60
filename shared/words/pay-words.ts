import type { ErrorCode } from '../contracts/error.ts';
import { payFields } from '../contracts/payment.ts';
import { operator, operatorLegal } from '../operator.ts';
import { type Bilingual, bilingual, fill, wordsIn } from './bilingual.ts';
import { billWords, resultWords } from './bill-and-receipt-words.ts';
import { type Language, languages } from './language.ts';
import { bankTakes, outcomeWords, stateWords } from './outcome-words.ts';
import { padWords, signWords } from './sign-words.ts';

/** Texts of the frame around every payer page. */
export const frameWords = {
  via: bilingual('via {operator}', 'a través de {operator}'),
  questions: bilingual('Questions about this bill?', '¿Preguntas sobre esta factura?'),
  terms: bilingual('Terms of Service', 'Términos del servicio (en inglés)'),
  privacy: bilingual('Privacy Policy', 'Política de privacidad (en inglés)'),
  cookiePolicy: bilingual('Cookie Policy', 'Política de cookies (en inglés)'),
};

/** Summaries of the legal pages for payers, by page. The English text is binding. */
export const legalSummaries: Record<
  Exclude<Language, 'en'>,
  Record<'heading' | 'caveat' | 'cookies' | 'privacy' | 'terms', string>
> = {
  es: {
    heading: 'Resumen en español',
    caveat: 'Este resumen solo ayuda a leer: vale el texto en inglés.',
    cookies:
      'Solo usamos las cookies y el almacenamiento del navegador necesarios para mantener abierta y segura la sesión del personal y recordar que se aceptó esto. Las páginas de pago no usan cookies.',
    privacy:
      'De quien paga guardamos el nombre, la dirección de facturación, la firma, la factura, el monto y la marca y los cuatro últimos números de la tarjeta. El número de la tarjeta o de la cuenta va directamente al proveedor y nunca llega a nuestros servidores. Usamos estos datos para el pago, el recibo, los registros que exige la ley, evitar fraudes y responderle; no para publicidad, y no los vendemos. Puede pedirnos sus datos, que los corrijamos o los borremos, y excluirse de su venta (CCPA). El nombre, la dirección y la firma se borran dos años después del pago.',
    terms: `${operator.name} enlaza el CRM de un negocio con un proveedor de pagos con tarjeta. Al presionar Pagar, usted autoriza el cargo del monto que se muestra a su tarjeta o cuenta bancaria y confirma que puede usarla; su firma se guarda con el pago. No se devuelve el dinero por servicios prestados; si cree que se le cobró por error o dos veces, hable primero con el negocio y después con nosotros. Rigen las leyes del estado de ${operatorLegal.governingLaw}.`,
  },
};

/** Texts of the bill and the form. */
export const formWords = {
  amountDue: bilingual('Amount due', 'Monto a pagar'),
  amountPaid: bilingual('Amount paid', 'Monto pagado'),
  amount: bilingual('Amount', 'Monto'),
  invoice: bilingual('Invoice', 'Factura'),
  billedTo: bilingual('billed to', 'a nombre de'),
  paid: bilingual('Paid', 'Pagada'),
  payment: bilingual('Payment', 'Pago'),
  questions: frameWords.questions,
  noScript: bilingual(
    'Paying online needs JavaScript. Please turn it on and reload the page, or contact the business: see “Questions about this bill?”.',
    'Para pagar en línea se necesita JavaScript. Actívelo y recargue la página, o llame al negocio: vea «¿Preguntas sobre esta factura?».',
  ),

  cardDetails: bilingual('Card details', 'Datos de la tarjeta'),
  /** Replaces `cardDetails` if the payer pays by bank account. */
  paymentDetails: bilingual('Payment details', 'Datos de pago'),
  brands: bilingual('Accepted cards', 'Tarjetas aceptadas'),
  expiry: bilingual(
    'Expiration: month and year, as MM / YY on the card.',
    'Vencimiento: mes y año, como MM / AA en la tarjeta.',
  ),
  payAs: bilingual('You pay as', 'Paga como'),
  onFile: bilingual(
    'Billing address: the one {b} has on file',
    'Dirección de facturación: la que {b} tiene registrada',
  ),
  isCardAddress: bilingual('This is my card’s billing address', 'Es la dirección de facturación de mi tarjeta'),
  cardAddressHint: bilingual(
    'Tick this if it is your card’s billing address, or press Change',
    'Marque la casilla si es la dirección de su tarjeta, o presione Cambiar',
  ),
  isBankAddress: bilingual('This is the address of my bank account', 'Es la dirección de mi cuenta bancaria'),
  bankAddressHint: bilingual(
    'Tick this if it is the address of your bank account, or press Change',
    'Marque la casilla si es la dirección de su cuenta bancaria, o presione Cambiar',
  ),
  change: bilingual('Change', 'Cambiar'),
  details: bilingual('Your details', 'Sus datos'),
  useOnFile: bilingual('Use the address on file', 'Usar la dirección registrada'),
  otherAddress: bilingual(
    'Your bank may know you by another address. Enter the one on your statement.',
    'Quizá su banco tenga otra dirección suya. Escriba la de su estado de cuenta.',
  ),
  incompleteAddress: bilingual(
    'The address on file is not complete. Enter your billing address.',
    'La dirección registrada está incompleta. Escriba su dirección de facturación.',
  ),
  optional: bilingual('(optional)', '(opcional)'),

  pay: bilingual('Pay {amount}', 'Pagar {amount}'),
  processing: bilingual('Processing...', 'Procesando...'),
  slow: bilingual('Still working. Keep this page open.', 'Seguimos trabajando. No cierre esta página.'),
  cardDetailsGoTo: bilingual(
    'Your card details go straight to {provider}.',
    'Los datos de su tarjeta van directamente a {provider}.',
  ),
  bankDetailsGoTo: bilingual(
    'Your payment details go straight to {provider}.',
    'Sus datos de pago van directamente a {provider}.',
  ),
  neverSees: bilingual('{b} never sees them.', '{b} nunca los ve.'),
};

/** Labels of the form fields. */
export const fieldWords = {
  firstName: bilingual(payFields.firstName, 'Nombre'),
  lastName: bilingual(payFields.lastName, 'Apellido'),
  address: bilingual(payFields.address, 'Dirección'),
  address2: bilingual(payFields.address2, 'Dirección 2'),
  city: bilingual(payFields.city, 'Ciudad'),
  state: bilingual(payFields.state, 'Estado'),
  zip: bilingual(payFields.zip, 'Código postal'),
  signature: bilingual(payFields.signature, 'Firma'),
  onFile: bilingual('Billing address', 'Dirección de facturación'),
};

/** Messages under empty fields. */
export const emptyWords = {
  firstName: bilingual('Enter your first name', 'Escriba su nombre'),
  lastName: bilingual('Enter your last name', 'Escriba su apellido'),
  address: bilingual('Enter your address', 'Escriba su dirección'),
  address2: bilingual('Enter your address2', 'Escriba su dirección 2'),
  city: bilingual('Enter your city', 'Escriba su ciudad'),
  state: bilingual('Enter your state', 'Escriba su estado'),
  zip: bilingual('Enter your zip', 'Escriba su código postal'),
};

/** Texts of the card provider's form: loading, failure and placeholders. */
export const cardWords = {
  loading: bilingual('Loading...', 'Cargando...'),
  failed: bilingual('Failed to load {provider} SDK', 'No se pudo cargar el formulario de {provider}'),
  checkConnection: bilingual('Check your connection, then press Retry.', 'Revise su conexión y presione Reintentar.'),
  retry: bilingual('Retry', 'Reintentar'),
  notReady: bilingual('Payment SDK not initialized', 'El formulario de pago aún no está listo'),
  notStarted: bilingual('Failed to initiate payment process', 'No se pudo iniciar el pago'),
  noToken: bilingual('Payment token generation failed', 'No se pudieron verificar los datos de pago'),
  badResponse: bilingual('Invalid payment response received', 'Respuesta de pago no válida'),
  badToken: bilingual('Invalid payment token received', 'Respuesta de pago no válida'),
  invalid: bilingual('Validation error: {list}', 'Datos no válidos: {list}'),
  cardNumber: bilingual('Card number', 'Número de tarjeta'),
  expDate: bilingual('MM / YY', 'MM / AA'),
  csc: bilingual('CSC', 'CVV'),
  routingNumber: bilingual('Routing number', 'Número de ruta'),
  accountNumber: bilingual('Account number', 'Número de cuenta'),
  accountType: bilingual('Account type', 'Tipo de cuenta'),
  nameOnAccount: bilingual('Name on account', 'Titular de la cuenta'),
};

/** Replaces the messages of the provider's form, which are in English. */
const complaint = bilingual('check the details of your card or account', 'revise los datos de su tarjeta o cuenta');

/** Texts for choosing how much of an invoice to pay now. */
export const partWords = {
  howMuch: bilingual('How much would you like to pay now?', '¿Cuánto desea pagar ahora?'),
  full: bilingual('The full amount', 'El monto completo'),
  rest: bilingual('The rest', 'El resto'),
  deposit: bilingual('Deposit', 'Anticipo'),
  other: bilingual('Another amount', 'Otro monto'),
  least: bilingual('At least {least} now.', 'Al menos {least} ahora.'),
  leaves: bilingual('{left} will be left.', 'Quedarán {left}.'),
  leavesDue: bilingual('{left} will be left, due {d}.', 'Quedarán {left}, con vencimiento el {d}.'),
  enter: bilingual('Enter {least} to {most}.', 'Escriba de {least} a {most}.'),
  only: bilingual(
    'Until tomorrow only {only} can be paid, the amount of the last attempt.',
    'Hasta mañana solo se pueden pagar {only}, el monto del último intento.',
  ),
  stillLeft: bilingual('{left} is left of {base}.', 'Faltan {left} de {base}.'),
};

/** Texts of the wallets on the pay page. */
export const walletWords = {
  applePay: bilingual('Pay with Apple Pay', 'Pagar con Apple Pay'),
  or: bilingual('Or enter your card details below', 'O escriba abajo los datos de su tarjeta'),
  unsigned: bilingual('Tick to sign first', 'Primero marque la casilla para firmar'),
  failed: bilingual(
    'Apple Pay could not be opened. Please enter your card details.',
    'No se pudo abrir Apple Pay. Escriba los datos de su tarjeta.',
  ),
  amountChanged: bilingual(
    'You changed the amount while Google Pay was open. Please press its button again.',
    'Cambió el monto mientras Google Pay estaba abierto. Pulse su botón de nuevo.',
  ),
};

const phraseOf = (textIn: (language: Language) => string): Bilingual =>
  Object.fromEntries(languages.map((language) => [language, textIn(language)])) as Bilingual;
const joinPhrases = (first: Bilingual, next: Bilingual): Bilingual =>
  phraseOf((language) => `${first[language]} ${next[language]}`);
const { notCharged } = stateWords;

const notStarted = bilingual(
  'The payment could not be started. Please try again.',
  'No se pudo iniciar el pago. Inténtelo de nuevo.',
);
const thisBusiness = bilingual('This business', 'Este negocio');
const closing = phraseOf((language) => fill(wordsIn(stateWords, language).closing, { b: thisBusiness[language] }));
const refused = bilingual('The payment was refused.', 'El pago fue rechazado.');

/** Texts for errors of the pay call, by code. The call itself always responds in English. */
const byCode = {
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
  closing: joinPhrases(closing, joinPhrases(notCharged, stateWords.contactBusiness)),
  'token-refused': joinPhrases(
    bilingual(
      'Your card details have expired. Please enter them again.',
      'Los datos de la tarjeta ya no son válidos. Escríbalos otra vez.',
    ),
    notCharged,
  ),
  declined: joinPhrases(refused, notCharged),
  'too-many': joinPhrases(
    bilingual('Too many attempts. Please contact the business.', 'Demasiados intentos. Llame al negocio.'),
    notCharged,
  ),
  'bad-request': joinPhrases(bilingual('The request could not be read.', 'No se pudo leer la solicitud.'), notCharged),
  'too-large': bilingual('The request is too large.', 'La solicitud es demasiado grande.'),
  pending: outcomeWords.doNotPayAgain,
  'not-started': joinPhrases(notStarted, notCharged),
  /** Nothing could be stored, so the text does not promise that nothing was charged. */
  internal: notStarted,
} satisfies Partial<Record<ErrorCode, Bilingual>>;

const declined = bilingual('Your card was declined.', 'Su tarjeta fue rechazada.');

/** Texts for the gateway's result codes, with the codes that share a text. */
const declines: [codes: string, phrase: Bilingual][] = [
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
function answersIn(language: Language): AnswerWords | null {
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
export const answerWords: Record<string, Bilingual> = {
  ...byCode,
  ...Object.fromEntries(declines.map(([codes, phrase]) => [codes, phrase])),
};

/** All texts of the pay page in one language. They are in the shell, so that the script contains no texts. */
export const payPageWords = (language: Language) => ({
  language,
  bill: wordsIn(billWords, language),
  form: wordsIn(formWords, language),
  part: wordsIn(partWords, language),
  fields: wordsIn(fieldWords, language),
  empty: wordsIn(emptyWords, language),
  /** `complaint`: null in English, where the provider's own messages are shown. */
  card: { ...wordsIn(cardWords, language), complaint: language === 'en' ? null : complaint[language] },
  pad: wordsIn(padWords, language),
  sign: wordsIn(signWords, language),
  outcome: { ...wordsIn(outcomeWords, language), bankTakes: bankTakes(language) },
  results: wordsIn(resultWords, language) as Record<string, string>,
  answers: answersIn(language),
});

export type PayPageWords = ReturnType<typeof payPageWords>;
