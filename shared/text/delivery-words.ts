import type { Delivery } from '../contracts/lists/mail-values.ts';

/** Texts for delivery states; `accepted` is shown as "sent". */
export const deliveryWords: Record<Delivery, string> = {
  accepted: '',
  delayed: 'delayed',
  delivered: 'delivered',
  bounced: 'came back',
  failed: 'not delivered',
  suppressed: 'not delivered',
  complained: 'reported as spam',
};

/** Returns the delivery state of a sent email as text; "sent" if nothing more is known. */
export const describeDelivery = (delivery: Delivery | null): string => (delivery && deliveryWords[delivery]) || 'sent';
