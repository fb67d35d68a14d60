import { resultFrom } from '../text/result-text.ts';
import { bilingual, fill, wordsIn } from './bilingual.ts';
import { type Language, languages } from './language.ts';

/** Texts of the bill, written into the pay page by the Worker and rendered again by its script. Also on receipts. */
export const billWords = {
  title: bilingual('Pay invoice {n} – {b}', 'Pagar la factura {n} – {b}'),
  due: bilingual('Due {d}', 'Vence el {d}'),
  partlyPaid: bilingual('{paid} of {base} is paid{taken}.', 'Ya se pagaron {paid} de {base}{taken}.'),
  /** One of the paid parts. */
  partPaidOn: bilingual(', {amount} on {d}', ', {amount} el {d}'),
  tick: bilingual('I am {name} and sign this payment', 'Soy {name} y firmo este pago'),
  whatIsOn: bilingual('What is on this bill', 'Qué incluye esta factura'),
  items: bilingual('{n} items', '{n} conceptos'),
  oneItem: bilingual('1 item', '1 concepto'),
  pieces: bilingual('x {n}', 'x {n}'),
  /** Invoice-level taxes, fees or discounts. */
  otherCharges: bilingual('Tax, fees, discounts', 'Impuestos, cargos, descuentos'),
  total: bilingual('Total', 'Total'),
  /** Amount already paid at the business. */
  paidBefore: bilingual('Paid before', 'Pagado antes'),
  more: bilingual('and {n} more on the invoice', 'y {n} más en la factura'),
};

/** Returns the sentence that a payer ticks to sign, in each language. */
export const tickSentences = (name: string): string[] =>
  languages.map((language) => fill(wordsIn(billWords, language).tick, { name }));

/** Texts of the built receipt page. */
export const receiptPageWords = {
  title: bilingual('Receipt', 'Recibo'),
  part: bilingual('Part', 'Parte'),
  print: bilingual('Print', 'Imprimir'),
  large: bilingual('Large print', 'Letra grande'),
  copy: bilingual('Copy', 'Copiar'),
  copied: bilingual('Copied', 'Copiado'),
  noCopying: bilingual('Copying is not allowed here', 'Aquí no se puede copiar'),
  invoice: bilingual('Invoice', 'Factura'),
  billedTo: bilingual('Billed to', 'Facturado a'),
  method: bilingual('Method', 'Forma de pago'),
  authCode: bilingual('Authorization code', 'Código de autorización'),
  transactionId: bilingual('Transaction id', 'N.º de transacción'),
  result: bilingual('Result', 'Resultado'),
  fee: bilingual('Fee', 'Comisión'),
  whatWasBought: bilingual('Items', 'Conceptos de la factura'),
  money: bilingual('Money', 'Movimientos'),
  total: billWords.total,
  paidBefore: billWords.paidBefore,
  signature: bilingual('Signature', 'Firma'),
  signatureOfPayer: bilingual('Signature of the payer', 'Firma de quien paga'),
  checkAt: bilingual('Verify this receipt at {a}', 'Verifique este recibo en {a}'),
};

/** Texts about the payment on a receipt, on the page, on paper and in the email. */
export const receiptWords = {
  paidBy: bilingual('Paid by', 'Pagado por'),
  billedAndPaidBy: bilingual('Billed to and paid by', 'Facturado a y pagado por'),
  submittedBy: bilingual('Submitted by', 'Enviado por'),
  billedAndSubmittedBy: bilingual('Billed to and submitted by', 'Facturado a y enviado por'),
  youPaid: bilingual('You paid', 'Usted pagó'),
  amount: bilingual('Amount', 'Monto'),
  paid: bilingual('Paid', 'Pagado'),
  paidPart: bilingual('You paid {amount} of {base}.', 'Usted pagó {amount} de {base}.'),
  paidLater: bilingual(
    'You paid {amount}. In total, {paid} of {base} is paid.',
    'Usted pagó {amount}. En total se han pagado {paid} de {base}.',
  ),
  isLeft: bilingual('{left} is left.', 'Faltan {left}.'),
  isLeftDue: bilingual('{left} is left, due {d}.', 'Faltan {left}, con vencimiento el {d}.'),
  refundedAmountOn: bilingual('{back} was refunded on {d}.', 'Se le devolvieron {back} el {d}.'),
  refundedAmountLastOn: bilingual(
    '{back} was refunded, the last of it on {d}.',
    'Se le devolvieron {back}; la última devolución fue el {d}.',
  ),
  paidInTotal: bilingual('You paid {kept} in total.', 'En total pagó {kept}.'),
  paidOfPart: bilingual('You paid {kept} of this part.', 'De esta parte pagó {kept}.'),
  allRefundedOn: bilingual('All of it was refunded on {d}.', 'Se le devolvió todo el {d}.'),
  allRefundedLastOn: bilingual(
    'All of it was refunded, the last of it on {d}.',
    'Se le devolvió todo; la última devolución fue el {d}.',
  ),
  wasCancelled: bilingual(
    'This payment was cancelled before it left your bank. You were not charged.',
    'Este pago se canceló antes de salir de su banco. No se le cobró nada.',
  ),
  wasReturned: bilingual(
    'Your bank returned this payment, so it did not pay the invoice.',
    'Su banco devolvió este pago, así que no pagó la factura.',
  ),
  submitted: bilingual('Payment submitted', 'Pago enviado'),
  refunded: bilingual('Refunded', 'Reembolsado'),
  partlyRefunded: bilingual('Partly refunded', 'Reembolsado en parte'),
  voided: bilingual('Voided', 'Anulado'),
  returned: bilingual('Returned', 'Devuelto'),
  card: bilingual('Card', 'Tarjeta'),
  bankAccount: bilingual('Bank account', 'Cuenta bancaria'),
  paidOn: bilingual('Paid {d}, {card}', 'Pagado el {d}, {card}'),
  submittedOn: bilingual('Submitted {d}, {card}', 'Enviado el {d}, {card}'),
  refundedOn: bilingual('Refunded {d} to {card}', 'Reembolsado el {d} a {card}'),
  yourCard: bilingual('your card', 'su tarjeta'),
  yourAccount: bilingual('your bank account', 'su cuenta bancaria'),
  allowDays: bilingual('allow 3 to 5 days', 'espere de 3 a 5 días'),
  cancelledOn: bilingual('Cancelled {d}', 'Cancelado el {d}'),
  returnedOn: bilingual('Returned {d}', 'Devuelto el {d}'),
  leftAfter: bilingual('Paid after refunds', 'Pagado tras reembolsos'),
  charged: bilingual('Charged', 'Cobrado'),
  noFee: bilingual('No fee was added.', 'No se agregó ninguna comisión.'),
  unreadFee: bilingual(
    'The card provider reported a fee that could not be read. Your card statement shows what was charged.',
    'El proveedor de tarjetas informó una comisión que no se pudo leer. Su estado de cuenta muestra lo cobrado.',
  ),
  questions: bilingual('Questions? {reach}', '¿Preguntas? {reach}'),
  or: bilingual('or', 'o'),
};

/** Texts for the card provider's results of a payment, by result. */
export const resultWords = {
  APPROVED: bilingual('Approved', 'Aprobado'),
  DECLINED: bilingual('Declined', 'Rechazado'),
  REJECTED: bilingual('Rejected', 'Rechazado'),
  PENDING: bilingual('Pending', 'Pendiente'),
  SETTLING: bilingual('Settling', 'En liquidación'),
  SETTLED: bilingual('Settled', 'Liquidado'),
  RETURNED: bilingual('Returned', 'Devuelto'),
  VOIDED: bilingual('Voided', 'Anulado'),
};

export const resultIn = (language: Language, result: string): string =>
  resultFrom(wordsIn(resultWords, language), result);

/** Texts of emails to payers, except the receipt itself. */
export const mailWords = {
  invoice: bilingual('Invoice', 'Factura'),
  invoiceFrom: bilingual('Invoice from {b}', 'Factura de {b}'),
  invoiceNumberFrom: bilingual('Invoice {n} from {b}', 'Factura {n} de {b}'),
  amountDue: bilingual('Amount due', 'Monto a pagar'),
  due: bilingual('Due', 'Vence'),
  for: bilingual('For', 'Para'),
  payThis: bilingual('Pay this invoice', 'Pagar esta factura'),
  payThisOnline: bilingual('Pay this invoice online:', 'Pagar esta factura en línea:'),
  otherPay: bilingual('English: see and pay this invoice', 'Español: ver y pagar esta factura'),
  verifyByPhone: bilingual(
    'To check that this mail is real, call {b} at the number that you know.',
    'Para verificar que este correo es auténtico, llame a {b} al número que usted conoce.',
  ),
  linkHost: bilingual('The link leads to {h} and nowhere else.', 'El enlace lleva solo a {h}.'),
  noCardNumberRequests: bilingual(
    'Nobody will ask for your card number by mail or phone.',
    'Nadie le pedirá el número de su tarjeta por correo ni por teléfono.',
  ),
  worksUntil: bilingual('The link works until {d}.', 'El enlace funciona hasta el {d}.'),
  sentFor: bilingual('{o} sends this mail for {b}.', '{o} envía este correo en nombre de {b}.'),

  receipt: bilingual('Receipt', 'Recibo'),
  receiptFrom: bilingual('{title} from {b}', '{title} de {b}'),
  receiptFor: bilingual('Receipt for invoice {n} from {b}', 'Recibo de la factura {n} de {b}'),
  newsFor: bilingual('{news} for invoice {n}', '{news} de la factura {n}'),
  refund: bilingual('Refund', 'Reembolso'),
  voidedPayment: bilingual('Voided payment', 'Pago anulado'),
  returnedPayment: bilingual('Returned payment', 'Pago devuelto'),
  amount: receiptWords.amount,
  status: bilingual('Status', 'Estado'),
  date: bilingual('Date', 'Fecha'),
  part: receiptPageWords.part,
  billedTo: receiptPageWords.billedTo,
  method: bilingual('Method', 'Forma de pago'),
  authCode: bilingual('Authorization code', 'Código de autorización'),
  transactionId: bilingual('Transaction id', 'N.º de transacción'),
  result: bilingual('Result', 'Resultado'),
  fee: bilingual('Fee reported by the provider', 'Comisión según el proveedor'),
  total: billWords.total,
  paidBefore: billWords.paidBefore,
  viewReceipt: bilingual('View the receipt', 'Ver el recibo'),
  otherReceipt: bilingual('English: see this receipt', 'Español: ver este recibo'),
  openReceipt: bilingual(
    'To check that this mail is real, open the receipt at {a} or call {b}.',
    'Para verificar que este correo es auténtico, abra el recibo en {a} o llame a {b}.',
  ),
  paid: bilingual('Paid', 'Pagado'),
  payment: bilingual('Payment', 'Pago'),
  recordedByClinic: bilingual('recorded by the clinic', 'registrado por la clínica'),

  reminder: bilingual('Reminder', 'Recordatorio'),
  reminderFrom: bilingual('A reminder from {b}', 'Un recordatorio de {b}'),
  reminderOf: bilingual('A reminder from {b}: invoice {n}', 'Un recordatorio de {b}: factura {n}'),
  hello: bilingual('Hello,', 'Hola:'),
  helloName: bilingual('Hello {name},', 'Hola, {name}:'),
  billNumber: bilingual('Invoice {n}', 'La factura {n}'),
  yourBill: bilingual('Your invoice from {b}', 'Su factura de {b}'),
  isOpen: bilingual('{bill} is open.', '{bill} está pendiente.'),
  isDueOn: bilingual('{bill} is due on {d}.', '{bill} vence el {d}.'),
  isDueToday: bilingual('{bill} is due today, {d}.', '{bill} vence hoy, {d}.'),
  wasDueOn: bilingual('{bill} was due on {d}.', '{bill} venció el {d}.'),
  ifPaid: bilingual(
    'If you have paid it already, thank you: please ignore this email.',
    '¿Ya pagó? Gracias: ignore este correo.',
  ),
  viewAndPay: bilingual('View and pay', 'Ver y pagar'),
  viewAndPayAt: bilingual('View and pay:', 'Ver y pagar:'),
  questions: receiptWords.questions,
  or: receiptWords.or,
  stopReminders: bilingual('Stop reminders from {b}', 'No recibir más recordatorios de {b}'),
};
