import { useState } from 'react';
import type { OpenInvoiceItem } from '#shared/contracts/lists';
import { ONLINE_CURRENCY, parseCents } from '#shared/money';

/** `isBad`: no mail arrives at its address. */
type Picked = { cents: number; isBad: boolean };

export type Picks = {
  /** By the CRM's id. */
  all: ReadonlyMap<string, Picked>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  clear(): void;
};

/** Whether a link of this invoice can be mailed at all; what else speaks against it is asked when it is sent. */
export const canPick = ({ status, currency, email, amount_due }: OpenInvoiceItem): boolean =>
  status === 'open' && currency === ONLINE_CURRENCY && email !== '' && amount_due !== null;

/** Invoices that were picked; they live through pages, and not through tabs. */
export function usePicks(tab: string): Picks {
  const [picked, setPicked] = useState({ tab, all: new Map<string, Picked>() });
  const keep = (all: Map<string, Picked>) => ({ tab, all });
  return {
    all: picked.tab === tab ? picked.all : NONE,
    set: (rows, isPicked) =>
      setPicked((before) => {
        const next = new Map(before.tab === tab ? before.all : NONE);
        for (const row of rows.filter(canPick)) isPicked ? next.set(row.crm_id, pickOf(row)) : next.delete(row.crm_id);
        return keep(next);
      }),
    clear: () => setPicked(keep(new Map())),
  };
}

const pickOf = ({ amount_due, bad_address }: OpenInvoiceItem): Picked => ({
  cents: parseCents(amount_due) ?? 0,
  isBad: bad_address !== null,
});

const NONE: ReadonlyMap<string, Picked> = new Map();
