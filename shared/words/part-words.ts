import { both } from './both.ts';

/** How a payer chooses how much of an invoice to pay now. */
export const partWords = {
  howMuch: both('How much do you pay now?', '¿Cuánto paga ahora?'),
  full: both('The full amount', 'El monto completo'),
  rest: both('All that is left', 'Todo lo que falta'),
  deposit: both('Deposit', 'Anticipo'),
  other: both('Another amount', 'Otro monto'),
  least: both('At least {least} now.', 'Al menos {least} ahora.'),
  leaves: both('{left} will be left.', 'Quedarán {left}.'),
  leavesDue: both('{left} will be left, due {d}.', 'Quedarán {left}, con vencimiento el {d}.'),
  enter: both('Enter {least} to {most}.', 'Escriba de {least} a {most}.'),
  only: both(
    'Until tomorrow only {only} can be paid, the amount of the last attempt.',
    'Hasta mañana solo se pueden pagar {only}, el monto del último intento.',
  ),
  stillLeft: both('{left} is left of {base}.', 'Faltan {left} de {base}.'),
};
