import { both, fill, wordsIn } from './both.ts';
import { languages } from './language.ts';

/** Texts of the bill, written into the pay page by the Worker and rendered again by its script. Also on receipts. */
export const billWords = {
  title: both('Pay invoice {n} – {b}', 'Pagar la factura {n} – {b}'),
  due: both('Due {d}', 'Vence el {d}'),
  partly: both('{paid} of {base} is paid{taken}.', 'Ya se pagaron {paid} de {base}{taken}.'),
  /** One of the paid parts. */
  takenOn: both(', {amount} on {d}', ', {amount} el {d}'),
  tick: both('I am {name} and sign this payment', 'Soy {name} y firmo este pago'),
  whatIsOn: both('What is on this bill', 'Qué incluye esta factura'),
  items: both('{n} items', '{n} conceptos'),
  oneItem: both('1 item', '1 concepto'),
  pieces: both('x {n}', 'x {n}'),
  /** Invoice-level taxes, fees or discounts. */
  besides: both('Tax, fees, discounts', 'Impuestos, cargos, descuentos'),
  total: both('Total', 'Total'),
  /** Amount already paid at the business. */
  paidBefore: both('Paid before', 'Pagado antes'),
  more: both('and {n} more on the invoice', 'y {n} más en la factura'),
};

/** Returns the sentence that a payer ticks to sign, in each language. */
export const tickSentences = (name: string): string[] =>
  languages.map((language) => fill(wordsIn(billWords, language).tick, { name }));

/** Texts of the built receipt page. */
export const receiptPageWords = {
  title: both('Receipt', 'Recibo'),
  part: both('Part', 'Parte'),
  print: both('Print', 'Imprimir'),
  large: both('Large print', 'Letra grande'),
  copy: both('Copy', 'Copiar'),
  copied: both('Copied', 'Copiado'),
  noCopying: both('Copying is not allowed here', 'Aquí no se puede copiar'),
  invoice: both('Invoice', 'Factura'),
  billedTo: both('Billed to', 'Facturado a'),
  method: both('Method', 'Forma de pago'),
  authCode: both('Authorization code', 'Código de autorización'),
  transactionId: both('Transaction id', 'N.º de transacción'),
  result: both('Result', 'Resultado'),
  fee: both('Fee', 'Comisión'),
  whatWasBought: both('What was bought', 'Conceptos de la factura'),
  money: both('Money', 'Movimientos'),
  total: billWords.total,
  paidBefore: billWords.paidBefore,
  signature: both('Signature', 'Firma'),
  signatureOfPayer: both('Signature of the payer', 'Firma de quien paga'),
  checkAt: both('Check this receipt at {a}', 'Verifique este recibo en {a}'),
};

/** Texts about the payment on a receipt, on the page, on paper and in the email. */
export const receiptWords = {
  paidBy: both('Paid by', 'Pagado por'),
  billedAndPaidBy: both('Billed to and paid by', 'Facturado a y pagado por'),
  submittedBy: both('Submitted by', 'Enviado por'),
  billedAndSubmittedBy: both('Billed to and submitted by', 'Facturado a y enviado por'),
  youPaid: both('You paid', 'Usted pagó'),
  amount: both('Amount', 'Monto'),
  paid: both('Paid', 'Pagado'),
  paidPart: both('You paid {amount} of {base}.', 'Usted pagó {amount} de {base}.'),
  paidLater: both(
    'You paid {amount}, and {paid} of {base} in all.',
    'Usted pagó {amount}, y en total {paid} de {base}.',
  ),
  isLeft: both('{left} is left.', 'Faltan {left}.'),
  isLeftDue: both('{left} is left, due {d}.', 'Faltan {left}, con vencimiento el {d}.'),
  wentBack: both('{back} went back to you on {d}.', 'Se le devolvieron {back} el {d}.'),
  wentBackLast: both(
    '{back} went back to you, the last of it on {d}.',
    'Se le devolvieron {back}; la última devolución fue el {d}.',
  ),
  keptInAll: both('In all you paid {kept}.', 'En total pagó {kept}.'),
  keptOfPart: both('Of this part you paid {kept}.', 'De esta parte pagó {kept}.'),
  allWentBack: both('All of it went back to you on {d}.', 'Se le devolvió todo el {d}.'),
  allWentBackLast: both(
    'All of it went back to you, the last of it on {d}.',
    'Se le devolvió todo; la última devolución fue el {d}.',
  ),
  wasCancelled: both(
    'This payment was cancelled before it left your bank. You were not charged.',
    'Este pago se canceló antes de salir de su banco. No se le cobró nada.',
  ),
  wasReturned: both(
    'Your bank returned this payment, so it did not pay the invoice.',
    'Su banco devolvió este pago, así que no pagó la factura.',
  ),
  submitted: both('Payment submitted', 'Pago enviado'),
  refunded: both('Refunded', 'Reembolsado'),
  partlyRefunded: both('Partly refunded', 'Reembolsado en parte'),
  voided: both('Voided', 'Anulado'),
  returned: both('Returned', 'Devuelto'),
  card: both('Card', 'Tarjeta'),
  bankAccount: both('Bank account', 'Cuenta bancaria'),
  paidOn: both('Paid {d}, {card}', 'Pagado el {d}, {card}'),
  submittedOn: both('Submitted {d}, {card}', 'Enviado el {d}, {card}'),
  refundedOn: both('Refunded {d} to {card}', 'Reembolsado el {d} a {card}'),
  yourCard: both('your card', 'su tarjeta'),
  yourAccount: both('your bank account', 'su cuenta bancaria'),
  allowDays: both('allow 3 to 5 days', 'espere de 3 a 5 días'),
  cancelledOn: both('Cancelled {d}', 'Cancelado el {d}'),
  returnedOn: both('Returned {d}', 'Devuelto el {d}'),
  leftAfter: both('Paid after refunds', 'Pagado tras reembolsos'),
  charged: both('Charged', 'Cobrado'),
  noFee: both('No fee was added.', 'No se agregó ninguna comisión.'),
  unreadFee: both(
    'The card provider reported a fee that could not be read. Your card statement shows what was charged.',
    'El proveedor de tarjetas informó una comisión que no se pudo leer. Su estado de cuenta muestra lo cobrado.',
  ),
  questions: both('Questions? {reach}', '¿Preguntas? {reach}'),
  or: both('or', 'o'),
};
