import { billingOnFile } from '#shared/contracts/payments/payment-request';

/** Street types, which are not masked because they identify no place. */
const STREET_TYPES =
  /^(st|street|ave|avenue|rd|road|dr|drive|ln|lane|ct|court|blvd|boulevard|way|pl|place|ter|terrace|cir|circle|pkwy|parkway|hwy|highway)\.?$/i;

const toDots = (text: string) => '•'.repeat(Math.max(0, [...text].length));

const maskWord = (word: string, visible: number) => {
  const letters = [...word];
  return letters.slice(0, visible).join('') + toDots(letters.slice(visible).join(''));
};

/**
 * Masks an address so that its owner recognizes it: "418 Maple Street", "46204" is "4•• M•••• Street, 46•••". Empty if
 * no payment could be made with it.
 */
export function maskAddress(parts: Parameters<typeof billingOnFile>[0]): string {
  const addressOnFile = billingOnFile(parts);
  if (!addressOnFile.ok) return '';
  const { address, zip } = addressOnFile.billing;
  const words = address.split(' ');
  const street = words.map((word, index) =>
    index > 0 && STREET_TYPES.test(word) ? word : maskWord(word, word.length > 1 ? 1 : 0),
  );
  return `${street.join(' ')}, ${maskWord(zip, 2)}`;
}
