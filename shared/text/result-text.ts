/** Returns the text for the card provider's result; an unknown result is returned unchanged. */
export const resultFrom = (words: Record<string, string>, result: string): string =>
  words[result.toUpperCase()] ?? result;
