import { payFields } from '../contracts/payment.ts';
import { answersIn } from './answer-words.ts';
import { bilingual, wordsIn } from './bilingual.ts';
import { billWords } from './bill-and-receipt-words.ts';
import type { Language } from './language.ts';
import { bankTakes, outcomeWords } from './outcome-words.ts';
import { resultWords } from './result-words.ts';
import { padWords, signWords } from './sign-words.ts';

/** Texts of the frame around every payer page. */
export const frameWords = {
  via: bilingual('via {operator}', 'a través de {operator}'),
  questions: bilingual('Questions about this bill?', '¿Preguntas sobre esta factura?'),
  terms: bilingual('Terms of Service', 'Términos del servicio (en inglés)'),
  privacy: bilingual('Privacy Policy', 'Política de privacidad (en inglés)'),
  cookiePolicy: bilingual('Cookie Policy', 'Política de cookies (en inglés)'),
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
