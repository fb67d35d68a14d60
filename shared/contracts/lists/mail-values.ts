/**
 * What the mail service told of a mail, from the least to the farthest: an event that comes late or again takes none back.
 * `accepted` says that the service took it, and not that it arrived.
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

/** Why no mail arrives at an address. */
export const badAddresses = ['bounced', 'suppressed', 'complained'] as const;
export type BadAddress = (typeof badAddresses)[number];

/** Mails that a customer gets, by what they are to them. */
export const customerMails = ['pay-link', 'reminder', 'receipt'] as const;
export type CustomerMailKind = (typeof customerMails)[number];
