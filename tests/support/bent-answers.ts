import { expect } from 'vitest';
import type * as z from 'zod/mini';

const OTHERS = [undefined, null, 'some text', 7, true, {}, []];

type Schema = z.core.$ZodType;
const defOf = (schema: Schema) => (schema as z.core.$ZodTypes)._zod.def;

/** An answer that fits a schema. */
export function sampleOf(schema: Schema): unknown {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(Object.entries(def.shape).map(([name, field]) => [name, sampleOf(field)]));
    case 'array':
      return [sampleOf(def.element)];
    case 'record':
      return { key: sampleOf(def.valueType) };
    case 'nullable':
    case 'optional':
      return sampleOf(def.innerType);
    case 'enum':
      return Object.values(def.entries)[0];
    case 'literal':
      return def.values[0];
    case 'string':
      return 'some text';
    case 'number':
      return 7;
    case 'boolean':
      return true;
    default:
      throw new Error(`no sample of ${def.type}`);
  }
}

/** The sample with one place at a time changed: another type, null, left out, every word of an enum. */
export function* bentAnswers(schema: Schema): Generator<unknown> {
  const def = defOf(schema);
  yield* OTHERS;
  switch (def.type) {
    case 'object':
      for (const [name, field] of Object.entries(def.shape)) {
        for (const bent of bentAnswers(field)) yield { ...(sampleOf(schema) as object), [name]: bent };
      }
      break;
    case 'array':
      for (const bent of bentAnswers(def.element)) yield [bent];
      break;
    case 'record':
      for (const bent of bentAnswers(def.valueType)) yield { key: bent };
      break;
    case 'nullable':
    case 'optional':
      yield* bentAnswers(def.innerType);
      break;
    case 'enum':
      yield* Object.values(def.entries);
      break;
    default:
  }
}

/** Fails unless a guard takes the answers that the schema takes and no other. A field that a newer Worker adds is no fault. */
export function expectSameAnswers(schema: z.ZodMiniType, read: (body: unknown, headers: Headers) => unknown): void {
  const headers = new Headers();
  const sample = sampleOf(schema);
  expect(read(sample, headers)).not.toBeNull();
  if (!Array.isArray(sample)) expect(read({ ...(sample as object), later: 1 }, headers)).not.toBeNull();
  for (const answer of bentAnswers(schema)) {
    expect(read(answer, headers) !== null, JSON.stringify(answer)).toBe(schema.safeParse(answer).success);
  }
}
