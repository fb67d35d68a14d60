import { both } from './both.ts';

/** What stands on a bill and on its receipt, on the page, on paper and in the mail. */
export const billWords = {
  whatIsOn: both('What is on this bill', 'Qué incluye esta factura'),
  whatWasBought: both('What was bought', 'Qué se pagó'),
  items: both('{n} items', '{n} conceptos'),
  oneItem: both('1 item', '1 concepto'),
  pieces: both('x {n}', 'x {n}'),
  total: both('Total', 'Total'),
  more: both('and {n} more on the invoice', 'y {n} más en la factura'),
};
