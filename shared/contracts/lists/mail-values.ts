/**
 * Delivery states reported by the mail service, in ascending order: a late or repeated event never lowers the state.
 * `accepted`: accepted by the service, not delivered.
 */
export const deliveries = [
  'accepted',
  'delayed',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'complained',
] as const;
export type Delivery = (typeof deliveries)[number];

/** Reasons why mail to an address fails. */
export const badAddresses = ['bounced', 'suppressed', 'complained'] as const;
export type BadAddress = (typeof badAddresses)[number];

/** Kinds of mail to a customer. */
export const customerMails = ['pay-link', 'reminder', 'receipt', 'return-notice'] as const;
export type CustomerMailKind = (typeof customerMails)[number];
