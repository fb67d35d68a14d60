import type { Context } from 'hono';

/** The query's parameters; a repeated one is joined with commas, as a list of values may also be written. */
export const queryOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(c.req.queries()).map(([name, values]) => [name, values.join(',')]));

/** The same, where a parameter without a value counts as left out. */
export const givenOf = (c: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(queryOf(c)).filter(([, value]) => value !== ''));
