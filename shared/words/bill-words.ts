import { both, fill, wordsIn } from './both.ts';
import { languages } from './language.ts';

/** What the Worker writes into the pay page, and the page's script renders again; receipts name the lines of a bill alike. */
export const billWords = {
  title: both('Pay invoice {n} – {b}', 'Pagar la factura {n} – {b}'),
  due: both('Due {d}', 'Vence el {d}'),
  partly: both('{paid} of {base} is paid{taken}.', 'Ya se pagaron {paid} de {base}{taken}.'),
  /** One of the parts that were paid. */
  takenOn: both(', {amount} on {d}', ', {amount} el {d}'),
  tick: both('I am {name} and sign this payment', 'Soy {name} y firmo este pago'),
  whatIsOn: both('What is on this bill', 'Qué incluye esta factura'),
  items: both('{n} items', '{n} conceptos'),
  oneItem: both('1 item', '1 concepto'),
  pieces: both('x {n}', 'x {n}'),
  /** What the bill comes to besides its lines: a tax or discount on all of it. */
  besides: both('Tax, fees, discounts', 'Impuestos, cargos, descuentos'),
  total: both('Total', 'Total'),
  /** What the business had as paid already. */
  paidBefore: both('Paid before', 'Pagado antes'),
  more: both('and {n} more on the invoice', 'y {n} más en la factura'),
};

/** The sentence that a payer ticks to sign, in each language. */
export const tickedWords = (name: string): string[] =>
  languages.map((language) => fill(wordsIn(billWords, language).tick, { name }));
