import type { BadAddress, Delivery } from '#shared/contracts/lists/mail-values';

/** The reason not to mail an address at all, from the mail service's reports; null if there is none. */
export function whyNoMail(email: string, bad: BadAddress | null): string | null {
  if (email === '') return null;
  switch (bad) {
    case 'bounced':
      return `Mail to ${email} came back. Correct the address in HubSpot.`;
    case 'suppressed':
      return `The mail service sends nothing to ${email}. Correct the address in HubSpot.`;
    case 'complained':
      return `Mail to ${email} was reported as spam. Enter another address in HubSpot.`;
    case null:
      return null;
  }
}

/** A warning before an address is mailed again; null if the last mail did not fail. */
export const mailDoubt = (email: string, delivery: Delivery | null): string | null =>
  delivery === 'bounced' || delivery === 'failed'
    ? `The last mail did not arrive. The next one to ${email} may. Look at the address in HubSpot.`
    : null;
