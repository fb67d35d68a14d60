import { billWords } from './bill-words.ts';
import { both } from './both.ts';

/** What the built page of a receipt says. */
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
  card: both('Card', 'Tarjeta'),
  authCode: both('Authorization code', 'Código de autorización'),
  transactionId: both('Transaction id', 'N.º de transacción'),
  result: both('Result', 'Resultado'),
  fee: both('Fee', 'Comisión'),
  whatWasBought: both('What was bought', 'Conceptos de la factura'),
  money: both('Money', 'Movimientos'),
  total: billWords.total,
  signature: both('Signature', 'Firma'),
  signatureOfPayer: both('Signature of the payer', 'Firma de quien paga'),
  checkAt: both('Check this receipt at {a}', 'Verifique este recibo en {a}'),
};

/** What a receipt says of its payment, on the page, on paper and in the mail. */
export const receiptWords = {
  paidBy: both('Paid by', 'Pagado por'),
  billedAndPaidBy: both('Billed to and paid by', 'Facturado a y pagado por'),
  youPaid: both('You paid', 'Usted pagó'),
  amount: both('Amount', 'Monto'),
  paid: both('Paid', 'Pagado'),
  paidPart: both('You paid {amount} of {base}.', 'Usted pagó {amount} de {base}.'),
  paidLater: both(
    'You paid {amount}, and {paid} of {base} in all.',
    'Usted pagó {amount}, y en total {paid} de {base}.',
  ),
  isLeft: both('{left} is left.', 'Faltan {left}.'),
  isLeftDue: both('{left} is left, due {d}.', 'Faltan {left}; vence el {d}.'),
  wentBack: both(
    '{back} went back to you on {d}. In all you paid {kept}.',
    'Se le devolvieron {back} el {d}. En total pagó {kept}.',
  ),
  wentBackLast: both(
    '{back} went back to you, the last of it on {d}. In all you paid {kept}.',
    'Se le devolvieron {back}, lo último el {d}. En total pagó {kept}.',
  ),
  allWentBack: both('All of it went back to you on {d}.', 'Se le devolvió todo el {d}.'),
  allWentBackLast: both('All of it went back to you, the last of it on {d}.', 'Se le devolvió todo, lo último el {d}.'),
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
  allowDays: both('allow 3 to 5 days', 'espere de 3 a 5 días'),
  cancelledOn: both('Cancelled {d}', 'Cancelado el {d}'),
  returnedOn: both('Returned {d}', 'Devuelto el {d}'),
  leftAfter: both('Paid after refunds', 'Pagado tras reembolsos'),
  charged: both('Charged', 'Cobrado'),
  noFee: both('No fee was added.', 'No se agregó ninguna comisión.'),
  questions: both('Questions? {reach}', '¿Preguntas? {reach}'),
  or: both('or', 'o'),
};
