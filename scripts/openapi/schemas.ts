import { globSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { ListRules } from '#shared/contracts/lists/list-request';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { listLimits } from '#shared/limits';
import { isListRules, type Query } from '#worker/http/routes';

/** A schema as JSON Schema 2020-12. */
export type Json = Record<string, unknown>;
type Schema = z.ZodMiniType;
type Side = 'input' | 'output';

const CONTRACTS = 'shared/contracts';

export const PREFIX = '#/components/schemas/';

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

type Named = { name: string; schema: Schema; side: Side };

/** The schemas that a value contains, at any depth. */
function schemasWithin(value: unknown, found = new Set<unknown>(), seen = new Set<unknown>()): Set<unknown> {
  if (typeof value !== 'object' || value === null || seen.has(value)) return found;
  seen.add(value);
  if (isSchema(value)) found.add(value);
  for (const inner of Object.values(isSchema(value) ? value._zod.def : value)) schemasWithin(inner, found, seen);
  return found;
}

/**
 * Every schema that a contract exports. A request schema is described as a caller writes it, before any transformation.
 * If two contracts use the same name, the contract's name is prefixed.
 */
async function readContracts(root: string, requests: readonly Schema[]): Promise<Named[]> {
  const files = globSync(`${CONTRACTS}/**/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const schemas: (Named & { contract: string })[] = [];
  const requestSchemas = schemasWithin(requests);
  for (const file of files.sort()) {
    const exported = (await import(path.join(root, file))) as Record<string, unknown>;
    for (const [name, schema] of Object.entries(exported)) {
      const side = requestSchemas.has(schema) ? 'input' : 'output';
      if (isSchema(schema)) schemas.push({ name, schema, side, contract: path.basename(file, '.ts') });
    }
  }
  const counts = new Map<string, number>();
  for (const { name } of schemas) counts.set(name, (counts.get(name) ?? 0) + 1);
  return schemas.map(({ contract, ...schema }) =>
    (counts.get(schema.name) ?? 0) > 1 ? { ...schema, name: `${contract}.${schema.name}` } : schema,
  );
}

/**
 * Converts schemas to JSON Schema. `requests`: the schemas of all requests. Call `register` for every schema first: a
 * named schema becomes a reference.
 */
export async function schemaBook(root: string, requests: readonly Schema[]) {
  const contracts = await readContracts(root, requests);
  const names = new Map(contracts.map(({ schema, name }) => [schema, name]));
  const sides = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };
  for (const { name, schema, side } of contracts) if (!sides[side].has(schema)) sides[side].add(schema, { id: name });
  let last = 0;
  let definitions: Record<Side, Record<string, Json>> | undefined;

  const write = (): Record<Side, Record<string, Json>> => ({
    input: components(sides.input, 'input'),
    output: components(sides.output, 'output'),
  });

  return {
    names: [...new Set(contracts.map(({ name }) => name))],
    nameOf: (schema: Schema): string | undefined => names.get(schema),
    register(schema: Schema, side: Side): void {
      if (!sides[side].has(schema)) sides[side].add(schema, { id: `unnamed ${last++}` });
    },
    /** A reference if the schema has a name, otherwise the full schema. */
    jsonOf(schema: Schema, side: Side): Json {
      definitions ??= write();
      const id = sides[side].get(schema)?.id ?? '';
      return names.has(schema) ? { $ref: PREFIX + id } : (definitions[side][id] ?? {});
    },
    /** The full schema, even if it has a name. */
    wholeOf(schema: Schema, side: Side): Json {
      definitions ??= write();
      return definitions[side][sides[side].get(schema)?.id ?? ''] ?? {};
    },
    components(): Record<string, Json> {
      definitions ??= write();
      const all = Object.entries({ ...definitions.input, ...definitions.output });
      return Object.fromEntries(all.filter(([id]) => !id.startsWith('unnamed ')).sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

export type SchemaBook = Awaited<ReturnType<typeof schemaBook>>;

function components(registry: ReturnType<typeof z.registry<{ id: string }>>, io: Side): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => PREFIX + id });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _version, $id: _id, id: _name, ...json }]) => [id, json as Json]),
  );
}

/** Names of the components that a part of the document references, directly or indirectly. */
export function referencedNames(from: unknown, all: Record<string, Json>, seen = new Set<string>()): Set<string> {
  if (Array.isArray(from)) for (const item of from) referencedNames(item, all, seen);
  else if (typeof from === 'object' && from !== null)
    for (const [key, value] of Object.entries(from)) {
      const name =
        key === '$ref' && typeof value === 'string' && value.startsWith(PREFIX) ? value.slice(PREFIX.length) : '';
      if (name && !seen.has(name)) referencedNames(all[name], all, seen.add(name));
      else if (!name) referencedNames(value, all, seen);
    }
  return seen;
}

const text = (maxLength: number): Json => ({ type: 'string', maxLength });

/** The parameters of a list from its rules (shared/contracts/lists/list-values.ts documents them). */
function ofListRules({
  sorts,
  statusField,
  ranges,
  hasContact,
  hasOpen,
  hasTerminal,
}: ListRules): Record<string, Json> {
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
    ...(hasTerminal ? { terminal: text(listLimits.words) } : {}),
  };
}

/** Parameters of the path and of the query. */
export function parametersOf(template: string, query: Query | undefined, book: SchemaBook): Json[] {
  const inPath = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    ...(name === 'rest' ? { description: 'The rest of the address, which may hold slashes.' } : {}),
  }));
  if (!query) return inPath;
  if (isListRules(query))
    return [...inPath, ...Object.entries(ofListRules(query)).map(([name, schema]) => ({ name, in: 'query', schema }))];
  const { properties = {}, required = [] } = book.wholeOf(query, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return [
    ...inPath,
    ...Object.entries(properties).map(([name, schema]) => ({
      name,
      in: 'query',
      schema,
      ...(required.includes(name) ? { required: true } : {}),
    })),
  ];
}

/** Response headers with metadata of a list. */
export const headersOfLists: Json = Object.fromEntries(
  Object.values(listHeaders).map((name) => [name, { schema: { type: 'string' } }]),
);
