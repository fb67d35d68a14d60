import { describe, expect, it } from 'vitest';
import { memberOnly } from '#worker/http/guards/require-editor';
import { merchantOnly, merchantReads } from '#worker/http/guards/require-merchant';
import { operatorOnly } from '#worker/http/guards/require-operator';
import { newApp, route, routeOne } from '#worker/http/route';
import './operate-permissions.ts';
import './operator-permissions.ts';
import { everyRow } from './permissions.ts';

const depsOf = (): never => {
  throw new Error('nothing is asked here');
};
const answer = () => new Response();
const answerLater = async () => new Response();

describe('a route', () => {
  it('without a row in the permissions stops the Worker from starting', () => {
    expect(() => route(newApp(), '/api/invoices/all', { GET: answer })).toThrow(/GET \/api\/invoices\/all has no row/);
    expect(() => routeOne(newApp(), 'PUT', '/api/invoices', answer)).toThrow(/PUT \/api\/invoices has no row/);
  });

  it.each([
    ['for staff and without a guard', '/api/invoices', answer],
    ['for staff behind the guard of the content area', '/api/invoices', memberOnly(depsOf, answer)],
    ['for editors and without a guard', '/api/cms/posts', answer],
    ['for editors behind the guard of merchants', '/api/cms/posts', merchantOnly(depsOf, answer)],
    ['for operators and without a guard', '/api/operator/overview', answer],
    ['for operators behind the guard of the content area', '/api/operator/overview', memberOnly(depsOf, answer)],
    ['for owners behind the guard of operators', '/api/cms/users', operatorOnly(depsOf, answer)],
    ['for payers and behind the guard of merchants', '/api/invoices/:payId', merchantOnly(depsOf, answer)],
    ['for payers and behind the guard of lists', '/api/invoices/:payId', merchantReads(depsOf, answerLater)],
  ])('%s stops the Worker from starting', (_what, path, handler) => {
    expect(() => route(newApp(), path, { GET: handler })).toThrow(/is not guarded so/);
  });
});

describe('the rows', () => {
  it('open the content area to editors, and its accounts and audit trail to owners only', () => {
    const cms = everyRow().filter(([name]) => name.includes(' /api/cms/'));
    expect(cms.length).toBeGreaterThan(20);
    for (const [name, who] of cms)
      expect(who, name).toBe(/ \/api\/cms\/(users|invitations|audit)/.test(name) ? 'owner' : 'editor');
  });
});

describe('an operator', () => {
  it('has to have shown the passkey lately for whatever changes something, but for session and proof themselves', () => {
    const own = everyRow('operator').filter(([, who]) => who !== 'anyone');
    const acts = own.filter(([name]) => !/^GET | \/api\/operator\/(?:session|proof)/.test(name));
    expect(acts.length).toBeGreaterThan(5);
    for (const [name, who] of acts) expect(who, name).toBe('operator who just showed the passkey');
    expect(everyRow().filter(([name]) => / \/api\/operator\//.test(name)).length).toBe(everyRow('operator').length - 2);
  });
});
