import { describe, expect, it } from 'vitest';
import { makeDocument } from '#scripts/openapi/document';
import { readDescription, type WorkerAnswer } from './description.ts';

const { document } = await makeDocument(process.cwd());
const { faultOf } = readDescription(JSON.stringify(document));
const response = (fields: Partial<WorkerAnswer>): WorkerAnswer => ({
  method: 'GET',
  path: '/api/terminals',
  status: 200,
  type: 'application/json',
  text: '[]',
  ...fields,
});
const error = (fields = {}) => JSON.stringify({ error: { code: 'not-found', message: 'Not found.' }, ...fields });

describe('the check of a response against openapi.json', () => {
  it.each([
    ['with the described status and body', response({})],
    ['to a HEAD request, without a body', response({ method: 'HEAD', text: '' })],
    ['with a described error', response({ status: 401, text: error() })],
    ['of an unknown path, with 404', response({ path: '/api/none', status: 404, text: error() })],
    ['of an unknown method, with 405', response({ method: 'PATCH', status: 405, text: error() })],
    [
      'of a path that also matches a wider template',
      response({ path: '/api/team/invitations', method: 'DELETE', status: 405, text: error() }),
    ],
    ['that redirects to the path without its slash', response({ path: '/blog/one/', status: 307, type: '', text: '' })],
    ['with a page at any depth', response({ path: '/cms/posts/edit/1', type: 'text/html', text: '<!doctype html>' })],
  ])('passes a response %s', (_name, answer) => {
    expect(faultOf(answer)).toBeNull();
  });

  it.each([
    ['an undescribed status', response({ status: 418, text: error() }), 'a status that openapi.json does not name'],
    [
      'an undescribed field',
      response({ text: '[{"terminal_id":"1","terminal_name":"","key":"k"}]' }),
      'additional properties',
    ],
    ['a missing field', response({ text: '[{"terminal_id":"1"}]' }), "required property 'terminal_name'"],
    ['a field of the wrong type', response({ text: '[{"terminal_id":1,"terminal_name":""}]' }), 'must be string'],
    ['invalid JSON', response({ text: '[' }), 'is no JSON'],
    ['an undescribed content type', response({ type: 'text/html' }), 'is of the type text/html'],
    ['a field beside the error', response({ status: 401, text: error({ cause: 'x' }) }), 'additional properties'],
    [
      'an unexpected body',
      response({ method: 'POST', path: '/api/auth/logout', status: 204, text: '{}' }),
      'has a body',
    ],
    ['success at an unknown path', response({ path: '/api/none' }), 'is in no part of openapi.json'],
  ])('fails a response with %s', (_name, answer, message) => {
    expect(faultOf(answer)).toContain(message);
  });
});
