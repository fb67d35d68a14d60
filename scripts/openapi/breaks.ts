/** The path in OpenAPI syntax. */
export const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{rest}');

/** Key of an operation: two routes at one address are one operation, and differ only in their callers. */
export const addressOf = (path: string): string => templateOf(path).replace(/\{\w+\}/g, '{}');

/** A schema in openapi.json, with only the keywords that are compared. */
type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
};
type Content = Record<string, { schema?: Schema }>;
type Parameter = { name: string; in: string; required?: boolean; schema: Schema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
};
export type Api = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

/** A change that may break existing callers. `call` is `METHOD /path`. */
export type Break = { call: string; change: string };
type Side = 'request' | 'response';
/** Both documents, and the pairs of schemas in comparison, since a schema may be recursive. */
type Pair = { before: Api; after: Api; side: Side; open: Set<string> };

const callsOf = ({ paths }: Api): Map<string, { template: string; method: string; operation: Operation }> =>
  new Map(
    Object.entries(paths).flatMap(([template, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method} ${addressOf(template)}`,
        { template, method: method.toUpperCase(), operation },
      ]),
    ),
  );

/** All changes from `before` to `after` that may break callers. New fields and values in responses do not count. */
export function breaksBetween(before: Api, after: Api): Break[] {
  const newCalls = callsOf(after);
  return [...callsOf(before)].flatMap(([key, { template, method, operation }]) => {
    const call = `${method} ${template}`;
    const newCall = newCalls.get(key);
    const changes = newCall ? breaksOfCall(operation, newCall.operation, { before, after }) : ['is gone'];
    return [...new Set(changes)].map((change) => ({ call, change }));
  });
}

function breaksOfCall(before: Operation, after: Operation, documents: { before: Api; after: Api }): string[] {
  const inRequest: Pair = { ...documents, side: 'request', open: new Set() };
  const inResponse: Pair = { ...documents, side: 'response', open: new Set() };
  const newParameters = new Map(
    after.parameters?.filter(({ in: place }) => place === 'query').map((parameter) => [parameter.name, parameter]),
  );
  const parameters = (before.parameters ?? [])
    .filter(({ in: place }) => place === 'query')
    .flatMap(({ name, schema }) => {
      const newParameter = newParameters.get(name);
      newParameters.delete(name);
      return newParameter ? differences(schema, newParameter.schema, `?${name}`, inRequest) : [`?${name} is gone`];
    });
  const required = [...newParameters.values()]
    .filter(({ required }) => required)
    .map(({ name }) => `?${name} is required now`);
  const bodies = breaksOfContent(before.requestBody?.content, after.requestBody?.content, 'the body', inRequest);
  const newBody = !before.requestBody && after.requestBody ? ['a body is required now'] : [];
  const answers = Object.entries(before.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { content }]) =>
      after.responses[status]
        ? breaksOfContent(content, after.responses[status].content, status, inResponse)
        : [`${status} is no longer returned`],
    );
  return [...parameters, ...required, ...newBody, ...bodies, ...answers];
}

const breaksOfContent = (before: Content | undefined, after: Content | undefined, at: string, pair: Pair): string[] =>
  Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const newContent = after?.[type];
    if (!newContent) return [`${at} no longer has the type ${type}`];
    return schema && newContent.schema ? differences(schema, newContent.schema, at, pair) : [];
  });

function resolve(schema: Schema, { components }: Api): Schema {
  const name = schema.$ref?.replace(/.*\//, '');
  return name === undefined ? schema : resolve(components.schemas[name] ?? {}, { components, paths: {} });
}

function variants(schema: Schema, api: Api): (Schema & { type?: string })[] {
  const { type, ...whole } = resolve(schema, api);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return choices.flatMap((option) => variants(option, api));
  if (Array.isArray(type)) return type.map((option) => ({ ...whole, type: option }));
  return [type === undefined ? whole : { ...whole, type }];
}

function differences(before: Schema, after: Schema, at: string, pair: Pair): string[] {
  const key = `${pair.side} ${before.$ref} ${after.$ref}`;
  if (before.$ref && after.$ref) {
    if (pair.open.has(key)) return [];
    pair.open.add(key);
  }
  const [oldVariants, newVariants] = [variants(before, pair.before), variants(after, pair.after)];
  const [required, accepted] = pair.side === 'request' ? [oldVariants, newVariants] : [newVariants, oldVariants];
  const changes = required.flatMap((variant) => {
    const tries = accepted.map((option) =>
      pair.side === 'request' ? compareVariants(variant, option, at, pair) : compareVariants(option, variant, at, pair),
    );
    // The closest variant gives the most useful message.
    return tries.sort((a, b) => a.length - b.length)[0] ?? [`${at} has another type`];
  });
  pair.open.delete(key);
  return changes;
}

const kindOf = ({ type, ...schema }: Schema & { type?: string }): string =>
  type ?? ('const' in schema ? typeof schema.const : 'anything');
const takes = (wide: string, narrow: string): boolean =>
  wide === narrow || wide === 'anything' || (wide === 'number' && narrow === 'integer');

function compareVariants(
  before: Schema & { type?: string },
  after: Schema & { type?: string },
  at: string,
  pair: Pair,
): string[] {
  const [was, is] = [kindOf(before), kindOf(after)];
  if (!(pair.side === 'request' ? takes(is, was) : takes(was, is))) return [`${at} was ${was} and is ${is}`];
  if (was === 'object' && is === 'object') return compareObjects(before, after, at, pair);
  if (before.items && after.items)
    return [...limits(before, after, at, pair), ...differences(before.items, after.items, `${at}[]`, pair)];
  return [...values(before, after, at, pair), ...limits(before, after, at, pair)];
}

function compareObjects(before: Schema, after: Schema, at: string, pair: Pair): string[] {
  const isRequest = pair.side === 'request';
  const [was, is] = [before.required ?? [], after.required ?? []];
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const newSchema = after.properties?.[name];
    if (!newSchema) return [`${at}.${name} is gone`];
    const optional = !isRequest && was.includes(name) && !is.includes(name) ? [`${at}.${name} is optional now`] : [];
    return [...optional, ...differences(schema, newSchema, `${at}.${name}`, pair)];
  });
  const required = isRequest
    ? is.filter((name) => !was.includes(name)).map((name) => `${at}.${name} is required now`)
    : [];
  const [oldRest, newRest] = [before.additionalProperties, after.additionalProperties];
  const rest =
    typeof oldRest === 'object' && typeof newRest === 'object' ? differences(oldRest, newRest, `${at}.*`, pair) : [];
  return [...fields, ...required, ...rest];
}

/** Values no longer accepted in requests. Responses may have new values, which callers must expect. */
function values(before: Schema, after: Schema, at: string, { side }: Pair): string[] {
  const allowed = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);
  const [was, is] = [allowed(before), allowed(after)];
  if (side === 'response' || !is) return [];
  if (!was) return [`${at} accepts only some values now`];
  return was.filter((value) => !is.includes(value)).map((value) => `${at} no longer accepts ${JSON.stringify(value)}`);
}

const MINIMUMS = ['minLength', 'minimum', 'minItems'] as const;
const MAXIMUMS = ['maxLength', 'maximum', 'maxItems'] as const;

/** Limits on requests that became narrower. */
function limits(before: Schema, after: Schema, at: string, { side }: Pair): string[] {
  if (side === 'response') return [];
  const { NEGATIVE_INFINITY: low, POSITIVE_INFINITY: high } = Number;
  return [
    ...MINIMUMS.filter((name) => (after[name] ?? low) > (before[name] ?? low)),
    ...MAXIMUMS.filter((name) => (after[name] ?? high) < (before[name] ?? high)),
    ...(after.pattern !== undefined && after.pattern !== before.pattern ? (['pattern'] as const) : []),
  ].map((name) => `${at} has a narrower ${name}`);
}

/** Breaking changes that the changelog does not list as `METHOD /path` under "### Breaking" of "## Unreleased". */
export function unlisted(breaks: readonly Break[], changelog: string): Break[] {
  const [, unreleased = ''] = changelog.split(/^## Unreleased$/m);
  const [, breaking = ''] = (unreleased.split(/^## /m)[0] ?? '').split(/^### Breaking$/m);
  const [section = ''] = breaking.split(/^### /m);
  return breaks.filter(({ call }) => !section.includes(`\`${call}\``));
}
