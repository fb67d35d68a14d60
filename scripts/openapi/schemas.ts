import { globSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

/** A schema as JSON Schema 2020-12. */
export type Json = Record<string, unknown>;
type Schema = z.ZodMiniType;
type Side = 'input' | 'output';

const CONTRACTS = 'shared/contracts';
/** Contracts of what is sent to us. They are described as a caller writes them, before anything is cut or counted. */
const OF_REQUESTS = /-request\.ts$|\/part\.ts$|\/request-id\.ts$/;

export const PLACE = '#/components/schemas/';

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null && '_zod' in value;

type Named = { name: string; schema: Schema; side: Side };

/** Every schema that a contract exports. Where two contracts use one name, the contract's stands before it. */
async function readContracts(root: string): Promise<Named[]> {
  const files = globSync(`${CONTRACTS}/**/*.ts`, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const found: (Named & { contract: string })[] = [];
  for (const file of files.sort()) {
    const exported = (await import(path.join(root, file))) as Record<string, unknown>;
    const side = OF_REQUESTS.test(file) ? 'input' : 'output';
    for (const [name, schema] of Object.entries(exported))
      if (isSchema(schema)) found.push({ name, schema, side, contract: path.basename(file, '.ts') });
  }
  const times = new Map<string, number>();
  for (const { name } of found) times.set(name, (times.get(name) ?? 0) + 1);
  return found.map(({ contract, ...one }) =>
    (times.get(one.name) ?? 0) > 1 ? { ...one, name: `${contract}.${one.name}` } : one,
  );
}

/** Turns schemas into JSON Schema. Ask for all of them with `want` first; what has a name becomes a reference. */
export async function schemaBook(root: string) {
  const named = await readContracts(root);
  const names = new Map(named.map(({ schema, name }) => [schema, name]));
  const sides = {
    input: z.registry<{ id: string }>(),
    output: z.registry<{ id: string }>(),
  };
  for (const { name, schema, side } of named) if (!sides[side].has(schema)) sides[side].add(schema, { id: name });
  let last = 0;
  let written: Record<Side, Record<string, Json>> | undefined;

  const write = (): Record<Side, Record<string, Json>> => ({
    input: components(sides.input, 'input'),
    output: components(sides.output, 'output'),
  });

  return {
    names: [...new Set(named.map(({ name }) => name))],
    nameOf: (schema: Schema): string | undefined => names.get(schema),
    want(schema: Schema, side: Side): void {
      if (!sides[side].has(schema)) sides[side].add(schema, { id: `unnamed ${last++}` });
    },
    /** A reference where it has a name, and all of it elsewhere. */
    jsonOf(schema: Schema, side: Side): Json {
      written ??= write();
      const id = sides[side].get(schema)?.id ?? '';
      return names.has(schema) ? { $ref: PLACE + id } : (written[side][id] ?? {});
    },
    /** All of it, also where it has a name. */
    wholeOf(schema: Schema, side: Side): Json {
      written ??= write();
      return written[side][sides[side].get(schema)?.id ?? ''] ?? {};
    },
    components(): Record<string, Json> {
      written ??= write();
      const all = Object.entries({ ...written.input, ...written.output });
      return Object.fromEntries(all.filter(([id]) => !id.startsWith('unnamed ')).sort(([a], [b]) => (a < b ? -1 : 1)));
    },
  };
}

export type SchemaBook = Awaited<ReturnType<typeof schemaBook>>;

function components(of: ReturnType<typeof z.registry<{ id: string }>>, io: Side): Record<string, Json> {
  const { schemas } = z.toJSONSchema(of, { io, uri: (id) => PLACE + id });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _version, $id: _id, id: _name, ...json }]) => [id, json as Json]),
  );
}

/** Names of the components that a part of the document leads to, directly or through others. */
export function reached(from: unknown, all: Record<string, Json>, seen = new Set<string>()): Set<string> {
  if (Array.isArray(from)) for (const one of from) reached(one, all, seen);
  else if (typeof from === 'object' && from !== null)
    for (const [key, value] of Object.entries(from)) {
      const name =
        key === '$ref' && typeof value === 'string' && value.startsWith(PLACE) ? value.slice(PLACE.length) : '';
      if (name && !seen.has(name)) reached(all[name], all, seen.add(name));
      else if (!name) reached(value, all, seen);
    }
  return seen;
}
