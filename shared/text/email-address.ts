/** Excludes invisible characters (\p{C}, \p{DI}), which would allow two spellings that look the same. */
const ADDRESS =
  /^[^\s\p{C}\p{DI}@<>"(),;:\\[\]]{1,64}@[^\s\p{C}\p{DI}@<>"(),;:\\[\]]{1,190}\.[^\s\p{C}\p{DI}@<>"(),;:\\[\].]{2,}$/u;

/** Normalizes an address, so that each mailbox has one spelling. */
export const plainAddress = (address: string): string => address.trim().normalize('NFC').toLowerCase();

/** True if a text is one email address that may be entered in a form. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);
