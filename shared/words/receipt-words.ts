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
  amount: both('Amount', 'Monto'),
  invoice: both('Invoice', 'Factura'),
  billedTo: both('Billed to', 'Facturado a'),
  method: both('Method', 'Forma de pago'),
  card: both('Card', 'Tarjeta'),
  authCode: both('Authorization code', 'Código de autorización'),
  transactionId: both('Transaction id', 'N.º de transacción'),
  result: both('Result', 'Resultado'),
  fee: both('Fee', 'Comisión'),
  whatWasBought: both('What was bought', 'Qué se pagó'),
  total: billWords.total,
  signature: both('Signature', 'Firma'),
  signatureOfPayer: both('Signature of the payer', 'Firma de quien paga'),
  checkAt: both('Check this receipt at {a}', 'Verifique este recibo en {a}'),
};

/** What a receipt says of its payment, on the page, on paper and in the mail. */
export const receiptWords = {
  paidBy: both('Paid by', 'Pagado por'),
  billedAndPaidBy: both('Billed to and paid by', 'Facturado a y pagado por'),
  paid: both('Paid', 'Pagado'),
  partOf: both(
    'Part {n}. Paid so far {paid}; {left} left of {base}.',
    'Parte {n}. Pagado hasta ahora {paid}; faltan {left} de {base}.',
  ),
  submitted: both('Payment submitted', 'Pago enviado'),
  refunded: both('Refunded', 'Reembolsado'),
  partlyRefunded: both('Partly refunded', 'Reembolsado en parte'),
  voided: both('Voided', 'Anulado'),
  returned: both('Returned', 'Devuelto'),
  card: both('Card', 'Tarjeta'),
  bankAccount: both('Bank account', 'Cuenta bancaria'),
  refund: both('Refund', 'Reembolso'),
  refundOn: both('{what} {d}', '{what} del {d}'),
  refunds: both('Refunds', 'Reembolsos'),
  leftAfter: both('Paid after refunds', 'Pagado tras reembolsos'),
  void: both('Void', 'Anulación'),
  charged: both('Charged', 'Cobrado'),
  return: both('Return', 'Devolución'),
};
