import { both } from './both.ts';
import { stateWords } from './state-words.ts';

/** What became of a payment: success, waiting, and the boxes above the form. */
export const outcomeWords = {
  success: both('Payment Successful!', '¡Pago realizado!'),
  thanks: both('Thank you for your payment.', 'Gracias por su pago.'),
  amount: both('Amount', 'Monto'),
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
  checking: both('Checking since {at}.', 'Lo consultamos desde: {at}.'),
  takesLonger: both('This takes longer than usual.', 'Está tardando más de lo normal.'),
  takesMinutes: both('Such checks can take about {n} minutes.', 'La consulta puede tardar unos {n} minutos.'),
  offline: both('There is no connection right now.', 'No hay conexión en este momento.'),
  askAgain: both(
    'We ask again by ourselves. Please do not pay again.',
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
