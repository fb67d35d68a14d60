import { useState } from 'react';
import type { PayView } from '#shared/contracts/payment';
import { type Chosen, firstChoice, PART_ID } from './part-choice.ts';

/** How much is paid now; of an invoice that is paid whole, all of it. */
export function usePart(view: PayView) {
  const [choice, setChoice] = useState<Chosen | null>(() => firstChoice(view));
  const [isWrong, setWrong] = useState(false);
  const choose = (what: Chosen | null) => {
    setChoice(what);
    setWrong(false);
  };
  /** Null: the amount is not taken; the field says so and has the focus. */
  const take = (): Chosen | null => {
    setWrong(!choice);
    if (!choice) document.getElementById(PART_ID)?.focus();
    return choice;
  };
  return { choice, isWrong, choose, take };
}
