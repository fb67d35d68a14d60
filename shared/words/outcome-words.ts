import { operator } from '../operator.ts';
import { bilingual, fill, wordsIn } from './bilingual.ts';
import type { Language } from './language.ts';

/** Texts of payer pages with a single message: paid, expired, at the desk and so on. */
export const stateWords = {
  title: bilingual('Invoice payment', 'Pago de factura'),
  notCharged: bilingual('You have not been charged.', 'No se le ha cobrado nada.'),
  retry: bilingual('Retry', 'Reintentar'),
  checkAgain: bilingual('Check again', 'Verificar de nuevo'),
  viewReceipt: bilingual('View receipt', 'Ver el recibo'),
  passes: bilingual('This usually passes within a minute.', 'Suele resolverse en un minuto.'),

  paid: bilingual('Paid', 'Pagada'),
  alreadyPaid: bilingual(
    'This invoice is already paid. You have not been charged again.',
    'Esta factura ya está pagada. No se le ha cobrado de nuevo.',
  ),

  submitted: bilingual('Payment submitted', 'Pago enviado'),
  bankTakes: bilingual(
    'Your bank takes {least} to {most} days; we email the receipt when it has arrived.',
    'Su banco tarda de {least} a {most} días; le enviaremos el recibo cuando llegue.',
  ),
  notAgain: bilingual('You do not need to pay again.', 'No tiene que pagar otra vez.'),
  payment: bilingual('Payment', 'Pago'),
  sent: bilingual('Sent', 'Enviado'),
  waiting: bilingual('Waiting for the bank', 'Esperando al banco'),
  arrived: bilingual('Paid', 'Pagado'),

  atDesk: bilingual('At the desk', 'En caja'),
  paidAtDesk: bilingual('This invoice is being paid at the desk.', 'Esta factura se está pagando en caja.'),
  whenEnded: bilingual(
    'When that payment has ended, you can open this page again.',
    'Cuando termine ese pago, puede volver a abrir esta página.',
  ),

  cannotConfirm: bilingual('We cannot confirm the amount right now.', 'Ahora no podemos confirmar el monto.'),
  changed: bilingual(
    'The amount due has changed. Please contact the business.',
    'El monto a pagar cambió. Llame al negocio.',
  ),
  cannotShow: bilingual('We cannot show this page right now.', 'Ahora no podemos mostrar esta página.'),
  ifJustPaid: bilingual(
    'If you have just paid, please do not pay again: open this page again to see how it went.',
    'Si acaba de pagar, no pague otra vez: vuelva a abrir esta página para ver el resultado.',
  ),
  cannotTake: bilingual('We cannot take payments right now.', 'Ahora no podemos recibir pagos.'),
  tryLater: bilingual(
    'Please try again later, or ask the business how to pay.',
    'Inténtelo más tarde o pregunte al negocio cómo pagar.',
  ),
  closing: bilingual('{b} no longer takes payments here.', '{b} ya no recibe pagos aquí.'),
  released: bilingual(
    'An earlier payment of this invoice may still go through.',
    'Un pago anterior de esta factura aún puede procesarse.',
  ),
  tomorrow: bilingual('Please try again tomorrow.', 'Inténtelo de nuevo mañana.'),
  paused: bilingual('Online payment is paused.', 'El pago en línea está en pausa.'),
  askOrLater: bilingual(
    'Please ask the business how to pay, or open this link again later.',
    'Pregunte al negocio cómo pagar o vuelva a abrir este enlace más tarde.',
  ),

  expired: bilingual(
    'This payment link has expired. Please ask for a new one.',
    'Este enlace de pago venció. Pida uno nuevo.',
  ),
  withdrawn: bilingual(
    'The business has withdrawn it. A newer link may already be in your email.',
    'El negocio lo ha anulado. Quizá ya tenga uno nuevo en su correo.',
  ),
  notFound: bilingual('No invoice found', 'No se encontró la factura'),
  checkLink: bilingual(
    'Check the link in your email or call the business that sent it.',
    'Revise el enlace de su correo o llame al negocio que lo envió.',
  ),
  nothingToPay: bilingual(
    'This invoice has no amount to pay. Please contact the business.',
    'Esta factura no tiene saldo pendiente. Llame al negocio.',
  ),
  amountUnreadable: bilingual(
    'The amount of this invoice cannot be read, so it cannot be paid online yet.',
    'No se puede leer el monto de esta factura; por eso aún no se puede pagar en línea.',
  ),
  contactBusiness: bilingual('Please contact the business.', 'Llame al negocio.'),
  notOnline: bilingual('This invoice cannot be paid online.', 'Esta factura no se puede pagar en línea.'),
  askHowToPay: bilingual('Please ask the business how to pay it.', 'Pregunte al negocio cómo pagarla.'),

  stopTitle: bilingual('Stop reminders from {b}?', '¿No recibir más recordatorios de {b}?'),
  theBusiness: bilingual('the business', 'el negocio'),
  stopMeans: bilingual(
    'Reminders of open invoices no longer go to your email address. Receipts still do.',
    'No enviaremos más recordatorios de facturas pendientes a su correo. Los recibos sí.',
  ),
  stop: bilingual('Stop reminders', 'No recibir más recordatorios'),
  stopped: bilingual('Stopped', 'Cancelados'),
  noMore: bilingual('You get no more reminders from {b}.', 'No recibirá más recordatorios de {b}.'),
  staysOpen: bilingual(
    'Unpaid invoices are still due. Ask the business if something is not right.',
    'Las facturas pendientes siguen por pagar. Pregunte al negocio si algo no está bien.',
  ),

  voided: bilingual('Voided', 'Anulado'),
  wasVoided: bilingual('Your payment of this invoice was voided.', 'Su pago de esta factura fue anulado.'),
  notTaken: bilingual('Your card is not charged.', 'No se cobrará nada a su tarjeta.'),
  refunded: bilingual('Refunded', 'Reembolsado'),
  wasRefunded: bilingual('Your payment of this invoice was refunded.', 'Su pago de esta factura fue reembolsado.'),
  withinDays: bilingual(
    'It appears on your card statement within a few days.',
    'Aparecerá en el estado de cuenta de su tarjeta en unos días.',
  ),
  reopens: bilingual(
    'If the business asks for the payment again, you can pay on this page.',
    'Si el negocio vuelve a pedir el pago, podrá pagar en esta página.',
  ),
  returned: bilingual('Returned', 'Devuelto'),
  wasReturned: bilingual(
    'Your bank returned the payment of this invoice.',
    'Su banco devolvió el pago de esta factura.',
  ),
  notPaid: bilingual('The invoice is not paid.', 'La factura no está pagada.'),

  amount: bilingual('Amount', 'Monto'),
  paymentDay: bilingual('Payment date', 'Fecha de pago'),
  invoice: bilingual('Invoice', 'Factura'),
  customer: bilingual('Customer', 'Cliente'),
  company: bilingual('Company', 'Empresa'),
};

/** Texts for the outcome of a payment: success, waiting, and the boxes above the form. */
export const outcomeWords = {
  success: bilingual('Payment Successful!', '¡Pago realizado!'),
  thanks: bilingual('Thank you for your payment.', 'Gracias por su pago.'),
  amount: stateWords.amount,
  date: bilingual('Date', 'Fecha'),
  card: bilingual('Card', 'Tarjeta'),
  authCode: bilingual('Authorization code', 'Código de autorización'),
  transactionId: bilingual('Transaction id', 'N.º de transacción'),
  result: bilingual('Result', 'Resultado'),
  none: bilingual('N/A', 'N/D'),
  receiptGoes: bilingual(
    'We email a receipt to the address the business has on file.',
    'Enviaremos un recibo al correo que el negocio tiene registrado.',
  ),
  print: bilingual('Print', 'Imprimir'),
  viewReceipt: stateWords.viewReceipt,
  submitted: stateWords.submitted,
  bankTakes: stateWords.bankTakes,
  paid: stateWords.paid,
  alreadyPaid: stateWords.alreadyPaid,

  payment: stateWords.payment,
  sent: stateWords.sent,
  waiting: stateWords.waiting,
  confirmed: bilingual('Confirmed', 'Confirmado'),
  done: bilingual('done', 'hecho'),
  confirming: bilingual('We are confirming your payment', 'Estamos confirmando su pago'),
  doNotPayAgain: bilingual(
    'Your payment is being confirmed. Please do not pay again.',
    'Su pago se está confirmando. No pague otra vez.',
  ),
  checking: bilingual('Checking since {at}.', 'Desde {at} lo estamos consultando.'),
  takesLonger: bilingual('This takes longer than usual.', 'Está tardando más de lo normal.'),
  takesMinutes: bilingual('This can take about {n} minutes.', 'La consulta puede tardar unos {n} minutos.'),
  offline: bilingual('There is no connection right now.', 'No hay conexión en este momento.'),
  askAgain: bilingual(
    'We keep checking. Please do not pay again.',
    'Lo consultaremos de nuevo automáticamente. No pague otra vez.',
  ),
  updates: bilingual(
    'This page updates automatically. You can close it and come back.',
    'Esta página se actualiza sola. Puede cerrarla y volver.',
  ),

  failed: bilingual('Payment Failed!', 'El pago no se realizó'),
  error: bilingual('There was an error processing your payment.', 'Hubo un error al procesar su pago.'),
  tryOther: bilingual('Try another card, or ask your bank why.', 'Use otra tarjeta o pregunte a su banco el motivo.'),
  support: bilingual('Details for support', 'Datos para soporte'),
  message: bilingual('Error Message', 'Mensaje'),
  code: bilingual('Result Code', 'Código'),
  okay: bilingual('Okay', 'Aceptar'),
  close: bilingual('Close message', 'Cerrar mensaje'),
  notCharged: stateWords.notCharged,
  missing: bilingual('Please fill in all required fields:', 'Complete los campos obligatorios:'),
  attemptAt: bilingual(
    'Your attempt at {at} was not charged. You can pay now.',
    'Su intento de las {at} no se cobró. Ya puede pagar.',
  ),
  attemptOn: bilingual(
    'Your attempt on {at} was not charged. You can pay now.',
    'Su intento del {at} no se cobró. Ya puede pagar.',
  ),
  goToCard: bilingual('Go to card details', 'Ir a los datos de la tarjeta'),
  reload: bilingual('Reload the page', 'Recargar la página'),
  notSeen: bilingual(
    'This payment has not reached us. Please try again. You will not be charged twice.',
    'Este pago no nos ha llegado. Inténtelo de nuevo. No se le cobrará dos veces.',
  ),
  tryAgain: bilingual('Payment failed. Please try again.', 'El pago falló. Inténtelo de nuevo.'),
  onServer: bilingual('Failed to process payment on server.', 'No se pudo procesar el pago.'),
  unexpected: bilingual(
    'Unexpected response from payment system. Please try again.',
    'Respuesta inesperada del sistema de pago. Inténtelo de nuevo.',
  ),
};

/** Returns the sentence about the duration of a bank payment, with the operator's days. */
export function bankTakes(language: Language): string {
  const { least, most } = operator.bankPaymentDays;
  return fill(wordsIn(stateWords, language).bankTakes, { least: String(least), most: String(most) });
}
