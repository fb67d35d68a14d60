import { parseCents } from '#shared/money';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { todayLocal } from '#site/islands/ui/format-moment.ts';
import type { IconName } from '#site/islands/ui/Icon.tsx';

type StatusStyle = { tone: 'plain' | 'ok' | 'note' | 'warn' | 'bad'; icon: IconName };

/**
 * The badges for the statuses of an invoice: those of the CRM, those that exist only here, and those derived from the
 * due date, partial payments or refunds.
 */
export const statusStyles: Record<string, StatusStyle> = {
  draft: { tone: 'plain', icon: 'draft' },
  open: { tone: 'note', icon: 'clock' },
  not_known_yet: { tone: 'warn', icon: 'warn' },
  overdue: { tone: 'warn', icon: 'clock' },
  partly_paid: { tone: 'note', icon: 'half' },
  submitted: { tone: 'note', icon: 'half' },
  paid: { tone: 'ok', icon: 'check' },
  partly_refunded: { tone: 'plain', icon: 'arrowBack' },
  refunded: { tone: 'plain', icon: 'arrowBack' },
  returned: { tone: 'bad', icon: 'x' },
  voided: { tone: 'plain', icon: 'minus' },
};

/** Returns the label of a status, for example "Partly refunded". */
export const statusLabelOf = (status: string): string =>
  status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');

export type InvoiceState = {
  status: string;
  balance: string | null;
  due: string | null;
  refunded: string;
  partPaid: string;
  /** True if a payment may have been charged already. */
  isUndecided?: boolean;
};

/**
 * Returns the status to show, which may derive from an unknown outcome, the due date, a partial payment or a refund.
 * An invoice with a balance is overdue from the day after its due date.
 */
export function stateOf({ status, balance, due, refunded, partPaid, isUndecided }: InvoiceState): string {
  if (isUndecided) return 'not_known_yet';
  const isPositive = (amount: string | null) => (parseCents(amount) ?? 0) > 0;
  if (status === 'open' && isPositive(balance) && due && due < todayLocal()) return 'overdue';
  if (status === 'open' && isPositive(partPaid)) return 'partly_paid';
  return status === 'paid' && isPositive(refunded) ? 'partly_refunded' : status;
}

export function InvoiceStatus(invoice: InvoiceState) {
  const state = stateOf(invoice);
  const style = statusStyles[state] ?? { tone: 'plain', icon: 'info' };
  return (
    <Badge tone={style.tone} icon={style.icon}>
      {statusLabelOf(state) || 'N/A'}
    </Badge>
  );
}
