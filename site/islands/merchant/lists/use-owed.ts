import { useEffect, useState } from 'react';
import { Owed } from '#shared/contracts/payments/pay-links';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { api } from '../api/api.ts';

const readOwed = readWith(Owed);

/** Loads the total amounts owed, again for each newer copy of the CRM. Null until they are known. */
export function useAmountsOwed(asOf: string): Owed | null {
  const [owed, setOwed] = useState<Owed | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newer copy of the CRM has other sums
  useEffect(() => {
    let isCancelled = false;
    void api.call('/api/owed', readOwed).then((answer) => !isCancelled && answer.ok && setOwed(answer.value));
    return () => {
      isCancelled = true;
    };
  }, [asOf]);
  return owed;
}
