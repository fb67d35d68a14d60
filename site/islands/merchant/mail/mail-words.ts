import type { CustomerMailKind, Delivery } from '../../../../shared/contracts/mail-values.ts';
import { deliveryWords } from './mail-kinds.ts';

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
  return (delivery && deliveryWords[delivery]) || 'sent';
}
