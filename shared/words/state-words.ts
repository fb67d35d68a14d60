import { both } from './both.ts';

/** The pages of a payer that say one thing: paid, expired, at the desk and so on. */
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
    'Your bank takes {n} days; we email the receipt when it has arrived.',
    'Su banco tarda {n} días; le enviaremos el recibo cuando llegue.',
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
    'No reminder about an open invoice goes to your email address any more. Receipts still do.',
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
