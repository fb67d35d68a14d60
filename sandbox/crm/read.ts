import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, World } from '../world.ts';
import type { Caller } from './access.ts';
import { type ObjectType, objectTypeOf, objectTypes } from './object-types.ts';
import { type ErrorDetail, invalidRequest, objectNotFound } from './problem.ts';
import { findRecord, linkCutoffMs, linksOf, listRecords, renderRecord, type StoredRecord } from './records.ts';

/** Reads a list parameter: one comma-separated value, as in the docs, or repeated, as in the official client. */
export function listParam(c: Context<SandboxEnv>, name: string): string[] {
  const values = c.req.queries(name) ?? [];
  return values
    .flatMap((value) => value.split(','))
    .map((value) => value.trim())
    .filter(Boolean);
}

export async function readJson<T>(c: Context<SandboxEnv>, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    throw invalidRequest('Invalid input JSON: body could not be parsed');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const errors: ErrorDetail[] = parsed.error.issues.map((issue) => ({
    message: `${issue.path.join('.')}: ${issue.message}`,
    in: issue.path.join('.'),
  }));
  throw invalidRequest(`Invalid input JSON: ${errors[0]?.message ?? 'unexpected shape'}`, errors);
}

export function limitParam(c: Context<SandboxEnv>, fallback: number, max: number): number {
  const text = c.req.query('limit');
  if (text === undefined) return fallback;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1) throw invalidRequest(`limit must be a positive integer, was: ${text}`);
  if (limit > max) throw invalidRequest(`limit was ${limit}, the maximum is ${max}`);
  return limit;
}

const cursor = {
  encode: (id: number) => Buffer.from(`r${id}`).toString('base64url'),
  decode(text: string): number {
    const id = Number(/^r(\d+)$/.exec(Buffer.from(text, 'base64url').toString())?.[1]);
    if (!Number.isInteger(id)) throw invalidRequest('after is not a valid paging cursor');
    return id;
  },
};

/** Larger sets of inline associations are paged. */
const INLINE_LIMIT = 100;

function inlineAssociations(world: World, caller: Caller, type: ObjectType, record: StoredRecord, targets: string[]) {
  const associations: Record<string, unknown> = {};
  const createdBefore = linkCutoffMs(world, caller.hubId);
  for (const name of targets) {
    const to = objectTypeOf(name);
    if (to === null) throw invalidRequest(`${name} is not a valid object type to associate`);
    const links = linksOf(world, caller.hubId, type, record.id, to, 0, INLINE_LIMIT + 1, createdBefore);
    if (links.length === 0) continue;
    const label = `${objectTypes[type].singular}_to_${objectTypes[to].singular}`;
    const page = links.slice(0, INLINE_LIMIT);
    const last = page.at(-1)?.to_id ?? 0;
    associations[objectTypes[to].inlineKey] = {
      results: page.map((link) => ({ id: String(link.to_id), type: label })),
      ...(links.length > page.length
        ? { paging: { next: { after: String(last), link: inlineLink(world, type, record.id, to, last) } } }
        : {}),
    };
  }
  return Object.keys(associations).length > 0 ? { associations } : {};
}

export const inlineLink = (world: World, type: ObjectType, id: number, to: ObjectType, after: number) =>
  `${world.publicUrl}/crm/v4/objects/${objectTypes[type].plural}/${id}/associations/${objectTypes[to].plural}?after=${after}`;

type RequestedFields = { properties: string[]; history: string[]; associations: string[] };

function requestedFieldsOf(c: Context<SandboxEnv>): RequestedFields {
  return {
    properties: listParam(c, 'properties'),
    history: listParam(c, 'propertiesWithHistory'),
    associations: listParam(c, 'associations'),
  };
}

export function list(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const limit = limitParam(c, 10, 100);
  const after = c.req.query('after');
  const requested = requestedFieldsOf(c);
  const archived = c.req.query('archived') === 'true';
  const rows = listRecords(world, caller.hubId, type, after ? cursor.decode(after) : 0, limit + 1, archived);
  const page = rows.slice(0, limit);
  const results = page.map((row) => ({
    ...renderRecord(caller.hubId, type, row, requested.properties, requested.history),
    ...inlineAssociations(world, caller, type, row, requested.associations),
  }));
  const last = page.at(-1);
  if (rows.length <= limit || !last) return { results };
  const next = new URL(c.req.path, world.publicUrl);
  for (const [name, values] of Object.entries(c.req.queries()))
    if (name !== 'after') for (const value of values) next.searchParams.append(name, value);
  next.searchParams.set('after', cursor.encode(last.id));
  return { results, paging: { next: { after: cursor.encode(last.id), link: next.href } } };
}

export function readOne(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType, id: string) {
  const idProperty = c.req.query('idProperty');
  const requested = requestedFieldsOf(c);
  const record = idProperty
    ? findByProperty(world, caller.hubId, type, idProperty, id)
    : findRecord(world, caller.hubId, type, id, c.req.query('archived') === 'true');
  if (!record) throw objectNotFound(id);
  return {
    ...renderRecord(caller.hubId, type, record, requested.properties, requested.history),
    ...inlineAssociations(world, caller, type, record, requested.associations),
  };
}

/** Finds a record by another unique property. Here, only email and number are unique. */
export function findByProperty(
  world: World,
  hubId: number,
  type: ObjectType,
  idProperty: string,
  value: string,
): StoredRecord | null {
  if (!['email', 'hs_number', 'hs_object_id'].includes(idProperty))
    throw invalidRequest(`${idProperty} is not a unique property`);
  if (idProperty === 'hs_object_id') return findRecord(world, hubId, type, value);
  return (
    world.store.get<StoredRecord>(
      `SELECT id, properties, created_ms, updated_ms, archived_ms FROM records
       WHERE hub_id = ? AND type = ? AND archived_ms IS NULL AND lower(json_extract(properties, '$.' || ?)) = lower(?)`,
      hubId,
      type,
      idProperty,
      value,
    ) ?? null
  );
}

export const BatchInputs = z.object({ inputs: z.array(z.object({ id: z.coerce.string() })) });
const BatchRead = BatchInputs.extend({
  properties: z.array(z.string()).default([]),
  propertiesWithHistory: z.array(z.string()).default([]),
  idProperty: z.string().optional(),
});

export const BATCH_MAX = 100;

export function requireBatchSize(count: number, max = BATCH_MAX) {
  if (count > max)
    throw invalidRequest(
      `The maximum number of inputs supported in a batch request for this object is ${max}; you supplied ${count}.`,
    );
}

export function batchAnswer<T>(startedMs: number, results: T[], errors: object[], now: number) {
  return {
    status: 'COMPLETE',
    results,
    ...(errors.length > 0 ? { numErrors: errors.length, errors } : {}),
    startedAt: new Date(startedMs).toISOString(),
    completedAt: new Date(now).toISOString(),
  };
}

export async function batchRead(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const startedMs = world.now();
  const body = await readJson(c, BatchRead);
  requireBatchSize(body.inputs.length);
  const archived = c.req.query('archived') === 'true';
  const missingIds: string[] = [];
  const records = new Map<number, StoredRecord>();
  for (const { id } of body.inputs) {
    const record = body.idProperty
      ? findByProperty(world, caller.hubId, type, body.idProperty, id)
      : findRecord(world, caller.hubId, type, id, archived);
    if (record) records.set(record.id, record);
    else missingIds.push(id);
  }
  // The API guarantees no order, so return the newest first, regardless of the order of the inputs.
  const results = [...records.values()]
    .sort((a, b) => b.id - a.id)
    .map((row) => renderRecord(caller.hubId, type, row, body.properties, body.propertiesWithHistory));
  const errors =
    missingIds.length > 0
      ? [
          {
            status: 'error',
            category: 'OBJECT_NOT_FOUND',
            message: 'Could not get some objects, they may be deleted or not exist. Check that ids are valid.',
            context: { ids: missingIds },
          },
        ]
      : [];
  return {
    status: errors.length > 0 ? (207 as const) : (200 as const),
    body: batchAnswer(startedMs, results, errors, world.now()),
  };
}
