import type { World } from '../world.ts';
import { associationTypeId, type ObjectType, objectTypes, PAYMENT } from './object-types.ts';
import { defaultProperties, findProperty, type PropertyDefinition, propertiesOf } from './properties.ts';

export type StoredRecord = {
  id: number;
  properties: string;
  created_ms: number;
  updated_ms: number;
  archived_ms: number | null;
};
export type Properties = Record<string, string | null>;

/** Java instants omit zero milliseconds, so callers must parse them instead of comparing text. */
const formatInstant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');

export function isRecordId(text: string): boolean {
  return /^\d{1,15}$/.test(text);
}

export function findRecord(
  world: World,
  hubId: number,
  type: ObjectType,
  id: string,
  archived = false,
): StoredRecord | null {
  if (!isRecordId(id)) return null;
  const row = world.store.get<StoredRecord>(
    'SELECT id, properties, created_ms, updated_ms, archived_ms FROM records WHERE hub_id = ? AND type = ? AND id = ?',
    hubId,
    type,
    Number(id),
  );
  return row && (row.archived_ms !== null) === archived ? row : null;
}

export function listRecords(
  world: World,
  hubId: number,
  type: ObjectType,
  afterId: number,
  limit: number,
  archived: boolean,
): StoredRecord[] {
  return world.store.all<StoredRecord>(
    `SELECT id, properties, created_ms, updated_ms, archived_ms FROM records
     WHERE hub_id = ? AND type = ? AND id > ? AND (archived_ms IS NOT NULL) = ? ORDER BY id LIMIT ?`,
    hubId,
    type,
    afterId,
    archived ? 1 : 0,
    limit,
  );
}

function propertyValue(
  definition: PropertyDefinition,
  record: StoredRecord,
  storedProperties: Properties,
): string | null {
  if (definition.system === 'id') return String(record.id);
  if (definition.system === 'created') return formatInstant(record.created_ms);
  if (definition.system === 'updated') return formatInstant(record.updated_ms);
  const value = storedProperties[definition.name] ?? null;
  return definition.type === 'datetime' && value ? value.replace('.000Z', 'Z') : value;
}

/** Renders empty properties as null and omits unknown names. Always includes the id and the two times. */
export function renderRecord(
  hubId: number,
  type: ObjectType,
  record: StoredRecord,
  requested: string[],
  history: string[] = [],
) {
  const storedProperties: Properties = JSON.parse(record.properties);
  const names = new Set(requested.length > 0 ? requested : defaultProperties[type]);
  const properties: Properties = {};
  for (const definition of propertiesOf(hubId, type)) {
    if (definition.system || names.has(definition.name))
      properties[definition.name] = propertyValue(definition, record, storedProperties);
  }
  const propertiesWithHistory: Record<string, { value: string; timestamp: string; sourceType: string }[]> = {};
  for (const name of history) {
    const definition = findProperty(hubId, type, name);
    const value = definition && propertyValue(definition, record, storedProperties);
    if (value)
      propertiesWithHistory[name] = [{ value, timestamp: formatInstant(record.updated_ms), sourceType: 'CRM_UI' }];
  }
  return {
    id: String(record.id),
    properties,
    ...(history.length > 0 ? { propertiesWithHistory } : {}),
    createdAt: formatInstant(record.created_ms),
    updatedAt: formatInstant(record.updated_ms),
    archived: record.archived_ms !== null,
    ...(record.archived_ms !== null ? { archivedAt: formatInstant(record.archived_ms) } : {}),
  };
}

/** Responses contain the links of payment records created up to this time (ms). */
export const linkCutoffMs = (world: World, hubId: number) => world.now() - world.settings(hubId).association_lag_ms;

export function insertRecord(
  world: World,
  hubId: number,
  type: ObjectType,
  id: number,
  properties: Properties,
  createdMs: number,
  updatedMs = createdMs,
) {
  const storedProperties = Object.fromEntries(
    Object.entries(properties).filter(([, value]) => value !== null && value !== ''),
  );
  world.store.run(
    'INSERT INTO records (hub_id, type, id, properties, created_ms, updated_ms) VALUES (?, ?, ?, ?, ?, ?)',
    hubId,
    type,
    id,
    JSON.stringify(storedProperties),
    createdMs,
    updatedMs,
  );
}

export function saveProperties(world: World, hubId: number, type: ObjectType, id: number, properties: Properties) {
  const storedProperties = Object.fromEntries(
    Object.entries(properties).filter(([, text]) => text !== null && text !== ''),
  );
  world.store.run(
    'UPDATE records SET properties = ?, updated_ms = ? WHERE hub_id = ? AND type = ? AND id = ?',
    JSON.stringify(storedProperties),
    world.now(),
    hubId,
    type,
    id,
  );
}

/** Links two records in both directions, as HubSpot does. */
export function associate(world: World, hubId: number, from: ObjectType, fromId: number, to: ObjectType, toId: number) {
  const link =
    'INSERT OR IGNORE INTO associations (hub_id, from_type, from_id, to_type, to_id, type_id) VALUES (?, ?, ?, ?, ?, ?)';
  const typeId = associationTypeId(from, to);
  const reverseTypeId = associationTypeId(to, from);
  if (typeId === null || reverseTypeId === null)
    throw new Error(`${objectTypes[from].singular} and ${objectTypes[to].singular} cannot be linked`);
  world.store.run(link, hubId, from, fromId, to, toId, typeId);
  world.store.run(link, hubId, to, toId, from, fromId, reverseTypeId);
}

export type Link = { to_id: number; type_id: number };

/**
 * Returns the links of one record in id order, without links to archived records and without links of payment records
 * created after `createdBefore` (ms).
 */
export function linksOf(
  world: World,
  hubId: number,
  from: ObjectType,
  fromId: number,
  to: ObjectType,
  afterId: number,
  limit: number,
  createdBefore = Number.MAX_SAFE_INTEGER,
): Link[] {
  if (from === PAYMENT && (findRecord(world, hubId, from, String(fromId))?.created_ms ?? 0) > createdBefore) return [];
  return world.store.all<Link>(
    `SELECT a.to_id, a.type_id FROM associations a
     JOIN records r ON r.hub_id = a.hub_id AND r.type = a.to_type AND r.id = a.to_id AND r.archived_ms IS NULL
     WHERE a.hub_id = ? AND a.from_type = ? AND a.from_id = ? AND a.to_type = ? AND a.to_id > ?
       AND (r.type <> ? OR r.created_ms <= ?) ORDER BY a.to_id, a.type_id LIMIT ?`,
    hubId,
    from,
    fromId,
    to,
    afterId,
    PAYMENT,
    createdBefore,
    limit,
  );
}

/** Reserves `count` ids that this hub has never used, not even before a reset. */
export function reserveIds(world: World, hubId: number, count: number): number {
  const first = Number(world.store.meta(`next-id:${hubId}`));
  world.store.setMeta(`next-id:${hubId}`, String(first + count));
  return first;
}
