import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { everyRoute } from '#worker/areas/every-route';
import type { Deps } from '#worker/deps';
import { operatorGuard } from '#worker/http/guards/require-operator';
import { builderGuard, monitorGuard, programGuard } from './guards/program-secret.ts';
import { memberGuard } from './guards/require-editor.ts';
import { staffGuard } from './guards/require-merchant.ts';
import { route } from './routes.ts';
import { newApp, type ServingOptions, serveRoutes } from './serve-routes.ts';

const servingOptions: ServingOptions = { depsOf: () => ({}) as Deps, guards: [], bodyLimit: 100 };
const answer = () => new Response('handled');
const answers = {};

describe('serveRoutes', () => {
  it.each([
    ['staff', []],
    ['staff: administer', [memberGuard, operatorGuard, programGuard]],
    ['staff or holder of a pay link', [memberGuard]],
    ['editor', [staffGuard, builderGuard]],
    ['owner', [staffGuard]],
    ['operator', [programGuard, memberGuard]],
    ['operator program', [operatorGuard, staffGuard, monitorGuard]],
    ['tamper monitor', [builderGuard, programGuard]],
    ['site builder', [monitorGuard, memberGuard]],
  ] as const)('throws at start for a route with access “%s” in an area without a guard for it', (access, guards) => {
    const groups = [{ 'GET /api/x': route({ access, summary: 'Show x', answers, handle: answer }) } as const];
    expect(() => serveRoutes(newApp(), groups, { ...servingOptions, guards })).toThrow(
      /GET \/api\/x is for ".*", and no guard of its area admits them/,
    );
  });

  it('throws at start for a deferred session on a route that needs more than read access', () => {
    const deferredRoute = (access: 'staff' | 'staff: refund') =>
      route({ access, session: 'deferred', summary: 'List x', answers, handle: answer });
    const serve = (access: 'staff' | 'staff: refund') => () =>
      serveRoutes(newApp(), [{ 'GET /api/x': deferredRoute(access) }], { ...servingOptions, guards: [staffGuard] });
    expect(serve('staff')).not.toThrow();
    expect(serve('staff: refund')).toThrow('"List x" needs its session before it is handled');
  });

  it('passes a request through the guard of its route, and handles it once admitted', async () => {
    const app = newApp();
    const ownerRoute = route({
      access: 'owner',
      summary: 'Show x',
      answers,
      handle: ({ member }) => new Response(String(member)),
    });
    serveRoutes(app, [{ 'GET /api/x': ownerRoute }], {
      ...servingOptions,
      guards: [
        {
          admits: ['owner'],
          admit: (route, depsOf, answer) => async (c) => answer(c, depsOf(c), { member: route.access }),
        },
      ],
    });
    expect(await (await app.request('/api/x')).text()).toBe('owner');
  });

  it('limits a body as its route or else its area declares, and to 10 kB if it is never read', async () => {
    const app = newApp();
    const routeWith = (extra: object) =>
      route({ access: 'anyone', summary: 'Change x', answers, handle: answer, ...extra });
    const body = z.object({});
    const group = {
      'POST /own': routeWith({ body, bodyLimit: 10 }),
      'POST /area': routeWith({ body }),
      'POST /unread': routeWith({}),
    } as const;
    serveRoutes(app, [group], { ...servingOptions, bodyLimit: 20_000, tooLarge: 'Content is too long.' });
    const send = async (path: string, bytes: number) => {
      const init = {
        method: 'POST',
        body: JSON.stringify({ x: 'x'.repeat(bytes) }),
        headers: { 'content-type': 'application/json' },
      };
      const reply = await app.request(path, init);
      return reply.status === 413
        ? ((await reply.json()) as { error: { message: string } }).error.message
        : reply.status;
    };
    const tooLarge = 'The request is too large.';
    expect([await send('/own', 1), await send('/own', 11)]).toEqual([200, tooLarge]);
    expect([await send('/area', 15_000), await send('/area', 20_000)]).toEqual([200, 'Content is too long.']);
    expect([await send('/unread', 9_000), await send('/unread', 10_000)]).toEqual([200, tooLarge]);
  });

  it('returns 405 with the methods of all route groups that have the path', async () => {
    const app = newApp();
    const showRoute = route({ access: 'anyone', summary: 'Show x', answers, handle: answer });
    serveRoutes(app, [{ 'GET /api/x': showRoute }, { 'DELETE /api/x': showRoute }], servingOptions);
    const response = await app.request('/api/x', { method: 'PUT' });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, DELETE']);
  });

  it('matches literal paths before parameters, and parameters before wildcards', async () => {
    const app = newApp();
    const routeReturning = (text: string) =>
      route({ access: 'anyone', summary: `Show ${text}`, answers, handle: () => new Response(text) });
    const group = {
      'GET /x/*': routeReturning('rest'),
      'GET /x/:id': routeReturning('id'),
      'GET /x/words': routeReturning('words'),
    } as const;
    serveRoutes(app, [group], servingOptions);
    const texts = ['/x/words', '/x/1', '/x/1/2'].map(async (path) => (await app.request(path)).text());
    expect(await Promise.all(texts)).toEqual(['words', 'id', 'rest']);
  });

  it('parses body and query, and rejects invalid input before the handler sees it', async () => {
    const app = newApp();
    const putRoute = route({
      access: 'anyone',
      summary: 'Change x',
      query: z.object({ day: z.optional(z.enum(['today'])) }),
      body: z.object({ n: z.number('Please enter a number.') }),
      answers,
      handle: ({ c, body, query }) => c.json({ n: body.n, day: query.day ?? null }),
    });
    serveRoutes(app, [{ 'PUT /api/x': putRoute }], servingOptions);
    const put = (body: string, type = 'application/json', query = '') =>
      app.request(`/api/x${query}`, { method: 'PUT', body, headers: { 'content-type': type } });
    expect(await (await put('{"n":1,"more":2}')).json()).toEqual({ n: 1, day: null });
    expect((await put('{"n":1}', 'text/plain')).status).toBe(415);
    expect((await put('{')).status).toBe(400);
    expect((await put('{"n":1}', 'application/json', '?day=never')).status).toBe(422);
    expect((await put(`{"n":1,"more":"${'x'.repeat(100)}"}`)).status).toBe(413);
    expect(await (await put('{}')).json()).toMatchObject({
      error: { message: 'Please enter a number.', fields: ['n'] },
    });
  });
});

describe('the declared routes', () => {
  it('open the content area to editors, but its accounts and audit trail to owners only', () => {
    const cms = everyRoute.filter(({ path }) => path.startsWith('/api/cms/'));
    expect(cms.length).toBeGreaterThan(20);
    for (const { name, path, route: declaration } of cms)
      expect(declaration.access, name).toBe(/^\/api\/cms\/(users|invitations|audit)/.test(path) ? 'owner' : 'editor');
  });

  it('require the operator’s passkey before any change, except for session and proof', () => {
    const operatorRoutes = everyRoute.filter(
      ({ area, route: declaration }) => area === 'operator' && declaration.access !== 'anyone',
    );
    const changes = operatorRoutes.filter(({ name }) => !/^GET | \/api\/operator\/(?:session|proof)/.test(name));
    expect(changes.length).toBeGreaterThan(5);
    for (const { name, route: declaration } of changes)
      expect(declaration.access, name).toBe('operator who just showed the passkey');
  });
});
