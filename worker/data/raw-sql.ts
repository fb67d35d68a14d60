/** A piece of SQL with the values bound to it, in order. */
export type RawSql = { text: string; values: SqlValue[] };
export type SqlValue = string | number | null;

/** SQL put together at run time: pieces are spliced in, anything else becomes a bound value. */
export function rawSql(parts: TemplateStringsArray, ...inserts: (RawSql | SqlValue)[]): RawSql {
  let text = parts[0] ?? '';
  const values: SqlValue[] = [];
  for (const [at, insert] of inserts.entries()) {
    if (typeof insert === 'object' && insert !== null) {
      text += insert.text;
      values.push(...insert.values);
    } else {
      text += '?';
      values.push(insert);
    }
    text += parts[at + 1] ?? '';
  }
  return { text, values };
}

/** Words of our own source; nothing of a request ever goes through here. */
export const raw = (text: string): RawSql => ({ text, values: [] });

export const joined = (pieces: RawSql[], by: string): RawSql => ({
  text: pieces.map(({ text }) => text).join(by),
  values: pieces.flatMap(({ values }) => values),
});

/** The values as a list for IN. */
export const listed = (values: SqlValue[]): RawSql => ({ text: `(${values.map(() => '?').join(', ')})`, values });

export const prepare = (d1: D1Database, { text, values }: RawSql): D1PreparedStatement =>
  d1.prepare(text).bind(...values);
