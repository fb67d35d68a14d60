import { containsWords } from './fold-text.ts';

/**
 * Sorts search results: rows whose name contains every typed word, then those that match by company, email address or
 * phone. Each group keeps its order.
 */
export function namesFirst<Row>(rows: readonly Row[], nameOf: (row: Row) => string, query: string): Row[] {
  // A name may be typed as on a letter, such as "Núñez, Marta".
  const words = query.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const matchesName = rows.map((row) => containsWords(nameOf(row), words));
  return [...rows.filter((_, index) => matchesName[index]), ...rows.filter((_, index) => !matchesName[index])];
}
