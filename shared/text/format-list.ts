/** "INV-1, INV-2 and INV-3"; an empty text for none. */
export const formatList = (items: (string | number)[]): string =>
  [items.slice(0, -1).join(', '), items.at(-1)].filter((part) => part !== undefined && part !== '').join(' and ');
