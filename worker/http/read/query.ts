import type { Context } from 'hono';

/** A query's parameters as they stand; one that is given twice is refused like any wrong value. */
export const queryOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')]));
