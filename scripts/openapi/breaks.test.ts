import { describe, expect, it } from 'vitest';
import { type Api, type Break, breaksBetween, unnamed } from './breaks.ts';

type Schema = Api['components']['schemas'][string];

const text: Schema = { type: 'string' };
const object = (properties: Record<string, Schema>, required = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});
const listOf = (items: Schema): Schema => ({ type: 'array', items });
const orNull = (one: Schema): Schema => ({ anyOf: [one, { type: 'null' }] });

/** A document of one call that is sent `asked` and answers `answered`. */
const api = (asked: Schema, answered: Schema, path = '/api/things/{id}'): Api => ({
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
  components: { schemas: { Asked: asked, Answered: answered } },
});
const whats = (before: Api, after: Api) => breaksBetween(before, after).map(({ what }) => what);
const empty = object({});

describe('breaking changes in a response', () => {
  const between = (before: Schema, after: Schema) => whats(api(empty, before), api(empty, after));

  it.each([
    ['a field that is gone', object({ a: text, b: text }), object({ a: text }), '200.b is gone'],
    ['a field that may be left out', object({ a: text }), object({ a: text }, []), '200.a may be left out now'],
    ['another kind', object({ a: text }), object({ a: { type: 'number' } }), '200.a was string and is number'],
    ['null as well', object({ a: text }), object({ a: orNull(text) }), '200.a was string and is null'],
    [
      'fractions',
      object({ a: { type: 'integer' } }),
      object({ a: { type: 'number' } }),
      '200.a was integer and is number',
    ],
    ['a field within', listOf(object({ a: text })), listOf(empty), '200[].a is gone'],
  ])('%s', (_what, before, after, said) => {
    expect(between(before, after)).toEqual([said]);
    // The other way round callers get what they had, or more.
    expect(between(after, before)).toEqual(_what === 'another kind' ? ['200.a was number and is string'] : []);
  });

  it('do not include a new field or a new value', () => {
    expect(
      between(
        object({ a: { enum: ['x'], type: 'string' } }),
        object({ a: { enum: ['x', 'y'], type: 'string' }, b: text }),
      ),
    ).toEqual([]);
  });

  it('are found in a recursive schema', () => {
    const tree = (more: Record<string, Schema>) =>
      object({ ...more, of: listOf({ $ref: '#/components/schemas/Answered' }) });
    expect(between(tree({ a: text }), tree({}))).toEqual(['200.a is gone']);
  });
});

describe('breaking changes in a request', () => {
  const between = (before: Schema, after: Schema) => whats(api(before, empty), api(after, empty));

  it.each([
    ['a new field that is required', empty, object({ a: text }), 'the body.a has to be sent now'],
    ['a field that is required now', object({ a: text }, []), object({ a: text }), 'the body.a has to be sent now'],
    ['a field that is gone', object({ a: text }, []), empty, 'the body.a is gone'],
    [
      'fewer values',
      object({ a: { type: 'string', enum: ['x', 'y'] } }),
      object({ a: { type: 'string', enum: ['x'] } }),
      'the body.a takes no longer "y"',
    ],
    [
      'only some values',
      object({ a: text }),
      object({ a: { type: 'string', enum: ['x'] } }),
      'the body.a takes only some values now',
    ],
    ['null no longer', object({ a: orNull(text) }), object({ a: text }), 'the body.a was null and is string'],
    [
      'a shorter text',
      object({ a: text }),
      object({ a: { type: 'string', maxLength: 3 } }),
      'the body.a takes less by its maxLength',
    ],
    [
      'a larger least',
      object({ a: { type: 'number', minimum: 1 } }),
      object({ a: { type: 'number', minimum: 2 } }),
      'the body.a takes less by its minimum',
    ],
    [
      'a pattern',
      object({ a: text }),
      object({ a: { type: 'string', pattern: '^x$' } }),
      'the body.a takes less by its pattern',
    ],
  ])('%s', (_what, before, after, said) => {
    expect(between(before, after)).toEqual([said]);
  });

  it('do not include a new optional field or a wider one', () => {
    expect(
      between(object({ a: { type: 'string', maxLength: 3 } }), object({ a: orNull(text), b: text }, ['a'])),
    ).toEqual([]);
  });
});

describe('breaking changes of an operation', () => {
  const before = api(empty, empty);

  it('include a removed operation, but not a renamed path parameter', () => {
    expect(breaksBetween(before, { ...before, paths: {} })).toEqual([
      { call: 'PUT /api/things/{id}', what: 'is gone' },
    ]);
    expect(breaksBetween(before, api(empty, empty, '/api/things/{name}'))).toEqual([]);
  });

  it('must be listed in the changelog under Unreleased, Breaking', () => {
    const breaks: Break[] = [{ call: 'PUT /api/things/{id}', what: 'is gone' }];
    const entry = '- `PUT /api/things/{id}` is gone.';
    const changelog = (unreleased: string, released = '') =>
      `# Changelog\n\n## Unreleased\n\n${unreleased}\n\n## 1\n\n${released}\n`;
    expect(unnamed(breaks, changelog(`### Added\n\n- A\n\n### Breaking\n\n${entry}\n\n### Fixed\n`))).toEqual([]);
    expect(unnamed(breaks, changelog(`### Added\n\n${entry}\n\n### Breaking\n\n- Another.`))).toEqual(breaks);
    expect(unnamed(breaks, changelog('### Breaking\n', `### Breaking\n\n${entry}`))).toEqual(breaks);
    expect(unnamed(breaks, changelog(`### Breaking\n\n- x\n\n### Fixed\n\n${entry}`))).toEqual(breaks);
  });
});
