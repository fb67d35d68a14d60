import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, World } from '../world.ts';
import type { Caller } from './access.ts';
import { countPayment, recomputeInvoice, requireAcceptedPayment } from './invoice-totals.ts';
import {
  associationTypeId,
  CONTACT,
  INVOICE,
  LINE_ITEM,
  type ObjectType,
  objectTypeOf,
  objectTypes,
  PAYMENT,
} from './object-types.ts';
import { CrmProblem, type ErrorDetail, invalidRequest, objectNotFound } from './problem.ts';
import { findProperty } from './properties.ts';
import { BATCH_MAX, BatchInputs, batchAnswer, readJson, requireBatchSize } from './read.ts';
import {
  associate,
  findRecord,
  insertRecord,
  linksOf,
  type Properties,
  renderRecord,
  reserveIds,
  type StoredRecord,
  saveProperties,
} from './records.ts';

const propertyValue = z
  .union([z.string(), z.number(), z.boolean(), z.null()])
  .transform((raw) => (raw === null ? '' : String(raw)));
const PropertyMap = z.record(z.string(), propertyValue);
const Association = z.object({
  to: z.object({ id: z.coerce.string() }),
  types: z.array(z.object({ associationCategory: z.string(), associationTypeId: z.coerce.number() })).min(1),
});
const CreateInput = z.object({ properties: PropertyMap, associations: z.array(Association).nullish() });
const UpdateInput = z.object({ properties: PropertyMap });

type Failure = { name: string; error: string; message: string };

/** Returns the text to store for a value, or HubSpot's reason for refusing the value. */
function acceptValue(hubId: number, type: ObjectType, name: string, raw: string): string | Failure {
  const definition = findProperty(hubId, type, name);
  const failure = (error: string, message: string): Failure => ({ name, error, message });
  if (!definition) return failure('PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`);
  if (definition.readOnly)
    return failure('READ_ONLY_VALUE', `"${name}" is a read only property; its value cannot be set.`);
  if (raw === '') return raw;
  if (definition.options.length > 0 && !definition.options.includes(raw)) {
    return failure('INVALID_OPTION', `${raw} was not one of the allowed options: [${definition.options.join(', ')}]`);
  }
  if (definition.type === 'number' && !/^-?\d+(\.\d+)?$/.test(raw))
    return failure('INVALID_LONG', `${raw} was not a valid number.`);
  if (definition.type === 'datetime') {
    const ms = /^-?\d+$/.test(raw) ? Number(raw) : Date.parse(raw);
    return Number.isNaN(ms) ? failure('INVALID_DATE', `${raw} was not a valid date.`) : new Date(ms).toISOString();
  }
  return raw;
}

function acceptProperties(caller: Caller, type: ObjectType, values: Record<string, string>): Properties {
  const failures: Failure[] = [];
  const properties: Properties = {};
  for (const [name, raw] of Object.entries(values)) {
    const result = acceptValue(caller.hubId, type, name, raw);
    if (typeof result === 'string') properties[name] = result;
    else failures.push(result);
  }
  if (failures.length === 0) return properties;
  const details = failures.map((failure) => ({
    isValid: false,
    message: failure.message,
    error: failure.error,
    name: failure.name,
    localizedErrorMessage: failure.message,
    portalId: caller.hubId,
  }));
  const errors: ErrorDetail[] = failures.map((failure) => ({
    message: failure.message,
    code: failure.error,
    context: { propertyName: [failure.name] },
  }));
  throw invalidRequest(`Property values were not valid: ${JSON.stringify(details)}`, errors);
}

function targetOf(from: ObjectType, association: z.output<typeof Association>): ObjectType {
  const typeId = association.types[0]?.associationTypeId ?? 0;
  for (const name of ['contact', 'company', 'line_item', 'invoice', 'commerce_payment']) {
    const to = objectTypeOf(name);
    if (to !== null && associationTypeId(from, to) === typeId) return to;
  }
  throw invalidRequest(`No association type ${typeId} exists from ${objectTypes[from].singular}`);
}

function insertObject(
  world: World,
  caller: Caller,
  type: ObjectType,
  input: z.output<typeof CreateInput>,
): StoredRecord {
  const properties = acceptProperties(caller, type, input.properties);
  if (type === PAYMENT) {
    if (!properties.hs_initial_amount || !properties.hs_initiated_date)
      throw missingProperties(['hs_initial_amount', 'hs_initiated_date'].filter((name) => !properties[name]));
    properties.hs_latest_status ||= 'processing';
  }
  if (type === INVOICE) {
    if (!properties.hs_currency) throw missingProperties(['hs_currency']);
    if (properties.hs_invoice_status && properties.hs_invoice_status !== 'draft')
      throw invalidRequest('An invoice is created as a draft');
    const now = new Date(world.now()).toISOString();
    Object.assign(properties, {
      hs_invoice_status: 'draft',
      hs_invoice_date: properties.hs_invoice_date || now,
      hs_due_date: properties.hs_due_date || now,
    });
  }
  const targets = (input.associations ?? []).map((association) => {
    const to = targetOf(type, association);
    const record = findRecord(world, caller.hubId, to, association.to.id);
    if (!record) throw objectNotFound(association.to.id);
    return { to, id: record.id };
  });
  if (type === PAYMENT)
    requireAcceptedPayment(world, caller.hubId, targets.find(({ to }) => to === INVOICE)?.id, properties);
  const id = reserveIds(world, caller.hubId, 1);
  insertRecord(world, caller.hubId, type, id, properties, world.now());
  for (const target of targets) associate(world, caller.hubId, type, id, target.to, target.id);
  for (const target of targets) {
    if (type === LINE_ITEM && target.to === INVOICE) recomputeInvoice(world, caller.hubId, target.id);
    if (type === PAYMENT && target.to === INVOICE) countPayment(world, caller.hubId, target.id, {}, properties);
  }
  if (type === INVOICE) recomputeInvoice(world, caller.hubId, id);
  return requireObject(world, caller, type, id);
}

function missingProperties(names: string[]) {
  const errors = names.map((name) => ({
    message: `"${name}" is required`,
    code: 'MISSING_REQUIRED_PROPERTY',
    context: { propertyName: [name] },
  }));
  return invalidRequest(`Error creating object. Some required properties were not set: ${names.join(', ')}`, errors);
}

function requireObject(world: World, caller: Caller, type: ObjectType, id: number): StoredRecord {
  const record = findRecord(world, caller.hubId, type, String(id));
  if (!record) throw objectNotFound(String(id));
  return record;
}

/** Opening a draft requires a contact and a line item. Only a payment record can set an invoice to paid. */
function checkInvoiceStatus(
  world: World,
  caller: Caller,
  record: StoredRecord,
  previous: Properties,
  updated: Properties,
) {
  if (updated.hs_invoice_status === previous.hs_invoice_status) return;
  if (updated.hs_invoice_status === 'paid')
    throw invalidRequest('An invoice becomes paid through a payment; its status cannot be set to paid.');
  if (updated.hs_invoice_status !== 'open' || previous.hs_invoice_status !== 'draft') return;
  for (const type of [CONTACT, LINE_ITEM]) {
    if (linksOf(world, caller.hubId, INVOICE, record.id, type as ObjectType, 0, 1).length > 0) continue;
    throw invalidRequest(`An open invoice needs at least one ${objectTypes[type as ObjectType].singular}.`);
  }
}

function updateObject(
  world: World,
  caller: Caller,
  type: ObjectType,
  id: string,
  values: Record<string, string>,
): StoredRecord {
  const record = findRecord(world, caller.hubId, type, id);
  if (!record) throw objectNotFound(id);
  const previous: Properties = JSON.parse(record.properties);
  const updated: Properties = { ...previous, ...acceptProperties(caller, type, values) };
  if (type === INVOICE) checkInvoiceStatus(world, caller, record, previous, updated);
  saveProperties(world, caller.hubId, type, record.id, updated);
  if (type === INVOICE) recomputeInvoice(world, caller.hubId, record.id);
  for (const link of linksOf(world, caller.hubId, type, record.id, INVOICE, 0, 1)) {
    if (type === LINE_ITEM) recomputeInvoice(world, caller.hubId, link.to_id);
    if (type === PAYMENT) countPayment(world, caller.hubId, link.to_id, previous, updated);
  }
  return requireObject(world, caller, type, record.id);
}

const renderObject = (caller: Caller, type: ObjectType, record: StoredRecord, names: string[]) =>
  renderRecord(caller.hubId, type, record, names);

export async function create(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const input = await readJson(c, CreateInput);
  return renderObject(
    caller,
    type,
    world.store.transaction(() => insertObject(world, caller, type, input)),
    Object.keys(input.properties),
  );
}

export async function update(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType, id: string) {
  const input = await readJson(c, UpdateInput);
  return renderObject(
    caller,
    type,
    world.store.transaction(() => updateObject(world, caller, type, id, input.properties)),
    Object.keys(input.properties),
  );
}

export function archive(world: World, caller: Caller, type: ObjectType, id: string) {
  if (!/^\d{1,15}$/.test(id)) throw objectNotFound(id);
  world.store.run(
    'UPDATE records SET archived_ms = ?, updated_ms = ? WHERE hub_id = ? AND type = ? AND id = ? AND archived_ms IS NULL',
    world.now(),
    world.now(),
    caller.hubId,
    type,
    Number(id),
  );
}

export async function batchCreate(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const started = world.now();
  const { inputs } = await readJson(c, z.object({ inputs: z.array(CreateInput) }));
  requireBatchSize(inputs.length, BATCH_MAX);
  const records = world.store.transaction(() =>
    inputs.map((input) =>
      renderObject(caller, type, insertObject(world, caller, type, input), Object.keys(input.properties)),
    ),
  );
  return batchAnswer(started, records, [], world.now());
}

export async function batchUpdate(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const started = world.now();
  const { inputs } = await readJson(c, z.object({ inputs: z.array(UpdateInput.extend({ id: z.coerce.string() })) }));
  requireBatchSize(inputs.length, BATCH_MAX);
  const results: object[] = [];
  const errors: object[] = [];
  for (const input of inputs) {
    try {
      results.push(
        renderObject(
          caller,
          type,
          world.store.transaction(() => updateObject(world, caller, type, input.id, input.properties)),
          Object.keys(input.properties),
        ),
      );
    } catch (problem) {
      if (!(problem instanceof CrmProblem)) throw problem;
      errors.push({ ...problem.body, context: { ids: [input.id] } });
    }
  }
  return {
    status: errors.length > 0 ? (207 as const) : (200 as const),
    body: batchAnswer(started, results, errors, world.now()),
  };
}

export async function batchArchive(world: World, c: Context<SandboxEnv>, caller: Caller, type: ObjectType) {
  const { inputs } = await readJson(c, BatchInputs);
  requireBatchSize(inputs.length, BATCH_MAX);
  world.store.transaction(() => {
    for (const { id } of inputs) archive(world, caller, type, id);
  });
}

export function linkDefault(world: World, caller: Caller, from: ObjectType, id: string, to: ObjectType, toId: string) {
  const source = findRecord(world, caller.hubId, from, id);
  const target = findRecord(world, caller.hubId, to, toId);
  if (!source || !target) throw objectNotFound(source ? toId : id);
  if (associationTypeId(from, to) === null) throw invalidRequest('These objects cannot be associated');
  world.store.transaction(() => associate(world, caller.hubId, from, source.id, to, target.id));
  return {
    status: 'COMPLETE',
    results: [
      {
        from: { id },
        to: { id: toId },
        associationSpec: { associationCategory: 'HUBSPOT_DEFINED', associationTypeId: associationTypeId(from, to) },
      },
    ],
    startedAt: new Date(world.now()).toISOString(),
    completedAt: new Date(world.now()).toISOString(),
  };
}
