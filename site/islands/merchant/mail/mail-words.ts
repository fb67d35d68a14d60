import { type CustomerMailKind, customerMailWords, type Delivery } from '#shared/contracts/lists/mail-values';
import { deliveryWords, describeDelivery } from '#shared/text/delivery-words';
import { formatWhen } from '#site/islands/ui/format-moment.ts';

type Mail = { state: 'due' | 'sent' | 'failed'; delivery: Delivery | null };

/** Describes the state of an email. An email that the service has only accepted is "sent", not "delivered". */
export function describeMail({ state, delivery }: Mail): string {
  if (state === 'failed') return 'not sent';
  if (state === 'due') return 'on its way';
  return describeDelivery(delivery);
}

type LastMail = { kind: CustomerMailKind; at: string; delivery: Delivery | null };

/** Describes the last email. If it was not of the kind that would be sent now, its kind is named. */
export function describeLastMail(last: LastMail, kind: CustomerMailKind): string {
  const label = last.kind === kind ? 'Sent' : `${customerMailWords[last.kind].name} sent`;
  const status = last.delivery && deliveryWords[last.delivery];
  return `${label} ${formatWhen(last.at)}${status ? `, ${status}` : ''}`;
}
