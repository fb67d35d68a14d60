import type { Random } from '#tests/support/seeded-random';

/** A schema of openapi.json, with the keywords that request bodies use. */
export type Schema = {
  $ref?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  minItems?: number;
};

/** Texts for request fields: each pattern is matched by at least one of them. */
const TEXTS = [
  ...['1', '10.00', '250.00', '0.01', '2026-12-24', '123456', '12345678', '1.1', 'Marta Núñez', 'marta@payer.example'],
  ...['Called the provider', 'press-1234567890', '7d4f7c1e-3c1b-4f0e-9a64-1f2b3c4d5e6f', 'a'.repeat(64), 'AAAA'],
  ...['nightly/1/2026-11-22T00/', '2026-11-22T08:00:00Z', 'data:image/png;base64,AAAA', '<p>Words</p>', 'usb', ''],
];
/** Values that most schemas reject. */
const ODD: unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 1e308, '', ' ', '\u0000', '\ud800', '😀', '../..', '<script>', [], {}, [[]]],
  ...['x'.repeat(5000), { toString: 1 }, { length: -1 }, [null], '9'.repeat(400), '1e9', '-0.00', 'NaN', '__proto__'],
];

/** Returns functions that draw random request bodies. `schemas`: the schemas by name. */
export function drawBodies({ chance, pick, below }: Random, schemas: Record<string, Schema>) {
  const textOf = ({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string => {
    const fits = (text: string) =>
      text.length >= minLength &&
      text.length <= maxLength &&
      (pattern === undefined || new RegExp(pattern, 'u').test(text));
    const fitting = TEXTS.filter(fits);
    if (fitting.length === 0) throw new Error(`no text of TEXTS fits ${pattern}`);
    return pick(fitting);
  };

  const numberOf = ({ type, minimum = -3, maximum = 1_000_000 }: Schema): number => {
    const min = Math.max(minimum, -1000);
    const value = min + below(Math.min(maximum, min + 1000) - min + 1);
    return type === 'integer' ? value : value + (chance(0.3) ? 0.5 : 0);
  };

  const objectOf = ({ properties = {}, required = [], additionalProperties }: Schema): Record<string, unknown> => {
    const entries = Object.entries(properties).filter(([name]) => required.includes(name) || chance(0.5));
    const extra =
      typeof additionalProperties === 'object' && chance(0.7) ? [['a name', additionalProperties] as const] : [];
    return Object.fromEntries([...entries, ...extra].map(([name, schema]) => [name, drawValid(schema)]));
  };

  /** Draws a value that the schema accepts. */
  function drawValid(schema: Schema): unknown {
    const choices = schema.anyOf ?? schema.oneOf;
    if (schema.$ref) return drawValid(schemas[schema.$ref.replace(/.*\//, '')] ?? {});
    if (choices) return drawValid(pick(choices));
    if (Array.isArray(schema.type)) return drawValid({ ...schema, type: pick(schema.type) });
    if ('const' in schema) return schema.const;
    if (schema.enum) return pick(schema.enum);
    switch (schema.type) {
      case 'string':
        return textOf(schema);
      case 'number':
      case 'integer':
        return numberOf(schema);
      case 'boolean':
        return chance(0.5);
      case 'null':
        return null;
      case 'array': {
        const min = schema.minItems ?? 0;
        return Array.from({ length: Math.min(schema.maxItems ?? 3, min + below(3)) }, () =>
          drawValid(schema.items ?? {}),
        );
      }
      case 'object':
        return objectOf(schema);
      default:
        return pick(TEXTS);
    }
  }

  /** Draws a value in which one field is missing or likely to be rejected. */
  function drawInvalid(schema: Schema): unknown {
    const value = drawValid(schema);
    if (typeof value !== 'object' || value === null || Array.isArray(value) || chance(0.1)) return pick(ODD);
    const names = [...Object.keys(value), 'further'];
    const name = pick(names);
    const { [name]: _removed, ...rest } = value as Record<string, unknown>;
    return chance(0.2) ? rest : { ...rest, [name]: pick(ODD) };
  }

  return { drawValid, drawInvalid };
}
