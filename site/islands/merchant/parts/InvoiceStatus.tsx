import { Badge } from '../../ui/Badge.tsx';
import type { IconName } from '../../ui/Icon.tsx';

type Look = { word: string; tone: 'plain' | 'ok' | 'note' | 'bad'; icon: IconName };

/** Statuses of an invoice, the CRM's and local ones. Each differs in word and shape. */
export const statusLooks: Record<string, Look> = {
  draft: { word: 'Draft', tone: 'plain', icon: 'draft' },
  open: { word: 'Open', tone: 'note', icon: 'clock' },
  submitted: { word: 'Submitted', tone: 'note', icon: 'half' },
  paid: { word: 'Paid', tone: 'ok', icon: 'check' },
  refunded: { word: 'Refunded', tone: 'plain', icon: 'arrowBack' },
  returned: { word: 'Returned', tone: 'bad', icon: 'x' },
  voided: { word: 'Voided', tone: 'plain', icon: 'minus' },
};

const said = (status: string) => status.charAt(0).toUpperCase() + status.slice(1).replaceAll('_', ' ');

export function InvoiceStatus({ status }: { status: string }) {
  const look = statusLooks[status] ?? { word: said(status) || 'N/A', tone: 'plain', icon: 'info' };
  return (
    <Badge tone={look.tone} icon={look.icon}>
      {look.word}
    </Badge>
  );
}
