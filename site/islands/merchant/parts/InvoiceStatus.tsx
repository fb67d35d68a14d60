import { parseCents } from '../../../../shared/money.ts';
import { Badge } from '../../ui/Badge.tsx';
import { dayNow } from '../../ui/format-moment.ts';
import type { IconName } from '../../ui/Icon.tsx';

type Look = { word: string; tone: 'plain' | 'ok' | 'note' | 'warn' | 'bad'; icon: IconName };

/** Statuses of an invoice, the CRM's and local ones, and what a day or a refund makes of them. Each differs in word and shape. */
export const statusLooks: Record<string, Look> = {
  draft: { word: 'Draft', tone: 'plain', icon: 'draft' },
  open: { word: 'Open', tone: 'note', icon: 'clock' },
  overdue: { word: 'Overdue', tone: 'warn', icon: 'clock' },
  submitted: { word: 'Submitted', tone: 'note', icon: 'half' },
  paid: { word: 'Paid', tone: 'ok', icon: 'check' },
  partly_refunded: { word: 'Partly refunded', tone: 'plain', icon: 'arrowBack' },
  refunded: { word: 'Refunded', tone: 'plain', icon: 'arrowBack' },
  returned: { word: 'Returned', tone: 'bad', icon: 'x' },
  voided: { word: 'Voided', tone: 'plain', icon: 'minus' },
};

const said = (status: string) => status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');

export type InvoiceState = { status: string; due: string | null; refunded: string };

/** The status, or what the day or a refund makes of it: an invoice is overdue from the day after its due date. */
export function stateOf({ status, due, refunded }: InvoiceState): string {
  if (status === 'open' && due && due < dayNow()) return 'overdue';
  return status === 'paid' && (parseCents(refunded) ?? 0) > 0 ? 'partly_refunded' : status;
}

export function InvoiceStatus(its: InvoiceState) {
  const state = stateOf(its);
  const look = statusLooks[state] ?? { word: said(state) || 'N/A', tone: 'plain', icon: 'info' };
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  );
}
