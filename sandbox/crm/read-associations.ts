import type { Context } from 'hono';
import { z } from 'zod';
import type { SandboxEnv, World } from '../world.ts';
import type { Caller } from './access.ts';
import { associationTypeId, type ObjectType, objectTypes } from './object-types.ts';
import { invalidRequest, objectNotFound } from './problem.ts';
import { batchAnswer, inlineLink, limitParam, readJson, requireBatchSize } from './read.ts';
import { findRecord, linkCutoffMs, linksOf } from './records.ts';

const AssociationInputs = z.object({
  inputs: z.array(z.object({ id: z.coerce.string(), after: z.coerce.string().optional() })),
});
const LINKS_PER_PAGE = 500;

/** In v4, `toObjectId` is a number, although the specification says text. Categories are in capitals. */
const toLink = (link: { to_id: number; type_id: number }) => ({
  toObjectId: link.to_id,
  associationTypes: [{ category: 'HUBSPOT_DEFINED', typeId: link.type_id, label: null }],
});

function linkPage(
  world: World,
  caller: Caller,
  from: ObjectType,
  fromId: number,
  to: ObjectType,
  after: string | undefined,
  limit: number,
) {
  const createdBefore = linkCutoffMs(world, caller.hubId);
  const links = linksOf(world, caller.hubId, from, fromId, to, Number(after ?? 0) || 0, limit + 1, createdBefore);
  const page = links.slice(0, limit);
  const last = page.at(-1);
  const paging =
    links.length > limit && last
      ? { paging: { next: { after: String(last.to_id), link: inlineLink(world, from, fromId, to, last.to_id) } } }
      : {};
  return { links: page.map(toLink), paging };
}

export function readAssociations(
  world: World,
  c: Context<SandboxEnv>,
  caller: Caller,
  from: ObjectType,
  id: string,
  to: ObjectType,
) {
  const record = findRecord(world, caller.hubId, from, id);
  if (!record) throw objectNotFound(id);
  const { links, paging } = linkPage(
    world,
    caller,
    from,
    record.id,
    to,
    c.req.query('after'),
    limitParam(c, LINKS_PER_PAGE, LINKS_PER_PAGE),
  );
  return { results: links, ...paging };
}

export async function batchReadAssociations(
  world: World,
  c: Context<SandboxEnv>,
  caller: Caller,
  from: ObjectType,
  to: ObjectType,
  isNewestVersion: boolean,
) {
  const startedMs = world.now();
  if (associationTypeId(from, to) === null) {
    throw invalidRequest(`Objects of type ${from} and ${to} cannot be associated`);
  }
  const body = await readJson(c, AssociationInputs);
  requireBatchSize(body.inputs.length, 1000);
  const results: object[] = [];
  const errors: object[] = [];
  for (const { id, after } of body.inputs) {
    const record = findRecord(world, caller.hubId, from, id);
    const { links, paging } = record
      ? linkPage(world, caller, from, record.id, to, after, LINKS_PER_PAGE)
      : { links: [], paging: {} };
    if (links.length > 0) results.push({ from: { id }, to: links, ...paging });
    else errors.push(noAssociations(id, from, to));
  }
  // 207 for partial results, except in 2026-09, whose schema lists only 200.
  return {
    status: errors.length > 0 && !isNewestVersion ? (207 as const) : (200 as const),
    body: batchAnswer(startedMs, results, errors, world.now()),
  };
}

const noAssociations = (id: string, from: ObjectType, to: ObjectType) => ({
  status: 'error',
  category: 'OBJECT_NOT_FOUND',
  subCategory: 'crm.associations.NO_ASSOCIATIONS_FOUND',
  message: `No ${objectTypes[to].singular} is associated with ${objectTypes[from].singular} ${id}.`,
  context: {
    fromObjectId: [id],
    fromObjectType: [objectTypes[from].singular],
    toObjectType: [objectTypes[to].singular],
  },
});
