import * as z from 'zod/mini';
import { ApiError, Problems } from '#shared/contracts/error';
import { everyRoute, type NamedRoute } from '#worker/areas/every-route';
import { type Answer, type Body, isForm, isListRules, isMedia, isReadByHandler, type Media } from '#worker/http/routes';
import type { RouteAccess } from '#worker/security/route-access';
import { addressOf, templateOf } from './breaks.ts';
import { callers, schemes } from './callers.ts';
import { failuresOf, mayRedirect, reasons } from './failures.ts';
import { headersOfLists, type Json, parametersOf, referencedNames, type SchemaBook, schemaBook } from './schemas.ts';

type Schema = z.ZodMiniType;
type Content = Record<string, Schema[] | null>;
type Response = { description: string; content: Content; headers?: Json };
type Operation = { named: NamedRoute; responses: Map<number, Response> };

const JSON_TYPE = 'application/json';
const SUCCESSES: Record<number, string> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted; not finished yet.',
  204: 'Done; no content.',
  206: 'The requested part.',
  301: 'Moved permanently.',
  302: 'Redirect.',
  303: 'See the other address.',
  304: 'Not modified.',
  307: 'Redirect.',
  416: 'The range cannot be satisfied.',
};

const answersAsList = (answer: Answer): (Schema | Media)[] =>
  Array.isArray(answer) ? [...answer] : [answer as Schema | Media];

function add(content: Content, answers: readonly (Schema | Media)[]): Content {
  for (const answer of answers) {
    if (!isMedia(answer)) content[JSON_TYPE] = [...(content[JSON_TYPE] ?? []), answer];
    else if (answer.media !== null) content[answer.media] ??= null;
  }
  return content;
}

const errors = new Map<string, Schema>();

/** The error body with its optional additional fields: one schema for all routes with the same fields. */
function errorWith(extraFields: readonly z.ZodMiniObject[]): Schema {
  if (extraFields.length === 0) return ApiError;
  const key = JSON.stringify(extraFields.map(({ shape }) => Object.keys(shape)));
  const schema =
    errors.get(key) ??
    extraFields.reduce<z.ZodMiniObject>((error, fields) => z.extend(error, z.partial(fields).shape), ApiError);
  errors.set(key, schema);
  return schema;
}

/** The error schema of most routes for this status. */
const usualError = (status: number): Schema => errorWith(status === 422 ? [Problems] : []);

function responsesOf(named: NamedRoute): Map<number, Response> {
  const { answers, errorBody, isList } = named.route;
  const responses = new Map<number, Response>();
  const at = (status: number): Response => {
    const response = responses.get(status) ?? {
      description: reasons[status] ?? SUCCESSES[status] ?? '',
      content: {},
      ...([429, 503].includes(status) ? { headers: { 'retry-after': { schema: { type: 'string' } } } } : {}),
    };
    responses.set(status, response);
    return response;
  };
  for (const [status, answer] of Object.entries(answers)) {
    const response = at(Number(status));
    add(response.content, answersAsList(answer));
    if (isList && status === '200') response.headers = headersOfLists;
  }
  for (const { status, isOfKind, isDeclared, extraFields } of failuresOf(named)) {
    const { content } = at(status);
    if (isDeclared && errorBody) add(content, [errorBody]);
    if (!errorBody || !isDeclared || isOfKind) add(content, [errorWith(extraFields)]);
  }
  if (mayRedirect(named)) at(303);
  return responses;
}

function merge(target: Operation, source: Operation): Operation {
  for (const [status, response] of source.responses) {
    const existing = target.responses.get(status);
    if (!existing) target.responses.set(status, response);
    else
      for (const [media, schemas] of Object.entries(response.content))
        existing.content[media] = schemas && [...new Set([...(existing.content[media] ?? []), ...schemas])];
  }
  return target;
}

const schemaOf = (body: Body): Schema | null =>
  isMedia(body) ? null : isForm(body) ? body.form : isReadByHandler(body) ? body.readByHandler : body;

const schemasIn = ({
  named: { route },
  responses,
}: Operation): { requestSchemas: Schema[]; responseSchemas: Schema[] } => ({
  requestSchemas: [
    ...(route.query && !isListRules(route.query) ? [route.query] : []),
    ...[route.body ? schemaOf(route.body) : null].filter((schema) => schema !== null),
  ],
  responseSchemas: [...responses.values()].flatMap(({ content }) =>
    Object.values(content).flatMap((schemas) => schemas ?? []),
  ),
});

function bodyOf(body: Body | undefined, book: SchemaBook): Json | undefined {
  if (!body) return undefined;
  if (isMedia(body)) return { required: true, content: { [body.media ?? '*/*']: {} } };
  if (!isForm(body)) {
    const schema = book.jsonOf(isReadByHandler(body) ? body.readByHandler : body, 'input');
    return { required: true, content: { [JSON_TYPE]: { schema } } };
  }
  const file = { type: 'string', contentMediaType: 'application/octet-stream' };
  const files = Object.fromEntries(
    Object.entries(body.files).map(([name, many]) => [name, many === 'one' ? file : { type: 'array', items: file }]),
  );
  const schema = { allOf: [book.jsonOf(body.form, 'input'), { type: 'object', properties: files }] };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

function responseOf({ description, content, headers }: Response, book: SchemaBook): Json {
  const types = Object.entries(content).map(([media, schemas]) => {
    const all = schemas?.map((schema) => book.jsonOf(schema, 'output')) ?? [];
    return [media, all.length === 0 ? {} : { schema: all.length === 1 ? all[0] : { anyOf: all } }];
  });
  return {
    description,
    ...(headers ? { headers } : {}),
    ...(types.length > 0 ? { content: Object.fromEntries(types) } : {}),
  };
}

/** True for refusals that contain only the error: they are the same for all routes, and are written once. */
const isPlain = (status: number, { content }: Response): boolean =>
  status >= 400 &&
  Object.keys(content).join() === JSON_TYPE &&
  content[JSON_TYPE]?.every((schema) => schema === usualError(status)) === true;

const idOf = ({ method, path }: NamedRoute): string =>
  [method.toLowerCase(), ...path.split(/[^\w]+/).filter(Boolean), ...(path.endsWith('*') ? ['rest'] : [])].join('_') +
  (path.length > 1 && path.endsWith('/') ? '_' : '');

function operationJson({ named, responses }: Operation, whoList: RouteAccess[], template: string, book: SchemaBook) {
  const { route } = named;
  const routeCallers = [...new Set(whoList)].map((name) => callers[name]);
  const needed = routeCallers.map(({ by }) => (by ? { [by]: [] } : {}));
  const proof = route.stepUp ? ' The person must have confirmed their identity within the last 15 minutes.' : '';
  const body = bodyOf(route.body, book);
  const parameters = parametersOf(template, route.query, book);
  return {
    operationId: idOf(named),
    summary: route.summary,
    tags: [named.area],
    description: `${routeCallers.map(({ says }) => says).join(' ')}${proof}`,
    security: needed,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: body } : {}),
    responses: Object.fromEntries(
      [...responses]
        .sort(([a], [b]) => a - b)
        .map(([status, response]) => [
          String(status),
          isPlain(status, response) ? { $ref: `#/components/responses/${status}` } : responseOf(response, book),
        ]),
    ),
  };
}

export type Document = {
  openapi: string;
  paths: Record<string, Record<string, Json>>;
  components: Record<string, Json>;
} & Json;
/** `faults`: a sentence for each route without a response and for each unused schema. */
export type Generated = {
  document: Document;
  faults: string[];
  counts: { routes: number; answers: number; schemas: number };
};

/** Schemas of contracts that are neither a request nor a response, each with its purpose. */
export const exemptSchemas: Record<string, string> = {
  Edited: 'the fields that a post and a page have in common; both are described whole',
  RevisionText: 'what a page reads of a RevisionDetail',
  TestLinkSent: 'what a page reads of a SendMailReply',
};

/** Describes routes. `exempt`: contract schemas that no response contains as a whole, with the reason. */
export async function makeDocument(
  root: string,
  routes: readonly NamedRoute[] = everyRoute,
  exempt = exemptSchemas,
): Promise<Generated> {
  const faults = routes
    .filter(({ route }) => Object.keys(route.answers).length === 0)
    .map(({ name }) => `${name} declares no response`);
  const templates = new Map<string, string>();
  const operations = new Map<string, { operation: Operation; whoList: RouteAccess[] }>();
  // Of a wildcard path and a path with a named parameter at one address, the latter provides the template.
  // A public page redirects from its address with a trailing slash; that is not a separate call.
  const described = routes
    .filter(({ path }) => !/.\/$/.test(path))
    .toSorted((a, b) => +a.path.endsWith('*') - +b.path.endsWith('*'));
  for (const named of described) {
    const { method, path, route } = named;
    const address = addressOf(path);
    if (!templates.has(address)) templates.set(address, templateOf(path));
    const operation = { named, responses: responsesOf(named) };
    const existing = operations.get(`${method} ${address}`);
    if (existing) merge(existing.operation, operation);
    else operations.set(`${method} ${address}`, { operation, whoList: [] });
    operations.get(`${method} ${address}`)?.whoList.push(route.access);
  }

  const all = [...operations.values()];
  const book = await schemaBook(
    root,
    all.flatMap(({ operation }) => schemasIn(operation).requestSchemas),
  );
  let answers = 0;
  for (const { operation } of all) {
    const { requestSchemas, responseSchemas } = schemasIn(operation);
    for (const schema of requestSchemas) book.register(schema, 'input');
    for (const schema of responseSchemas) book.register(schema, 'output');
    answers += [...operation.responses].filter(([status]) => status < 400).length;
  }
  for (const status of Object.keys(reasons)) book.register(usualError(Number(status)), 'output');

  const paths: Document['paths'] = {};
  for (const { operation, whoList } of all.sort((a, b) => (a.operation.named.path < b.operation.named.path ? -1 : 1))) {
    const { method, path } = operation.named;
    const template = templates.get(addressOf(path)) ?? '';
    paths[template] = { ...paths[template], [method.toLowerCase()]: operationJson(operation, whoList, template, book) };
  }
  const responses = Object.fromEntries(
    Object.entries(reasons).map(([status, description]) => [
      status,
      responseOf({ description, content: { [JSON_TYPE]: [usualError(Number(status))] } }, book),
    ]),
  );
  const text = JSON.stringify(paths);
  const isUsed = (status: string) => text.includes(`"#/components/responses/${status}"`);
  const components = book.components();
  const used = referencedNames([paths, responses], components);
  for (const { operation } of all)
    for (const schema of schemasIn(operation).requestSchemas) used.add(book.nameOf(schema) ?? '');
  for (const { operation } of all)
    for (const fields of failuresOf(operation.named).flatMap(({ extraFields }) => extraFields))
      used.add(book.nameOf(fields) ?? '');
  for (const name of book.names)
    if (!used.has(name) && !(name in exempt)) faults.push(`the schema ${name} is in no request and no response`);
  for (const name of Object.keys(exempt)) if (used.has(name)) faults.push(`${name} is used, so it must not be exempt`);
  const schemaNames = [...referencedNames([paths, responses], components)];
  const shared = Object.entries(responses).filter(([status]) => isUsed(status));
  const document: Document = {
    openapi: '3.1.0',
    info: {
      title: 'Tillway',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Every call of the product. Objects in answers are closed here so that tests find undescribed fields; clients must expect further fields. Other methods of a path answer 405. Unless stated otherwise, money is decimal text and times are ISO 8601 in UTC.',
    },
    servers: [{ url: '/', description: 'The installation that serves this document' }],
    paths,
    components: {
      schemas: Object.fromEntries(schemaNames.sort().map((name) => [name, components[name] ?? {}])),
      responses: Object.fromEntries(shared),
      securitySchemes: schemes,
    },
  };
  return { document, faults, counts: { routes: described.length, answers, schemas: schemaNames.length } };
}
