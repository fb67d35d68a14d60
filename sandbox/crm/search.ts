import type { SQLInputValue } from 'node:sqlite';
import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, World } from '../world.ts';
import type { Caller } from './access.ts';
import { type ObjectType, objectTypeOf } from './object-types.ts';
import { invalidRequest } from './problem.ts';
import { findProperty, type PropertyDefinition, searchableProperties, searchDefaults } from './properties.ts';
import { readJson } from './read.ts';
import { renderRecord, type StoredRecord } from './records.ts';

const OPERATORS = [
  'EQ',
  'NEQ',
  'LT',
  'LTE',
  'GT',
  'GTE',
  'BETWEEN',
  'IN',
  'NOT_IN',
  'HAS_PROPERTY',
  'NOT_HAS_PROPERTY',
  'CONTAINS_TOKEN',
  'NOT_CONTAINS_TOKEN',
] as const;

const textValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const Filter = z.object({
  propertyName: z.string(),
  operator: z.enum(OPERATORS),
  value: textValue.optional(),
  highValue: textValue.optional(),
  values: z.array(textValue).optional(),
});
const SearchBody = z.object({
  filterGroups: z.array(z.object({ filters: z.array(Filter).default([]) })).default([]),
  sorts: z
    .array(
      z.union([
        z.string(),
        z.object({ propertyName: z.string(), direction: z.enum(['ASCENDING', 'DESCENDING']).default('ASCENDING') }),
      ]),
    )
    .default([]),
  query: z.string().optional(),
  properties: z.array(z.string()).default([]),
  limit: z.coerce.number().int().default(10),
  after: z.union([z.string(), z.number()]).nullish(),
});
type Filter = z.output<typeof Filter>;

type SqlCondition = { sql: string; values: SQLInputValue[] };

/** Names come from the property definitions, never from the caller, so they are safe in SQL text. */
function columnOf(definition: PropertyDefinition): string {
  if (definition.system === 'id') return 'id';
  if (definition.system === 'created') return 'created_ms';
  if (definition.system === 'updated') return 'updated_ms';
  const jsonValue = `json_extract(properties, '$.${definition.name}')`;
  return definition.type === 'number' ? `CAST(${jsonValue} AS REAL)` : jsonValue;
}

/** Accepts a date as ISO 8601 or epoch milliseconds. Dates are stored as ISO text with milliseconds. */
function dateValue(definition: PropertyDefinition, value: string): SQLInputValue {
  const ms = /^-?\d+$/.test(value) ? Number(value) : Date.parse(value);
  if (Number.isNaN(ms)) throw invalidRequest(`Invalid date value ${value} for property ${definition.name}`);
  return definition.system ? ms : new Date(ms).toISOString();
}

/** Comparisons ignore case, except for enumerations. */
function comparison(definition: PropertyDefinition): { column: string; value(raw: string): SQLInputValue } {
  const column = columnOf(definition);
  if (definition.type === 'datetime') return { column, value: (raw) => dateValue(definition, raw) };
  if (definition.type === 'number') {
    return {
      column,
      value(raw) {
        if (!/^-?\d+(\.\d+)?$/.test(raw))
          throw invalidRequest(`${raw} is not a valid number for property ${definition.name}`);
        return Number(raw);
      },
    };
  }
  if (definition.type === 'enumeration' || definition.type === 'bool') return { column, value: (raw) => raw };
  return { column: `lower(${column})`, value: (raw) => raw.toLowerCase() };
}

const SQL_OPERATORS = { EQ: '=', LT: '<', LTE: '<=', GT: '>', GTE: '>=' } as const;

function requireValue(filter: Filter): string {
  if (filter.value === undefined) throw invalidRequest(`operator ${filter.operator} requires a value`);
  return filter.value;
}

function linkCondition(caller: Caller, type: ObjectType, filter: Filter): SqlCondition {
  const to = objectTypeOf(filter.propertyName.slice('associations.'.length));
  if (to === null || filter.operator !== 'EQ')
    throw invalidRequest(`There was a problem with the request: ${filter.propertyName} cannot be searched this way`);
  const sql =
    'id IN (SELECT to_id FROM associations WHERE hub_id = ? AND from_type = ? AND from_id = ? AND to_type = ?)';
  return { sql, values: [caller.hubId, to, Number(requireValue(filter)) || 0, type] };
}

function condition(caller: Caller, type: ObjectType, filter: Filter): SqlCondition {
  if (filter.propertyName.startsWith('associations.')) return linkCondition(caller, type, filter);
  const definition = findProperty(caller.hubId, type, filter.propertyName);
  if (!definition)
    throw invalidRequest(`Invalid property name: ${filter.propertyName}. There was a problem with the request.`);
  const { column, value } = comparison(definition);
  switch (filter.operator) {
    case 'HAS_PROPERTY':
      return { sql: `${columnOf(definition)} IS NOT NULL`, values: [] };
    case 'NOT_HAS_PROPERTY':
      return { sql: `${columnOf(definition)} IS NULL`, values: [] };
    case 'NEQ':
      return { sql: `(${column} IS NULL OR ${column} <> ?)`, values: [value(requireValue(filter))] };
    case 'BETWEEN':
      if (filter.highValue === undefined) throw invalidRequest('operator BETWEEN requires a highValue');
      return { sql: `${column} BETWEEN ? AND ?`, values: [value(requireValue(filter)), value(filter.highValue)] };
    case 'IN':
    case 'NOT_IN': {
      if (!filter.values) throw invalidRequest(`operator ${filter.operator} requires values`);
      // Callers must send values of these two operators in lower case, so compare them unchanged.
      const operands = definition.type === 'string' ? filter.values : filter.values.map(value);
      const placeholders = operands.map(() => '?').join(', ');
      return filter.operator === 'IN'
        ? { sql: `${column} IN (${placeholders})`, values: operands }
        : { sql: `(${column} IS NULL OR ${column} NOT IN (${placeholders}))`, values: operands };
    }
    case 'CONTAINS_TOKEN':
    case 'NOT_CONTAINS_TOKEN': {
      const pattern = `%${requireValue(filter).toLowerCase().replaceAll('%', '').replaceAll('*', '%')}%`;
      const lowerValue = `lower(${columnOf(definition)})`;
      return filter.operator === 'CONTAINS_TOKEN'
        ? { sql: `${lowerValue} LIKE ?`, values: [pattern] }
        : { sql: `(${lowerValue} IS NULL OR ${lowerValue} NOT LIKE ?)`, values: [pattern] };
    }
    default:
      return { sql: `${column} ${SQL_OPERATORS[filter.operator]} ?`, values: [value(requireValue(filter))] };
  }
}

function joinConditions(conditions: SqlCondition[], operator: 'AND' | 'OR'): SqlCondition {
  return {
    sql: `(${conditions.map((piece) => piece.sql).join(` ${operator} `)})`,
    values: conditions.flatMap((piece) => piece.values),
  };
}

function orderOf(caller: Caller, type: ObjectType, sorts: z.output<typeof SearchBody>['sorts']): string {
  if (sorts.length > 1) throw invalidRequest('Only one sort is supported');
  const sort = sorts[0];
  if (sort === undefined) return 'created_ms, id';
  const name = typeof sort === 'string' ? sort.replace(/^-/, '') : sort.propertyName;
  const isDescending = typeof sort === 'string' ? sort.startsWith('-') : sort.direction === 'DESCENDING';
  const definition = findProperty(caller.hubId, type, name);
  if (!definition) throw invalidRequest(`Invalid property name: ${name}. There was a problem with the request.`);
  return `${columnOf(definition)} ${isDescending ? 'DESC' : 'ASC'}, id ${isDescending ? 'DESC' : 'ASC'}`;
}

function checkLimits(body: z.output<typeof SearchBody>, size: number, offset: number) {
  if (size > 3000) throw invalidRequest('The search body is too large: it may hold 3,000 characters');
  if (body.limit < 1 || body.limit > 200) throw invalidRequest('limit must be between 1 and 200');
  if (!Number.isInteger(offset) || offset < 0) throw invalidRequest('after must be an integer offset');
  if (offset + body.limit > 10_000) throw invalidRequest('This query goes beyond the first 10,000 results');
  const filters = body.filterGroups.map((group) => group.filters.length);
  if (filters.length > 5 || filters.some((count) => count > 6) || filters.reduce((a, b) => a + b, 0) > 18) {
    throw invalidRequest('Too many filters: 5 groups, 6 filters in each and 18 in all are supported');
  }
}

export async function search(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const size = (await c.req.text()).length;
  const body = await readJson(c, SearchBody);
  const offset = Number(body.after ?? 0);
  checkLimits(body, size, offset);
  const conditions: SqlCondition[] = [
    { sql: 'hub_id = ? AND type = ? AND archived_ms IS NULL', values: [caller.hubId, type] },
  ];
  const groups = body.filterGroups.filter((group) => group.filters.length > 0);
  if (groups.length > 0) {
    conditions.push(
      joinConditions(
        groups.map((group) =>
          joinConditions(
            group.filters.map((filter) => condition(caller, type, filter)),
            'AND',
          ),
        ),
        'OR',
      ),
    );
  }
  for (const word of (body.query ?? '').toLowerCase().split(/\s+/).filter(Boolean)) {
    conditions.push(
      joinConditions(
        searchableProperties[type].map((name) => ({
          sql: `lower(json_extract(properties, '$.${name}')) LIKE ?`,
          values: [`%${word}%`],
        })),
        'OR',
      ),
    );
  }
  // The search index lags behind the records.
  const lagMs = c.get('lagMs');
  if (lagMs > 0) conditions.push({ sql: 'created_ms <= ?', values: [world.now() - lagMs] });
  const where = joinConditions(conditions, 'AND');
  const total =
    world.store.get<{ n: number }>(`SELECT count(*) AS n FROM records WHERE ${where.sql}`, ...where.values)?.n ?? 0;
  const rows = world.store.all<StoredRecord>(
    `SELECT id, properties, created_ms, updated_ms, archived_ms FROM records WHERE ${where.sql} ORDER BY ${orderOf(caller, type, body.sorts)} LIMIT ? OFFSET ?`,
    ...where.values,
    body.limit,
    offset,
  );
  const requested = body.properties.length > 0 ? body.properties : searchDefaults[type];
  const end = offset + rows.length;
  return {
    total,
    results: rows.map((row) => renderRecord(caller.hubId, type, row, requested)),
    ...(end < total ? { paging: { next: { after: String(end) } } } : {}),
  };
}
