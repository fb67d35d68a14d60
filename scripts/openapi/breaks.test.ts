import { describe, expect, it } from 'vitest';
import { type Api, type Break, breaksBetween, unlisted } from './breaks.ts';

type Schema = Api['components']['schemas'][string];

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });

/** A document with one call that takes `request` and returns `response`. */
const api = (request: Schema, response: Schema, path = '/api/things/{id}'): Api => ({
  paths: {
    [path]: {
      put: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Asked' } } } },
        responses: {
          '200': { content: { 'application/json': { schema: { $ref: '#/components/schemas/Answered' } } } },
        },
      },
    },
  },
  components: { schemas: { Asked: request, Answered: response } },
});
const changesBetween = (before: Api, after: Api) => breaksBetween(before, after).map(({ change }) => change);
const empty = object({});

describe('breaking changes in a response', () => {
  const changes = (before: Schema, after: Schema) => changesBetween(api(empty, before), api(empty, after));

  it.each([
    ['a field that is gone', object({ a: text, b: text }), object({ a: text }), '200.b is gone'],
    ['a field that becomes optional', object({ a: text }), object({ a: text }, []), '200.a is optional now'],
    ['another type', object({ a: text }), object({ a: { type: 'number' } }), '200.a was string and is number'],
    ['a value that may become null', object({ a: text }), object({ a: orNull(text) }), '200.a was string and is null'],
    [
      'an integer that may become a fraction',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'number' } }),
      '200.a was integer and is number',
    ],
    ['a removed field in a list', listOf(object({ a: text })), listOf(empty), '200[].a is gone'],
  ])('%s', (label, before, after, change) => {
    expect(changes(before, after)).toEqual([change]);
    // In the other direction, callers get the same as before, or more.
    expect(changes(after, before)).toEqual(label === 'another type' ? ['200.a was number and is string'] : []);
  });

  it('a new field or a new value is not a breaking change', () => {
    expect(
      changes(
        object({ a: { enum: ['x'], type: 'string' } }),
        object({ a: { enum: ['x', 'y'], type: 'string' }, b: text }),
      ),
    ).toEqual([]);
  });

  it('a removed field is found in a recursive schema', () => {
    const tree = (fields: Record<string, Schema>) =>
      object({ ...fields, of: listOf({ $ref: '#/components/schemas/Answered' }) });
    expect(changes(tree({ a: text }), tree({}))).toEqual(['200.a is gone']);
  });
});

describe('breaking changes in a request', () => {
  const changes = (before: Schema, after: Schema) => changesBetween(api(before, empty), api(after, empty));

  it.each([
    ['a new field that is required', empty, object({ a: text }), 'the body.a is required now'],
    ['a field that becomes required', object({ a: text }, []), object({ a: text }), 'the body.a is required now'],
    ['a field that is gone', object({ a: text }, []), empty, 'the body.a is gone'],
    [
      'fewer values',
      object({ a: { type: 'string', enum: ['x', 'y'] } }),
      object({ a: { type: 'string', enum: ['x'] } }),
      'the body.a no longer accepts "y"',
    ],
    [
      'only some values',
      object({ a: text }),
      object({ a: { type: 'string', enum: ['x'] } }),
      'the body.a accepts only some values now',
    ],
    ['a null that is rejected', object({ a: orNull(text) }), object({ a: text }), 'the body.a was null and is string'],
    [
      'a shorter text',
      object({ a: text }),
      object({ a: { type: 'string', maxLength: 3 } }),
      'the body.a has a narrower maxLength',
    ],
    [
      'a larger minimum',
      object({ a: { type: 'number', minimum: 1 } }),
      object({ a: { type: 'number', minimum: 2 } }),
      'the body.a has a narrower minimum',
    ],
    [
      'a pattern',
      object({ a: text }),
      object({ a: { type: 'string', pattern: '^x$' } }),
      'the body.a has a narrower pattern',
    ],
  ])('%s', (_label, before, after, change) => {
    expect(changes(before, after)).toEqual([change]);
  });

  it('a new optional field or a wider field is not a breaking change', () => {
    expect(
      changes(object({ a: { type: 'string', maxLength: 3 } }), object({ a: orNull(text), b: text }, ['a'])),
    ).toEqual([]);
  });
});

describe('breaking changes of an operation', () => {
  const before = api(empty, empty);

  it('a removed operation is a breaking change, but a renamed path parameter is not', () => {
    expect(breaksBetween(before, { ...before, paths: {} })).toEqual([
      { call: 'PUT /api/things/{id}', change: 'is gone' },
    ]);
    expect(breaksBetween(before, api(empty, empty, '/api/things/{name}'))).toEqual([]);
  });

  it('each breaking change must be listed in the changelog under Unreleased, Breaking', () => {
    const breaks: Break[] = [{ call: 'PUT /api/things/{id}', change: 'is gone' }];
    const entry = '- `PUT /api/things/{id}` is gone.';
    const changelog = (unreleased: string, released = '') =>
      `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n## 1\n\n${released}\n`;
    expect(unlisted(breaks, changelog(`### Added\n\n- A\n\n### Breaking\n\n${entry}\n\n### Fixed\n`))).toEqual([]);
    expect(unlisted(breaks, changelog(`### Added\n\n${entry}\n\n### Breaking\n\n- Another.`))).toEqual(breaks);
    expect(unlisted(breaks, changelog('### Breaking\n', `### Breaking\n\n${entry}`))).toEqual(breaks);
    expect(unlisted(breaks, changelog(`### Breaking\n\n- x\n\n### Fixed\n\n${entry}`))).toEqual(breaks);
  });
});
