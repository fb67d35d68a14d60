import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** A response of the Worker. `text` is null if its body is not checked. */
export type WorkerAnswer = { method: string; path: string; status: number; type: string; text: string | null };

type Content = Record<string, { schema?: object }>;
type Response = { $ref?: string; content?: Content };
type Operation = { responses: Record<string, Response>; requestBody?: { content: Content } };
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; responses: Record<string, Response> };
};

const SCHEMAS = '#/components/schemas/';
const JSON_TYPE = 'application/json';

/** Path of the openapi.json that make-document.ts writes for the tests. */
export const OPENAPI = 'tests/.output/openapi.json';

/** Prepares the checks of responses against openapi.json; `json` is its text. */
export function readDescription(json = readFileSync(OPENAPI, 'utf8')) {
  // Makes references absolute, so that each part of the document can be compiled separately.
  const text = json.replaceAll(`"${SCHEMAS}`, `"doc${SCHEMAS}`);
  const description = JSON.parse(text) as ApiDocument;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, allErrors: false });
  ajv.addSchema({ components: description.components }, 'doc');
  const compiled = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object): ValidateFunction => {
    const validator = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, validator);
    return validator;
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

  /** Describes how a response deviates from the document. Null if it conforms. */
  function faultOf({ method, path, status, type, text: body }: WorkerAnswer): string | null {
    const { name, operation } = operationAt(method, path);
    const label = `${name} (${status})`;
    if (!operation) {
      // A public page redirects from its address with a slash to the one without; that is not a separate call.
      if (status === 307 && path.endsWith('/')) return null;
      if (status < 400) return `${label} is in no part of openapi.json, and does something`;
      const error = description.components.schemas.ApiError;
      const fault = error && type === JSON_TYPE && body ? bodyFault(error, body) : null;
      return fault && `${label} ${fault}`;
    }
    const described = operation.responses[String(status)];
    if (!described) return `${label} is a status that openapi.json does not name: ${body?.slice(0, 200)}`;
    const { content } = described.$ref ? (description.components.responses[String(status)] ?? {}) : described;
    if (!content) return body ? `${label} has a body, and none is described` : null;
    if (!body) return null;
    const media = [type, type.replace(/\/.*/, '/*'), '*/*'].find((mediaType) => mediaType in content);
    if (!media) return `${label} is of the type ${type}, which is not described`;
    const { schema } = content[media] ?? {};
    const fault = schema ? bodyFault(schema, body) : null;
    return fault && `${label} ${fault}`;
  }

  return { description, faultOf, operationAt, validatorOf };
}

/** Converts a path template to a pattern. Parameters match no slash, except the wildcard `rest`. */
function patternOf(template: string): RegExp {
  const escaped = template.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/\{(\w+)\}/g, (_all, name) => (name === 'rest' ? '.*' : '[^/]+'))}$`);
}

/** Number of literal segments in a template; of two matching templates, the one with more of them wins. */
const literalsIn = (template: string): number => template.split('/').filter((part) => !part.startsWith('{')).length;
