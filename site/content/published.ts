/**
 * SQL conditions for public rows: the build filters by them, and the database copies that it reads contain no other
 * rows.
 */
export const publicRowConditions = { articles: "status = 'PUBLISHED'", media: 'width IS NOT NULL' } as const;
