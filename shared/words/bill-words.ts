import { both, fill, wordsIn } from './both.ts';
import { languages } from './language.ts';

/** What the Worker writes into the pay page, and the page's script renders again. */
export const billWords = {
  title: both('Pay invoice {n} – {b}', 'Pagar la factura {n} – {b}'),
  due: both('Due {d}', 'Vence el {d}'),
  partly: both('{paid} of {base} is paid.', 'Ya se pagaron {paid} de {base}.'),
  tick: both('I am {name} and sign this payment', 'Soy {name} y firmo este pago'),
};

/** The sentence that a payer ticks to sign, in each language. */
export const tickedWords = (name: string): string[] =>
  languages.map((language) => fill(wordsIn(billWords, language).tick, { name }));
