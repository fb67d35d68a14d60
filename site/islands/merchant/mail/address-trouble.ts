import type { BadAddress, Delivery } from '#shared/contracts/lists/mail-values';

/** The reason not to mail an address at all, from the mail service's reports; null if there is none. */
export function whyNoMail(email: string, bad: BadAddress | null): string | null {
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

/** A warning before an address is mailed again; null if the last mail did not fail. */
export const mailDoubt = (email: string, delivery: Delivery | null): string | null =>
  delivery === 'bounced' || delivery === 'failed'
    ? `The last email did not arrive. The next one to ${email} may arrive. Check the address in HubSpot.`
    : null;
