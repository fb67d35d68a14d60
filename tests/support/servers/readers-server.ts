import type { CounterTerminal, TerminalSale } from '#shared/contracts/payments/terminals';
import { answerWith } from '../components/calls.ts';
import { sampleSale } from '../sample-sale.ts';

/** A free card reader. */
export const reader = (number: 1 | 2, fields: Partial<CounterTerminal> = {}): CounterTerminal => ({
  terminal_id: `front-${number}`,
  terminal_name: `Front desk ${number}`,
  last_heard: null,
  sale: null,
  is_busy: false,
  ...fields,
});
/** A card reader that waits for a card. */
export const busyReader = (number: 1 | 2, fields: Partial<TerminalSale> = {}) =>
  reader(number, {
    is_busy: true,
    sale: sampleSale({ terminal_id: `front-${number}`, terminal_name: `Front desk ${number}`, ...fields }),
  });

/** Answers the call for the card readers with these. */
export const answerReaders = (...desks: CounterTerminal[]): void => answerWith('/api/counter-terminals', { desks });
