import type { BadAddress, Delivery } from '#shared/contracts/lists/mail-values';

/** Returns why an address gets no email, according to the email service, or null if it may get one. */
export function addressBlockReason(email: string, bad: BadAddress | null): string | null {
  if (email === '') return null;
  switch (bad) {
    case 'bounced':
      return `Mail to ${email} came back. Correct the address in HubSpot.`;
    case 'suppressed':
      return `The email service does not send to ${email}. Correct the address in HubSpot.`;
    case 'complained':
      return `Mail to ${email} was reported as spam. Enter another address in HubSpot.`;
    case null:
      return null;
  }
}

/** Returns a warning if the last email to the address failed, otherwise null. */
export const deliveryWarning = (email: string, delivery: Delivery | null): string | null =>
  delivery === 'bounced' || delivery === 'failed'
    ? `The last email to ${email} was not delivered. You can try again, but check the address in HubSpot first.`
    : null;
