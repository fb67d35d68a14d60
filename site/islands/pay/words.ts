import { createContext, useContext } from 'react';
import type { PayPageWords } from '#shared/words/pay-page';

export const PayWords = createContext<PayPageWords | null>(null);

/** The page's words, in its one language. */
export function usePayWords(): PayPageWords {
  const words = useContext(PayWords);
  if (!words) throw new Error('the pay page has no words');
  return words;
}
