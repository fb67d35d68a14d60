import { containsWords } from './folded.ts';

/**
 * The order of a search: rows whose name contains every typed word, then those that match by company, email address or
 * phone. Each half keeps its order.
 */
export function namesFirst<Row>(rows: readonly Row[], nameOf: (row: Row) => string, typed: string): Row[] {
  // Typed as on a letter, such as "Núñez, Marta".
  const words = typed.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ');
  const isNamed = rows.map((row) => containsWords(nameOf(row), words));
  return [...rows.filter((_, at) => isNamed[at]), ...rows.filter((_, at) => !isNamed[at])];
}
