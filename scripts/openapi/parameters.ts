import type { ListRules } from '#shared/contracts/list-request';
import { listHeaders } from '#shared/contracts/list-values';
import { listLimits } from '#shared/limits';
import { isListRules, type Query } from '#worker/http/routes';
import type { Json, SchemaBook } from './schemas.ts';

const text = (maxLength: number): Json => ({ type: 'string', maxLength });

/** The parameters of a list by its rules (shared/contracts/list-values.ts says what they mean). */
function ofList({ sorts, statusField, ranges, hasContact, hasOpen }: ListRules): Record<string, Json> {
  return {
    page: { type: 'integer', minimum: 1, maximum: 10_000_000 },
    size: { type: 'integer', minimum: 1, maximum: listLimits.rows, default: listLimits.rows },
    sort: { type: 'string', enum: sorts.flatMap((field) => [field, `-${field}`]) },
    q: text(listLimits.words),
    cursor: text(2000),
    format: { type: 'string', enum: ['json', 'csv'], default: 'json' },
    ...(statusField ? { [statusField]: { type: 'string', pattern: '^[a-z][a-z_-]*(,[a-z][a-z_-]*)*$' } } : {}),
    ...Object.fromEntries(Object.keys(ranges).map((field) => [field, { type: 'string', examples: ['..', '1..2'] }])),
    ...(hasContact ? { contact: { type: 'string', pattern: '^\\d{1,20}$' } } : {}),
    ...(hasOpen ? { open: { type: 'string', enum: ['1'] } } : {}),
  };
}

/** Parameters of the path and of the query. */
export function parametersOf(template: string, query: Query | undefined, book: SchemaBook): Json[] {
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    ...(name === 'rest' ? { description: 'The rest of the address, which may hold slashes.' } : {}),
  }));
  if (!query) return inPath;
  if (isListRules(query))
    return [...inPath, ...Object.entries(ofList(query)).map(([name, schema]) => ({ name, in: 'query', schema }))];
  const { properties = {}, required = [] } = book.wholeOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return [
    ...inPath,
    ...Object.entries(properties).map(([name, schema]) => ({
      ...{ name, in: 'query', schema },
      ...(required.includes(name) ? { required: true } : {}),
    })),
  ];
}

/** Facts about a list travel in headers. */
export const headersOfLists: Json = Object.fromEntries(
  Object.values(listHeaders).map((name) => [name, { schema: { type: 'string' } }]),
);
