/** Returns the text of the card provider's result; an unknown one stays in the provider's word. */
export const resultFrom = (words: Record<string, string>, result: string): string =>
  words[result.toUpperCase()] ?? result;
