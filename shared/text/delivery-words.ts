import type { Delivery } from '../contracts/lists/mail-values.ts';

/** What the mail service told of a mail after it took it. That it took it is what "sent" says. */
export const deliveryWords: Record<Delivery, string> = {
  accepted: '',
  delayed: 'delayed',
  delivered: 'delivered',
  bounced: 'came back',
  failed: 'not delivered',
  suppressed: 'not delivered',
  complained: 'reported as spam',
};

/** How far a mail came that went out; where nothing more is known, that it was sent. */
export const sayDelivery = (delivery: Delivery | null): string => (delivery && deliveryWords[delivery]) || 'sent';
