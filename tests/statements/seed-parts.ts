/** What the drawn records of a clinic have in common. */
export const CLOCK = Date.UTC(2026, 2, 4, 15);
export const EVERY_MS = 43 * 60_000;

/** Pending and unknown rows: there are never more than a few. */
export const RARE = 'n BETWEEN 1 AND 5';

/** The numbers from ?2 up to ?3, without it. */
export const numbered =
  'WITH RECURSIVE g (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM g WHERE n < ?3 - 1)';
/** When row n was made (UTC ms). */
export const AT = `(${CLOCK} - n * ${EVERY_MS})`;
export const ID = 'CAST(30000000 + n AS TEXT)';

export const named = (names: string[], by: string) =>
  `json_extract('${JSON.stringify(names)}', '$[' || (${by} % ${names.length}) || ']')`;
