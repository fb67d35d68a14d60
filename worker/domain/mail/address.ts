import { plainAddress } from '#shared/text/email-address';
import { visibleText } from '#shared/text/safe-text';

/** Matches exactly one address and nothing else. */
const ADDRESS = /^[^\s@<>,;:"()[\]\\]+@[^\s@<>,;:"()[\]\\]+\.[^\s@<>,;:"()[\]\\]+$/;

/** The only address in a text from the CRM; null if the text has none, several or anything else. */
export function singleAddressIn(text: string): string | null {
  const address = visibleText(text);
  return ADDRESS.test(address) ? address : null;
}

/** True if two addresses denote the same mailbox, even if they are written differently. */
export const isSameAddress = (a: string, b: string): boolean => plainAddress(a) === plainAddress(b);
