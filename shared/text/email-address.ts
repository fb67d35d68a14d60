/** Excludes invisible characters (\p{C}, \p{DI}), which would allow two spellings that look the same. */
const ADDRESS =
  /^[^\s\p{C}\p{DI}@<>"(),;:\\[\]]{1,64}@[^\s\p{C}\p{DI}@<>"(),;:\\[\]]{1,190}\.[^\s\p{C}\p{DI}@<>"(),;:\\[\].]{2,}$/u;

/** One spelling of a mailbox, however its address was written. */
export const plainAddress = (address: string): string => address.trim().normalize('NFC').toLowerCase();

/** True if a text is one email address that people may enter in a form. */
export const isAddress = (text: string): boolean => ADDRESS.test(text);
