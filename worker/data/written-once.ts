import { type DriverValueEncoder, is, Param, Placeholder, type Query, sql } from 'drizzle-orm';
import type { Db } from './db.ts';

type Groups = Record<string, object>;
type Builder = { toSQL(): Query };

/** A value of a statement: read at each call from its group, or the same in all calls. */
type Value = { group: string; name: string; encoder: DriverValueEncoder<unknown, unknown> | null } | { same: unknown };
type Written = { text: string; values: Value[] };

/** Stands for a group of values: each of them is a placeholder. */
const placeholders = (group: string): object =>
  new Proxy({}, { get: (_target, name) => sql.placeholder(`${group}.${String(name)}`) });

const placeholderOf = ({ name }: Placeholder) => {
  const [group = '', own = ''] = String(name).split('.');
  return { group, name: own };
};

function valueIn(param: unknown): Value {
  if (is(param, Placeholder)) return { ...placeholderOf(param), encoder: null };
  if (is(param, Param) && is(param.value, Placeholder))
    return { ...placeholderOf(param.value), encoder: param.encoder };
  return { same: param };
}

const write = (builders: Builder[]): Written[] =>
  builders.map((builder) => {
    const { sql: text, params } = builder.toSQL();
    return { text, values: params.map(valueIn) };
  });

/**
 * The statements of a batch, whose texts the ORM writes once in an isolate: to write them takes it longer than the
 * database to carry them out. `describe` gets placeholders for values, so it must depend on nothing but `shape`; there is
 * a text for each key of it. A key of null is not kept: it is for what is rare, or has conditions of its own.
 */
export function writtenOnce<V extends Groups, S = undefined>(
  groups: (keyof V & string)[],
  describe: (db: Db, values: V, shape: S) => Builder[],
): (db: Db, values: V, shape: S, key: string | null) => D1PreparedStatement[] {
  const kept = new Map<string, Written[]>();
  const stand = Object.fromEntries(groups.map((group) => [group, placeholders(group)])) as V;
  return (db, values, shape, key) => {
    let written = key === null ? undefined : kept.get(key);
    if (!written) {
      written = write(describe(db, stand, shape));
      if (key !== null) kept.set(key, written);
    }
    return written.map(({ text, values: own }) =>
      db.$client.prepare(text).bind(...own.map((one) => bound(one, values))),
    );
  };
}

function bound(value: Value, values: Groups): unknown {
  if ('same' in value) return value.same;
  const own = (values[value.group] as Record<string, unknown>)[value.name];
  return value.encoder && own !== null ? value.encoder.mapToDriverValue(own) : own;
}
