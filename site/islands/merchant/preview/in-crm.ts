import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { formatMoney, parseCents } from '#shared/money';
import { formatMoment } from '#site/islands/ui/format-moment.ts';

type Payment = InvoicePreviewReply['life']['payments'][number];

const CRM = 'HubSpot';

/** In one line, what the CRM shows of each payment; of several each with its amount. None while nothing is recorded there. */
export function linesInCrm({ life: { payments }, crm_status, properties }: InvoicePreviewReply): string[] {
  const isOneOfMany = payments.length > 1;
  return payments.flatMap((payment) => {
    const said = lineOf(payment, crm_status);
    if (!said) return [];
    const amount = isOneOfMany ? `${formatMoney(parseCents(payment.amount) ?? 0, properties.hs_currency)}: ` : '';
    return [`${amount}${said}`];
  });
}

/** Whether a payment is missing in the CRM until a person sees to it. */
export const isToRecord = ({ life: { payments }, crm_status }: InvoicePreviewReply): boolean =>
  crm_status !== 'paid' && payments.some(({ in_crm }) => in_crm?.state === 'missing' || in_crm?.state === 'unmoved');

function lineOf({ in_crm }: Payment, crmStatus: string): string {
  if (!in_crm) return '';
  const { state, at, why } = in_crm;
  const when = at ? ` ${formatMoment(at)}` : '';
  if (state === 'recorded') return `Recorded in ${CRM}${when}`;
  if (state === 'by-hand') return `Recorded in ${CRM} by hand${when}${why && `: ${why}`}`;
  // Its own word, read just now, is newer than what became of our record.
  if (crmStatus === 'paid') return `${CRM} shows this invoice as paid.`;
  if (state === 'waiting') return `Will be recorded in ${CRM}.`;
  if (state === 'unmoved') return `Recorded, but ${CRM} still shows it as open.`;
  return `Paid here, not in ${CRM}${why ? `: ${why}` : '.'}`;
}
