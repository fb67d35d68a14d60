import { useEffect, useEffectEvent, useState } from 'react';
import type { CustomerItem } from '#shared/contracts/lists';
import type { CounterTerminal } from '#shared/contracts/terminals';
import { useSearch } from '#site/islands/ui/routing/router.tsx';
import { askCustomer } from '../customers/api.ts';

/** In this browser, since a counter has its own. */
const PLACE = 'last_device';

export const rememberDevice = (terminalId: string): void => localStorage.setItem(PLACE, terminalId);

/** What an address chooses ahead: a customer, one of their invoices, and with them the device that was last used here. */
export function usePreset(counters: CounterTerminal[] | null, onCustomer: (customer: CustomerItem) => void) {
  const search = useSearch();
  const [asked] = useState(() => new URLSearchParams(search));
  const customerId = asked.get('customer');
  const onFound = useEffectEvent(onCustomer);
  useEffect(() => {
    // A customer who cannot be read is left to be chosen by hand.
    if (customerId) void askCustomer(customerId).then((answer) => answer.ok && onFound(answer.value.customer));
  }, [customerId]);
  const known = (counters ?? []).map(({ terminal_id }) => terminal_id);
  const last = localStorage.getItem(PLACE) ?? '';
  const device = known.length === 1 ? known[0] : known.find((id) => id === last);
  return { deviceId: (customerId && device) || '', invoiceId: asked.get('invoice') ?? '' };
}
