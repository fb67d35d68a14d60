import { folded } from './folded.ts';

/** True if the text contains each typed word, ignoring case and accents. */
export function containsWords(text: string, typed: string): boolean {
  const own = folded(text);
  return folded(typed)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .every((word) => own.includes(word));
}

/**
 * The order of a search: rows whose name contains every typed word, then those that match by company, email address or
 * phone. Each half keeps its order.
 */
export function namesFirst<Row>(rows: readonly Row[], nameOf: (row: Row) => string, typed: string): Row[] {
  const isNamed = rows.map((row) => containsWords(nameOf(row), typed));
  return [...rows.filter((_, at) => isNamed[at]), ...rows.filter((_, at) => !isNamed[at])];
}
