type Query = Record<string, string | undefined>;

/**
 * "2024-04-09 14:53" or a plain date, read as UTC because times are written so; `last` is the last moment it may
 * mean.
 */
export function timeOf(text: string, end: 'first' | 'last'): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const isMinute = /^\d{4}-\d\d-\d\d \d\d:\d\d$/.test(text);
  const first = Date.parse(isDay ? `${text}T00:00:00Z` : `${text.replace(' ', 'T')}Z`);
  if (end === 'first') return first;
  return first + (isDay ? 86_400_000 : isMinute ? 60_000 : 1) - 1;
}

export type Paged = { size: number; offset: number; describe(shown: number): Record<string, unknown> };

/** The vendor's documents show both spellings of the page size. */
export function pageOf(query: Query, total: number, sort?: { property: string; direction: 'ASC' | 'DESC' }): Paged {
  const size = Math.min(100, Math.max(1, Number(query['page-size'] ?? query.pageSize ?? 20) || 20));
  const number = Math.max(1, Number(query.page ?? 1) || 1);
  const pages = Math.ceil(total / size);
  return {
    size,
    offset: (number - 1) * size,
    describe: (shown) => ({
      number,
      size,
      'number-of-elements': shown,
      'total-elements': total,
      'total-pages': pages,
      first: number === 1,
      last: number >= pages,
      ...(sort ? { sort: [sort] } : {}),
    }),
  };
}
