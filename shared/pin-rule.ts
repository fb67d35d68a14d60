/** Number of digits of a front desk PIN. */
export const PIN_DIGITS = 6;

export const newPinHint = `${PIN_DIGITS} digits that are not easy to guess, so not 123456 and not 121212.`;

/** Returns the reason to refuse a new PIN, or null. Regular sequences and repeated patterns are guessed first. */
export function pinProblem(pin: string): string | null {
  if (!/^\d{6}$/.test(pin)) return `Please use ${PIN_DIGITS} digits.`;
  const digits = Array.from(pin, Number);
  const steps = digits.slice(1).map((digit, index) => (digit - (digits[index] ?? 0) + 10) % 10);
  const isSequence = steps.every((step) => step === steps[0]);
  const isRepeated = [2, 3].some((length) => pin === pin.slice(0, length).repeat(PIN_DIGITS / length));
  const isDoubled = /^(?:(\d)\1){3}$/.test(pin);
  const isTwoBlocks = /^(\d)\1\1(\d)\2\2$/.test(pin);
  return isSequence || isRepeated || isDoubled || isTwoBlocks ? 'This PIN is too easy to guess.' : null;
}
