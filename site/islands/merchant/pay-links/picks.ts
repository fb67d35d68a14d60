import { useState } from 'react';
import type { OpenInvoiceItem } from '../../../../shared/contracts/lists.ts';
import { ONLINE_CURRENCY, parseCents } from '../../../../shared/money.ts';
import { kindFor } from '../mail/mail-kinds.ts';

export type Picks = {
  /** Cents by the CRM's id. */
  all: ReadonlyMap<string, number>;
  set(rows: OpenInvoiceItem[], isPicked: boolean): void;
  clear(): void;
};

/** Whether a link of this invoice can be mailed at all; what else speaks against it is asked when it is sent. */
export const canPick = ({ status, currency, email }: OpenInvoiceItem): boolean =>
  kindFor(status) === 'pay-link' && status === 'open' && currency === ONLINE_CURRENCY && email !== '';

/** Invoices that were picked; they live through pages, and not through tabs. */
export function usePicks(tab: string): Picks {
  const [picked, setPicked] = useState<{ of: string; all: ReadonlyMap<string, number> }>({ of: tab, all: new Map() });
  const all = picked.of === tab ? picked.all : new Map<string, number>();
  return {
    all,
    set: (rows, isPicked) =>
      setPicked((before) => {
        const next = new Map(before.of === tab ? before.all : []);
        for (const row of rows.filter(canPick)) {
          if (isPicked) next.set(row.crm_id, parseCents(row.amount_due) ?? 0);
          else next.delete(row.crm_id);
        }
        return { of: tab, all: next };
      }),
    clear: () => setPicked({ of: tab, all: new Map() }),
  };
}
