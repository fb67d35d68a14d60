import { describe, expect, it } from 'vitest';
import { makeDocument } from '#scripts/openapi/document';
import { readDescription, type Told } from './described.ts';

const { document } = await makeDocument(process.cwd());
const { faultOf } = readDescription(JSON.stringify(document));
const told = (more: Partial<Told>): Told => ({
  method: 'GET',
  path: '/api/terminals',
  status: 200,
  type: 'application/json',
  text: '[]',
  ...more,
});
const error = (more = {}) => JSON.stringify({ error: { code: 'not-found', message: 'Not found.' }, ...more });

describe('an answer checked against openapi.json', () => {
  it.each([
    ['as it is described', told({})],
    ['of a HEAD, without a body', told({ method: 'HEAD', text: '' })],
    ['that refuses', told({ status: 401, text: error() })],
    ['of an address that is none', told({ path: '/api/none', status: 404, text: error() })],
    ['of another method', told({ method: 'PATCH', status: 405, text: error() })],
    [
      'of a call whose address is also one of a wider call',
      told({ path: '/api/team/invitations', method: 'DELETE', status: 405, text: error() }),
    ],
    ['that leads to the address without its slash', told({ path: '/blog/one/', status: 307, type: '', text: '' })],
    ['of a page, at any depth', told({ path: '/cms/posts/edit/1', type: 'text/html', text: '<!doctype html>' })],
  ])('passes %s', (_what, answer) => {
    expect(faultOf(answer)).toBeNull();
  });

  it.each([
    ['a status that is not named', told({ status: 418, text: error() }), 'a status that openapi.json does not name'],
    [
      'a field that is not described',
      told({ text: '[{"terminal_id":"1","terminal_name":"","key":"k"}]' }),
      'additional properties',
    ],
    ['a field that is missing', told({ text: '[{"terminal_id":"1"}]' }), "required property 'terminal_name'"],
    ['a field of another type', told({ text: '[{"terminal_id":1,"terminal_name":""}]' }), 'must be string'],
    ['no JSON', told({ text: '[' }), 'is no JSON'],
    ['another content type', told({ type: 'text/html' }), 'is of the type text/html'],
    ['more beside the error', told({ status: 401, text: error({ cause: 'x' }) }), 'additional properties'],
    [
      'a body where there is none',
      told({ method: 'POST', path: '/api/auth/logout', status: 204, text: '{}' }),
      'has a body',
    ],
    ['something done at an address that is none', told({ path: '/api/none' }), 'is in no part of openapi.json'],
  ])('fails with %s', (_what, answer, said) => {
    expect(faultOf(answer)).toContain(said);
  });
});
