import type { CustomerMailKind, Delivery } from '#shared/contracts/lists/mail-values';
import { deliveryWords, sayDelivery } from '#shared/text/delivery-words';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import type { MailKind } from './mail.ts';

export const mailWords: Record<CustomerMailKind, string> = {
  'pay-link': 'Payment link',
  reminder: 'Reminder',
  receipt: 'Receipt',
};

type Mail = { state: 'due' | 'sent' | 'failed'; delivery: Delivery | null };

/** What became of a mail. That the mail service took it is "sent", and not that it arrived. */
export function sayMail({ state, delivery }: Mail): string {
  if (state === 'failed') return 'not sent';
  if (state === 'due') return 'on its way';
  return sayDelivery(delivery);
}

type LastMail = { kind: MailKind; at: string; delivery: Delivery | null };

/** A pay link that was mailed before the payment is not a receipt, so name the kind where it differs. */
export function sayLastMail(last: LastMail, kind: MailKind): string {
  const what = last.kind === kind ? 'Sent' : last.kind === 'receipt' ? 'Receipt sent' : 'Link sent';
  const told = last.delivery && deliveryWords[last.delivery];
  return `${what} ${formatWhen(last.at)}${told ? `, ${told}` : ''}`;
}
