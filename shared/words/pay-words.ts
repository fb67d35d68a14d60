import { payFields } from '../contracts/payment.ts';
import { answersIn } from './answer-words.ts';
import { billWords } from './bill-and-receipt-words.ts';
import { both, wordsIn } from './both.ts';
import type { Language } from './language.ts';
import { bankTakes, outcomeWords } from './outcome-words.ts';
import { resultWords } from './result-words.ts';
import { padWords, signWords } from './sign-words.ts';

/** Texts of the frame around every payer page. */
export const frameWords = {
  via: both('via {operator}', 'a través de {operator}'),
  questions: both('Questions about this bill?', '¿Preguntas sobre esta factura?'),
  terms: both('Terms of Service', 'Términos del servicio (en inglés)'),
  privacy: both('Privacy Policy', 'Política de privacidad (en inglés)'),
  cookiePolicy: both('Cookie Policy', 'Política de cookies (en inglés)'),
};

/** Texts of the bill and the form. */
export const formWords = {
  amountDue: both('Amount due', 'Monto a pagar'),
  amountPaid: both('Amount paid', 'Monto pagado'),
  amount: both('Amount', 'Monto'),
  invoice: both('Invoice', 'Factura'),
  billedTo: both('billed to', 'a nombre de'),
  paid: both('Paid', 'Pagada'),
  payment: both('Payment', 'Pago'),
  questions: frameWords.questions,
  noScript: both(
    'Paying online needs JavaScript. Please turn it on and reload the page, or contact the business: see “Questions about this bill?”.',
    'Para pagar en línea se necesita JavaScript. Actívelo y recargue la página, o llame al negocio: vea «¿Preguntas sobre esta factura?».',
  ),

  cardDetails: both('Card details', 'Datos de la tarjeta'),
  /** In place of the two texts about cards for a payment by bank account. */
  paymentDetails: both('Payment details', 'Datos de pago'),
  brands: both('Cards that are taken', 'Tarjetas que se aceptan'),
  expiry: both(
    'Expiration: month and year, as MM / YY on the card.',
    'Vencimiento: mes y año, como MM / AA en la tarjeta.',
  ),
  payAs: both('You pay as', 'Paga como'),
  onFile: both('Billing address: the one {b} has on file', 'Dirección de facturación: la que {b} tiene registrada'),
  isMine: both('This is my card’s billing address', 'Es la dirección de facturación de mi tarjeta'),
  untold: both(
    'Tick this if it is your card’s billing address, or press Change',
    'Marque la casilla si es la dirección de su tarjeta, o presione Cambiar',
  ),
  isMyBank: both('This is the address of my bank account', 'Es la dirección de mi cuenta bancaria'),
  untoldBank: both(
    'Tick this if it is the address of your bank account, or press Change',
    'Marque la casilla si es la dirección de su cuenta bancaria, o presione Cambiar',
  ),
  change: both('Change', 'Cambiar'),
  details: both('Your details', 'Sus datos'),
  useOnFile: both('Use the address on file', 'Usar la dirección registrada'),
  otherAddress: both(
    'Your bank may know you by another address. Enter the one on your statement.',
    'Quizá su banco tenga otra dirección suya. Escriba la de su estado de cuenta.',
  ),
  incompleteAddress: both(
    'The address on file is not complete. Enter your billing address.',
    'La dirección registrada está incompleta. Escriba su dirección de facturación.',
  ),
  optional: both('(optional)', '(opcional)'),

  pay: both('Pay {amount}', 'Pagar {amount}'),
  processing: both('Processing...', 'Procesando...'),
  slow: both('Still working. Keep this page open.', 'Seguimos trabajando. No cierre esta página.'),
  straight: both(
    'Your card details go straight to {provider}.',
    'Los datos de su tarjeta van directamente a {provider}.',
  ),
  straightBank: both(
    'Your payment details go straight to {provider}.',
    'Sus datos de pago van directamente a {provider}.',
  ),
  neverSees: both('{b} never sees them.', '{b} nunca los ve.'),
};

/** Labels of the form fields. */
export const fieldWords = {
  firstName: both(payFields.firstName, 'Nombre'),
  lastName: both(payFields.lastName, 'Apellido'),
  address: both(payFields.address, 'Dirección'),
  address2: both(payFields.address2, 'Dirección 2'),
  city: both(payFields.city, 'Ciudad'),
  state: both(payFields.state, 'Estado'),
  zip: both(payFields.zip, 'Código postal'),
  signature: both(payFields.signature, 'Firma'),
  onFile: both('Billing address', 'Dirección de facturación'),
};

/** Messages under empty fields. */
export const emptyWords = {
  firstName: both('Enter your first name', 'Escriba su nombre'),
  lastName: both('Enter your last name', 'Escriba su apellido'),
  address: both('Enter your address', 'Escriba su dirección'),
  address2: both('Enter your address2', 'Escriba su dirección 2'),
  city: both('Enter your city', 'Escriba su ciudad'),
  state: both('Enter your state', 'Escriba su estado'),
  zip: both('Enter your zip', 'Escriba su código postal'),
};

/** Texts of the card provider's form: loading, failure and placeholders. */
export const cardWords = {
  loading: both('Loading...', 'Cargando...'),
  failed: both('Failed to load {provider} SDK', 'No se pudo cargar el formulario de {provider}'),
  checkConnection: both('Check your connection, then press Retry.', 'Revise su conexión y presione Reintentar.'),
  retry: both('Retry', 'Reintentar'),
  notReady: both('Payment SDK not initialized', 'El formulario de pago aún no está listo'),
  notStarted: both('Failed to initiate payment process', 'No se pudo iniciar el pago'),
  noToken: both('Payment token generation failed', 'No se pudieron verificar los datos de pago'),
  badResponse: both('Invalid payment response received', 'Respuesta de pago no válida'),
  badToken: both('Invalid payment token received', 'Respuesta de pago no válida'),
  invalid: both('Validation error: {list}', 'Datos no válidos: {list}'),
  cardNumber: both('Card number', 'Número de tarjeta'),
  expDate: both('MM / YY', 'MM / AA'),
  csc: both('CSC', 'CVV'),
  routingNumber: both('Routing number', 'Número de ruta'),
  accountNumber: both('Account number', 'Número de cuenta'),
  accountType: both('Account type', 'Tipo de cuenta'),
  nameOnAccount: both('Name on account', 'Titular de la cuenta'),
};

/** Replaces the messages of the provider's form, which are in English. */
const complaint = both('check the details of your card or account', 'revise los datos de su tarjeta o cuenta');

/** Texts for choosing how much of an invoice to pay now. */
export const partWords = {
  howMuch: both('How much would you like to pay now?', '¿Cuánto desea pagar ahora?'),
  full: both('The full amount', 'El monto completo'),
  rest: both('The rest', 'El resto'),
  deposit: both('Deposit', 'Anticipo'),
  other: both('Another amount', 'Otro monto'),
  least: both('At least {least} now.', 'Al menos {least} ahora.'),
  leaves: both('{left} will be left.', 'Quedarán {left}.'),
  leavesDue: both('{left} will be left, due {d}.', 'Quedarán {left}, con vencimiento el {d}.'),
  enter: both('Enter {least} to {most}.', 'Escriba de {least} a {most}.'),
  only: both(
    'Until tomorrow only {only} can be paid, the amount of the last attempt.',
    'Hasta mañana solo se pueden pagar {only}, el monto del último intento.',
  ),
  stillLeft: both('{left} is left of {base}.', 'Faltan {left} de {base}.'),
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
