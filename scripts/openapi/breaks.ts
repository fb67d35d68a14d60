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
export type Break = { call: string; what: string };
type Side = 'asked' | 'answered';
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
  const now = callsOf(after);
  return [...callsOf(before)].flatMap(([key, { template, method, operation }]) => {
    const call = `${method} ${template}`;
    const other = now.get(key);
    const found = other ? ofCall(operation, other.operation, { before, after }) : ['is gone'];
    return [...new Set(found)].map((what) => ({ call, what }));
  });
}

function ofCall(before: Operation, after: Operation, both: { before: Api; after: Api }): string[] {
  const asked: Pair = { ...both, side: 'asked', open: new Set() };
  const answered: Pair = { ...both, side: 'answered', open: new Set() };
  const now = new Map(after.parameters?.filter(({ in: place }) => place === 'query').map((one) => [one.name, one]));
  const parameters = (before.parameters ?? [])
    .filter(({ in: place }) => place === 'query')
    .flatMap((one) => {
      const other = now.get(one.name);
      now.delete(one.name);
      return other ? differences(one.schema, other.schema, `?${one.name}`, asked) : [`?${one.name} is gone`];
    });
  const needed = [...now.values()].filter(({ required }) => required).map(({ name }) => `?${name} has to be given now`);
  const bodies = ofContent(before.requestBody?.content, after.requestBody?.content, 'the body', asked);
  const fresh = !before.requestBody && after.requestBody ? ['a body has to be sent now'] : [];
  const answers = Object.entries(before.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([status, { content }]) =>
      after.responses[status]
        ? ofContent(content, after.responses[status].content, status, answered)
        : [`${status} is answered no longer`],
    );
  return [...parameters, ...needed, ...fresh, ...bodies, ...answers];
}

const ofContent = (before: Content | undefined, after: Content | undefined, at: string, pair: Pair): string[] =>
  Object.entries(before ?? {}).flatMap(([type, { schema }]) => {
    const other = after?.[type];
    if (!other) return [`${at} is no ${type} any more`];
    return schema && other.schema ? differences(schema, other.schema, at, pair) : [];
  });

function resolved(schema: Schema, { components }: Api): Schema {
  const name = schema.$ref?.replace(/.*\//, '');
  return name === undefined ? schema : resolved(components.schemas[name] ?? {}, { components, paths: {} });
}

function variants(schema: Schema, api: Api): (Schema & { type?: string })[] {
  const { type, ...whole } = resolved(schema, api);
  const choices = whole.anyOf ?? whole.oneOf;
  if (choices) return choices.flatMap((one) => variants(one, api));
  if (Array.isArray(type)) return type.map((one) => ({ ...whole, type: one }));
  return [type === undefined ? whole : { ...whole, type }];
}

function differences(before: Schema, after: Schema, at: string, pair: Pair): string[] {
  const key = `${pair.side} ${before.$ref} ${after.$ref}`;
  if (before.$ref && after.$ref) {
    if (pair.open.has(key)) return [];
    pair.open.add(key);
  }
  const [was, is] = [variants(before, pair.before), variants(after, pair.after)];
  const [all, fitting] = pair.side === 'asked' ? [was, is] : [is, was];
  const found = all.flatMap((one) => {
    const tries = fitting.map((other) =>
      pair.side === 'asked' ? ofVariant(one, other, at, pair) : ofVariant(other, one, at, pair),
    );
    // The closest variant gives the most useful message.
    return tries.sort((a, b) => a.length - b.length)[0] ?? [`${at} is of another kind`];
  });
  pair.open.delete(key);
  return found;
}

const kindOf = ({ type, ...schema }: Schema & { type?: string }): string =>
  type ?? ('const' in schema ? typeof schema.const : 'anything');
const takes = (wide: string, narrow: string): boolean =>
  wide === narrow || wide === 'anything' || (wide === 'number' && narrow === 'integer');

function ofVariant(
  before: Schema & { type?: string },
  after: Schema & { type?: string },
  at: string,
  pair: Pair,
): string[] {
  const [was, is] = [kindOf(before), kindOf(after)];
  if (!(pair.side === 'asked' ? takes(is, was) : takes(was, is))) return [`${at} was ${was} and is ${is}`];
  if (was === 'object' && is === 'object') return ofObject(before, after, at, pair);
  if (before.items && after.items)
    return [...limits(before, after, at, pair), ...differences(before.items, after.items, `${at}[]`, pair)];
  return [...values(before, after, at, pair), ...limits(before, after, at, pair)];
}

function ofObject(before: Schema, after: Schema, at: string, pair: Pair): string[] {
  const isAsked = pair.side === 'asked';
  const [was, is] = [before.required ?? [], after.required ?? []];
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, schema]) => {
    const other = after.properties?.[name];
    if (!other) return [`${at}.${name} is gone`];
    const left = !isAsked && was.includes(name) && !is.includes(name) ? [`${at}.${name} may be left out now`] : [];
    return [...left, ...differences(schema, other, `${at}.${name}`, pair)];
  });
  const needed = isAsked
    ? is.filter((name) => !was.includes(name)).map((name) => `${at}.${name} has to be sent now`)
    : [];
  const [more, other] = [before.additionalProperties, after.additionalProperties];
  const rest = typeof more === 'object' && typeof other === 'object' ? differences(more, other, `${at}.*`, pair) : [];
  return [...fields, ...needed, ...rest];
}

/** Values no longer accepted in requests. Responses may have new values, which callers must expect. */
function values(before: Schema, after: Schema, at: string, { side }: Pair): string[] {
  const allowed = (schema: Schema) => ('const' in schema ? [schema.const] : schema.enum);
  const [was, is] = [allowed(before), allowed(after)];
  if (side === 'answered' || !is) return [];
  if (!was) return [`${at} takes only some values now`];
  return was.filter((value) => !is.includes(value)).map((value) => `${at} takes no longer ${JSON.stringify(value)}`);
}

const LEAST = ['minLength', 'minimum', 'minItems'] as const;
const MOST = ['maxLength', 'maximum', 'maxItems'] as const;

/** Limits on requests that became narrower. */
function limits(before: Schema, after: Schema, at: string, { side }: Pair): string[] {
  if (side === 'answered') return [];
  const { NEGATIVE_INFINITY: low, POSITIVE_INFINITY: high } = Number;
  return [
    ...LEAST.filter((name) => (after[name] ?? low) > (before[name] ?? low)),
    ...MOST.filter((name) => (after[name] ?? high) < (before[name] ?? high)),
    ...(after.pattern !== undefined && after.pattern !== before.pattern ? (['pattern'] as const) : []),
  ].map((name) => `${at} takes less by its ${name}`);
}

/** Breaking changes that the changelog does not list as `METHOD /path` under "### Breaking" of "## Unreleased". */
export function unnamed(breaks: readonly Break[], changelog: string): Break[] {
  const [, unreleased = ''] = changelog.split(/^## Unreleased$/m);
  const [, breaking = ''] = (unreleased.split(/^## /m)[0] ?? '').split(/^### Breaking$/m);
  const [section = ''] = breaking.split(/^### /m);
  return breaks.filter(({ call }) => !section.includes(`\`${call}\``));
}
