/** Shared parts of a clinic's seeded rows. */
export const CLOCK = Date.UTC(2026, 2, 4, 15);
/** Time between two rows (ms). */
export const EVERY_MS = 43 * 60_000;

/** The condition of the few pending and unknown rows. */
export const RARE = 'n BETWEEN 1 AND 5';

/** The numbers from ?2 up to, but excluding, ?3. */
export const numbered =
  'WITH RECURSIVE g (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM g WHERE n < ?3 - 1)';
/** Creation time of row n (UTC ms). */
export const AT = `(${CLOCK} - n * ${EVERY_MS})`;
/** Invoice id of row n. */
export const ID = 'CAST(30000000 + n AS TEXT)';

/** An SQL expression that picks one of the names by an SQL number. */
export const pickName = (names: string[], index: string) =>
  `json_extract('${JSON.stringify(names)}', '$[' || (${index} % ${names.length}) || ']')`;
