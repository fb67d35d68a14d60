import { useState } from 'react';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { ONLINE_CURRENCY, parseCents } from '../../../../shared/money.ts';

export type Picks = {
  /** Cents by the CRM's id. */
  all: ReadonlyMap<string, number>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  clear(): void;
};

/** Whether a link of this invoice can be mailed at all; what else speaks against it is asked when it is sent. */
export const canPick = ({ status, currency, email }: OpenInvoiceItem): boolean =>
  status === 'open' && currency === ONLINE_CURRENCY && email !== '';

/** Invoices that were picked; they live through pages, and not through tabs. */
export function usePicks(tab: string): Picks {
  const [picked, setPicked] = useState({ tab, all: new Map<string, number>() });
  const keep = (all: Map<string, number>) => ({ tab, all });
  return {
    all: picked.tab === tab ? picked.all : NONE,
    set: (rows, isPicked) =>
      setPicked((before) => {
        const next = new Map(before.tab === tab ? before.all : NONE);
        for (const row of rows.filter(canPick))
          isPicked ? next.set(row.crm_id, parseCents(row.amount_due) ?? 0) : next.delete(row.crm_id);
        return keep(next);
      }),
    clear: () => setPicked(keep(new Map())),
  };
}

const NONE: ReadonlyMap<string, number> = new Map();
