import { operator } from '../operator.ts';
import { both, fill, wordsIn } from './both.ts';
import type { Language } from './language.ts';

/** Texts of payer pages with a single message: paid, expired, at the desk and so on. */
export const stateWords = {
  title: both('Invoice payment', 'Pago de factura'),
  notCharged: both('You have not been charged.', 'No se le ha cobrado nada.'),
  retry: both('Retry', 'Reintentar'),
  checkAgain: both('Check again', 'Verificar de nuevo'),
  viewReceipt: both('View receipt', 'Ver el recibo'),
  passes: both('This usually passes within a minute.', 'Suele resolverse en un minuto.'),

  paid: both('Paid', 'Pagada'),
  alreadyPaid: both(
    'This invoice is already paid. You have not been charged again.',
    'Esta factura ya está pagada. No se le ha cobrado de nuevo.',
  ),
  paidOn: both('It was paid on {d}.', 'Se pagó el {d}.'),

  submitted: both('Payment submitted', 'Pago enviado'),
  bankTakes: both(
    'Your bank takes {least} to {most} days; we email the receipt when it has arrived.',
    'Su banco tarda de {least} a {most} días; le enviaremos el recibo cuando llegue.',
  ),
  notAgain: both('You do not need to pay again.', 'No tiene que pagar otra vez.'),
  payment: both('Payment', 'Pago'),
  sent: both('Sent', 'Enviado'),
  waiting: both('Waiting for the bank', 'Esperando al banco'),
  arrived: both('Paid', 'Pagado'),

  atDesk: both('At the desk', 'En caja'),
  paidAtDesk: both('This invoice is being paid at the desk.', 'Esta factura se está pagando en caja.'),
  whenEnded: both(
    'When that payment has ended, you can open this page again.',
    'Cuando termine ese pago, puede volver a abrir esta página.',
  ),

  cannotConfirm: both('We cannot confirm the amount right now.', 'Ahora no podemos confirmar el monto.'),
  changed: both(
    'The amount due has changed. Please contact the business.',
    'El monto a pagar cambió. Llame al negocio.',
  ),
  cannotShow: both('We cannot show this page right now.', 'Ahora no podemos mostrar esta página.'),
  ifJustPaid: both(
    'If you have just paid, please do not pay again: open this page again to see how it went.',
    'Si acaba de pagar, no pague otra vez: vuelva a abrir esta página para ver el resultado.',
  ),
  cannotTake: both('We cannot take payments right now.', 'Ahora no podemos recibir pagos.'),
  tryLater: both(
    'Please try again later, or ask the business how to pay.',
    'Inténtelo más tarde o pregunte al negocio cómo pagar.',
  ),
  closing: both('{b} no longer takes payments here.', '{b} ya no recibe pagos aquí.'),
  released: both(
    'An earlier payment of this invoice may still arrive.',
    'Un pago anterior de esta factura aún puede llegar.',
  ),
  tomorrow: both('Please try again tomorrow.', 'Inténtelo de nuevo mañana.'),
  paused: both('Online payment is paused.', 'El pago en línea está en pausa.'),
  askOrLater: both(
    'Please ask the business how to pay, or open this link again later.',
    'Pregunte al negocio cómo pagar o vuelva a abrir este enlace más tarde.',
  ),

  expired: both(
    'This payment link has expired. Please ask for a new one.',
    'Este enlace de pago venció. Pida uno nuevo.',
  ),
  withdrawn: both(
    'The business has withdrawn it. A newer link may already be in your email.',
    'El negocio lo ha anulado. Quizá ya tenga uno nuevo en su correo.',
  ),
  notFound: both('No invoice found', 'No se encontró la factura'),
  checkLink: both(
    'Check the link in your email or call the business that sent it.',
    'Revise el enlace de su correo o llame al negocio que lo envió.',
  ),
  nothingToPay: both(
    'This invoice has no amount to pay. Please contact the business.',
    'Esta factura no tiene saldo pendiente. Llame al negocio.',
  ),
  amountUnreadable: both(
    'The amount of this invoice cannot be read, so it cannot be paid online yet.',
    'No se puede leer el monto de esta factura; por eso aún no se puede pagar en línea.',
  ),
  contactBusiness: both('Please contact the business.', 'Llame al negocio.'),
  notOnline: both('This invoice cannot be paid online.', 'Esta factura no se puede pagar en línea.'),
  askHowToPay: both('Please ask the business how to pay it.', 'Pregunte al negocio cómo pagarla.'),

  stopTitle: both('Stop reminders from {b}?', '¿No recibir más recordatorios de {b}?'),
  theBusiness: both('the business', 'el negocio'),
  stopMeans: both(
    'Reminders of open invoices no longer go to your email address. Receipts still do.',
    'No enviaremos más recordatorios de facturas pendientes a su correo. Los recibos sí.',
  ),
  stop: both('Stop reminders', 'No recibir más recordatorios'),
  stopped: both('Stopped', 'Cancelados'),
  noMore: both('You get no more reminders from {b}.', 'No recibirá más recordatorios de {b}.'),
  staysOpen: both(
    'What is open stays open. Ask the business if something is not right.',
    'Lo pendiente sigue pendiente. Pregunte al negocio si algo no está bien.',
  ),

  voided: both('Voided', 'Anulado'),
  wasVoided: both('Your payment of this invoice was voided.', 'Su pago de esta factura fue anulado.'),
  notTaken: both('The amount is not taken from your card.', 'El monto no se cargará a su tarjeta.'),
  refunded: both('Refunded', 'Reembolsado'),
  wasRefunded: both('Your payment of this invoice was refunded.', 'Su pago de esta factura fue reembolsado.'),
  withinDays: both('Your card shows it within some days.', 'Lo verá en su tarjeta en unos días.'),
  reopens: both(
    'This page opens again if the business asks for the payment once more.',
    'Esta página se abrirá de nuevo si el negocio vuelve a pedir el pago.',
  ),
  returned: both('Returned', 'Devuelto'),
  wasReturned: both('Your bank returned the payment of this invoice.', 'Su banco devolvió el pago de esta factura.'),
  notPaid: both('The invoice is not paid.', 'La factura no está pagada.'),

  invoice: both('Invoice', 'Factura'),
  customer: both('Customer', 'Cliente'),
  company: both('Company', 'Empresa'),
};

/** Texts for the outcome of a payment: success, waiting, and the boxes above the form. */
export const outcomeWords = {
  success: both('Payment Successful!', '¡Pago realizado!'),
  thanks: both('Thank you for your payment.', 'Gracias por su pago.'),
  amount: both('Amount', 'Monto'),
  date: both('Date', 'Fecha'),
  card: both('Card', 'Tarjeta'),
  authCode: both('Authorization code', 'Código de autorización'),
  transactionId: both('Transaction id', 'N.º de transacción'),
  result: both('Result', 'Resultado'),
  none: both('N/A', 'N/D'),
  receiptGoes: both(
    'A receipt goes to the email address the business has.',
    'Enviaremos un recibo al correo que tiene el negocio.',
  ),
  print: both('Print', 'Imprimir'),
  viewReceipt: stateWords.viewReceipt,
  submitted: stateWords.submitted,
  bankTakes: stateWords.bankTakes,
  paid: stateWords.paid,
  alreadyPaid: stateWords.alreadyPaid,

  payment: stateWords.payment,
  sent: stateWords.sent,
  waiting: stateWords.waiting,
  confirmed: both('Confirmed', 'Confirmado'),
  done: both('done', 'hecho'),
  confirming: both('We are confirming your payment', 'Estamos confirmando su pago'),
  doNotPayAgain: both(
    'Your payment is being confirmed. Please do not pay again.',
    'Su pago se está confirmando. No pague otra vez.',
  ),
  checking: both('Checking since {at}.', 'Desde {at} lo estamos consultando.'),
  takesLonger: both('This takes longer than usual.', 'Está tardando más de lo normal.'),
  takesMinutes: both('Such checks can take about {n} minutes.', 'La consulta puede tardar unos {n} minutos.'),
  offline: both('There is no connection right now.', 'No hay conexión en este momento.'),
  askAgain: both(
    'We keep checking. Please do not pay again.',
    'Lo consultaremos de nuevo automáticamente. No pague otra vez.',
  ),
  updates: both(
    'This page updates by itself. You can close it and come back.',
    'Esta página se actualiza sola. Puede cerrarla y volver.',
  ),

  failed: both('Payment Failed!', 'El pago no se realizó'),
  error: both('There was an error processing your payment.', 'Hubo un error al procesar su pago.'),
  tryOther: both('Try another card, or ask your bank why.', 'Use otra tarjeta o pregunte a su banco el motivo.'),
  support: both('Details for support', 'Datos para soporte'),
  message: both('Error Message', 'Mensaje'),
  code: both('Result Code', 'Código'),
  okay: both('Okay', 'Aceptar'),
  close: both('Close message', 'Cerrar mensaje'),
  notCharged: stateWords.notCharged,
  missing: both('Please fill in all required fields:', 'Complete los campos obligatorios:'),
  attemptAt: both(
    'Your attempt at {at} was not charged. You can pay now.',
    'Su intento de las {at} no se cobró. Ya puede pagar.',
  ),
  attemptOn: both(
    'Your attempt on {at} was not charged. You can pay now.',
    'Su intento del {at} no se cobró. Ya puede pagar.',
  ),
  goToCard: both('Go to card details', 'Ir a los datos de la tarjeta'),
  reload: both('Reload the page', 'Recargar la página'),
  notSeen: both(
    'This payment has not reached us. Please try again. You will not be charged twice.',
    'Este pago no nos ha llegado. Inténtelo de nuevo. No se le cobrará dos veces.',
  ),
  tryAgain: both('Payment failed. Please try again.', 'El pago falló. Inténtelo de nuevo.'),
  onServer: both('Failed to process payment on server.', 'No se pudo procesar el pago.'),
  unexpected: both(
    'Unexpected response from payment system. Please try again.',
    'Respuesta inesperada del sistema de pago. Inténtelo de nuevo.',
  ),
};

/** Returns the sentence about the duration of a bank payment, with the operator's days. */
export function bankTakes(language: Language): string {
  const { least, most } = operator.bankPaymentDays;
  return fill(wordsIn(stateWords, language).bankTakes, { least: String(least), most: String(most) });
}
