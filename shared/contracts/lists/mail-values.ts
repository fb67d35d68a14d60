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

/** Kinds of mail to a customer, in the words of the staff's screens. `last`: precedes the time of the latest mail. */
export const customerMailWords = {
  'pay-link': { name: 'Payment link', last: 'Sent' },
  reminder: { name: 'Reminder', last: 'Reminded' },
  receipt: { name: 'Receipt', last: 'Receipt' },
  'return-notice': { name: 'Notice of a returned payment', last: 'Return notice' },
};
export type CustomerMailKind = keyof typeof customerMailWords;
export const customerMails = Object.keys(customerMailWords) as CustomerMailKind[];
