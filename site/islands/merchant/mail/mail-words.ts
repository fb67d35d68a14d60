import type { CustomerMailKind, Delivery } from '#shared/contracts/lists/mail-values';
import { deliveryWords, describeDelivery } from '#shared/text/delivery-words';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
export const mailWords: Record<CustomerMailKind, string> = {
  'pay-link': 'Payment link',
  reminder: 'Reminder',
  receipt: 'Receipt',
  'return-notice': 'Notice of a returned payment',
};

type Mail = { state: 'due' | 'sent' | 'failed'; delivery: Delivery | null };

/** The state of a mail in words. Accepted by the mail service means "sent", not "delivered". */
export function describeMail({ state, delivery }: Mail): string {
  if (state === 'failed') return 'not sent';
  if (state === 'due') return 'on its way';
  return describeDelivery(delivery);
}

type LastMail = { kind: CustomerMailKind; at: string; delivery: Delivery | null };

/** States the kind if it differs: a pay link that was mailed before the payment is not a receipt. */
export function describeLastMail(last: LastMail, kind: CustomerMailKind): string {
  const what = last.kind === kind ? 'Sent' : `${mailWords[last.kind]} sent`;
  const told = last.delivery && deliveryWords[last.delivery];
  return `${what} ${formatWhen(last.at)}${told ? `, ${told}` : ''}`;
}
