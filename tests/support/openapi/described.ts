import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** An answer of the Worker; `text` null: its body is not looked at. */
export type Told = { method: string; path: string; status: number; type: string; text: string | null };

type Content = Record<string, { schema?: object }>;
type Response = { $ref?: string; content?: Content };
type Operation = { responses: Record<string, Response>; requestBody?: { content: Content } };
export type Described = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
};

const NAMED = '#/components/schemas/';
const JSON_TYPE = 'application/json';

/** Where make-document.ts leaves openapi.json for the tests. */
export const OPENAPI = 'tests/.output/openapi.json';

/** What openapi.json says of an answer; `json`: its text. */
export function readDescription(json = readFileSync(OPENAPI, 'utf8')) {
  // References lead into the document from wherever a part of it is compiled.
  const text = json.replaceAll(`"${NAMED}`, `"doc${NAMED}`);
  const description = JSON.parse(text) as Described;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: false });
  ajv.addSchema({ components: description.components }, 'doc');
  const compiled = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, known);
    return known;
  };

  const templates = Object.keys(description.paths)
    .map((template) => ({ template, pattern: patternOf(template), parts: literalsIn(template) }))
    .sort((a, b) => b.parts - a.parts);

  const operationAt = (method: string, path: string): { name: string; operation: Operation | undefined } => {
    const key = method === 'HEAD' ? 'get' : method.toLowerCase();
    const found = templates.find(({ pattern }) => pattern.test(path));
    const name = `${method} ${found?.template ?? path}`;
    return { name, operation: found && description.paths[found.template]?.[key] };
  };

  const bodyFault = (schema: object, body: string): string | null => {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return 'is no JSON';
    }
    const validate = validatorOf(schema);
    return validate(value) ? null : `is ${body.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`;
  };

  /** In words, how an answer is another one than the document says; null: it is as described. */
  function faultOf({ method, path, status, type, text: body }: Told): string | null {
    const { name, operation } = operationAt(method, path);
    const what = `${name} (${status})`;
    if (!operation) {
      // A public page leads from its address with a slash to the one without; that is no call of its own.
      if (status === 307 && path.endsWith('/')) return null;
      if (status < 400) return `${what} is in no part of openapi.json, and does something`;
      const error = description.components.schemas.ApiError;
      const fault = error && type === JSON_TYPE && body ? bodyFault(error, body) : null;
      return fault && `${what} ${fault}`;
    }
    const named = operation.responses[String(status)];
    if (!named) return `${what} is a status that openapi.json does not name: ${body?.slice(0, 200)}`;
    const { content } = named.$ref ? (description.components.responses[String(status)] ?? {}) : named;
    if (!content) return body ? `${what} has a body, and none is described` : null;
    if (!body) return null;
    const media = [type, type.replace(/\/.*/, '/*'), '*/*'].find((one) => one in content);
    if (!media) return `${what} is of the type ${type}, which is not described`;
    const { schema } = content[media] ?? {};
    const fault = schema ? bodyFault(schema, body) : null;
    return fault && `${what} ${fault}`;
  }

  return { description, faultOf, operationAt, validatorOf };
}

/** A part of an address holds no slash, but for the rest that a wildcard stands for. */
function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, (_all, name) => (name === 'rest' ? '.*' : '[^/]+'))}$`);
}

/** How much of a template is fixed: of two that fit, the one that names more is meant. */
const literalsIn = (template: string): number => template.split('/').filter((part) => !part.startsWith('{')).length;
