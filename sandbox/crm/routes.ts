import { Hono } from 'hono';
import type { SandboxEnv, World } from '../world.ts';
import { type Caller, createLimiter, type Guard, requireCaller, requireScope } from './access.ts';
import { oauthRoutes } from './oauth.ts';
import { hubOf } from './oauth-tokens.ts';
import { type ObjectType, objectTypeOf, objectTypes } from './object-types.ts';
import { CrmProblem, OauthProblem, pathNotFound } from './problem.ts';
import { propertyRoutes } from './properties.ts';
import { batchRead, list, readOne } from './read.ts';
import { batchReadAssociations, readAssociations } from './read-associations.ts';
import { search } from './search.ts';
import { archive, batchArchive, batchCreate, batchUpdate, create, linkDefault, update } from './write.ts';

const DATED_VERSIONS = '2025-09|2026-03|2026-09';

/** HubSpot's public API: the numbered versions of its official client, and the dated versions. */
export function crmRoutes(world: World): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>();
  const limit = createLimiter(world);

  const guard: Guard = (c, typeName, access, isSearch = false) => {
    const caller = requireCaller(world, c);
    limit(c, caller.hubId, isSearch);
    const type = objectTypeOf(typeName);
    if (type === null)
      throw new CrmProblem(400, `Unable to infer object type from: ${typeName}`, { category: 'VALIDATION_ERROR' });
    requireScope(caller, access === 'read' ? objectTypes[type].readScopes : objectTypes[type].writeScopes);
    return { caller, type };
  };

  app.onError((error, c) => {
    if (error instanceof CrmProblem) return c.json(error.body, error.status);
    if (error instanceof OauthProblem) return c.json(error.body, 400);
    throw error;
  });

  app.route('/', oauthRoutes(world));
  for (const base of ['/crm/v3/objects/:type', `/crm/objects/:version{${DATED_VERSIONS}}/:type`] as const) {
    // [documented] Returns at most 100 records per page. All pages but the last have `paging.next.after`.
    app.get(base, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      return c.json(list(world, c, caller, type));
    });
    // [documented] Returns 201. An invoice requires only its currency.
    app.post(base, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      return c.json(await create(world, c, caller, type), 201);
    });
    // [documented] Returns 200 results per page, 10,000 in all. Responses have no limit headers and lag behind writes.
    app.post(`${base}/search`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read', true);
      return c.json(await search(world, c, caller, type));
    });
    // [documented] Accepts 100 ids. Returns 207 if some are missing.
    // [guessed] The text that names the missing ids is ours.
    app.post(`${base}/batch/read`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      const answer = await batchRead(world, c, caller, type);
      return c.json(answer.body, answer.status);
    });
    // [documented] Returns 201, or 207 with the failures.
    app.post(`${base}/batch/create`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      return c.json(await batchCreate(world, c, caller, type), 201);
    });
    // [documented] Returns 200, or 207 with the failures.
    app.post(`${base}/batch/update`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      const answer = await batchUpdate(world, c, caller, type);
      return c.json(answer.body, answer.status);
    });
    // [documented] Returns 204 without a body.
    app.post(`${base}/batch/archive`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      await batchArchive(world, c, caller, type);
      return c.body(null, 204);
    });
    // [documented] Returns one record. Unknown property names are omitted.
    app.get(`${base}/:id`, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      return c.json(readOne(world, c, caller, type, c.req.param('id')));
    });
    // [documented] Changes properties; an invoice cannot be set to paid.
    // [guessed] The status and text of that refusal are ours.
    app.patch(`${base}/:id`, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      return c.json(await update(world, c, caller, type, c.req.param('id')));
    });
    // [documented] Archives the record and returns 204.
    app.delete(`${base}/:id`, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'write');
      archive(world, caller, type, c.req.param('id'));
      return c.body(null, 204);
    });
  }

  // 2026-09 has no GET for one record's links. Every version has the batch read.
  for (const base of [
    '/crm/v4/objects/:type/:id/associations',
    '/crm/objects/:version{2025-09|2026-03}/:type/:id/associations',
  ] as const) {
    // [documented] Lists the linked records of one record. The key of line items contains a space.
    app.get(`${base}/:to`, (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      return c.json(
        readAssociations(world, c, caller, type, c.req.param('id'), guardTarget(caller, c.req.param('to'))),
      );
    });
  }
  // [documented] Creates a link of the default type; each direction has its own type id.
  app.put('/crm/v4/objects/:type/:id/associations/default/:to/:toId', (c) => {
    const { caller, type } = guard(c, c.req.param('type'), 'write');
    return c.json(
      linkDefault(world, caller, type, c.req.param('id'), guardTarget(caller, c.req.param('to')), c.req.param('toId')),
    );
  });
  for (const base of [
    '/crm/v4/associations/:type/:to/batch/read',
    `/crm/associations/:version{${DATED_VERSIONS}}/:type/:to/batch/read`,
  ] as const) {
    // [documented] Accepts 1,000 ids. Records without links are missing from the response.
    app.post(base, async (c) => {
      const { caller, type } = guard(c, c.req.param('type'), 'read');
      const answer = await batchReadAssociations(
        world,
        c,
        caller,
        type,
        guardTarget(caller, c.req.param('to')),
        c.req.path.includes('/2026-09/'),
      );
      return c.json(answer.body, answer.status);
    });
  }

  app.route('/', propertyRoutes(guard));
  // [documented] Returns the account's number, time zone and currencies, but no user and no role.
  app.get('/account-info/:version/details', (c) => {
    const caller = requireCaller(world, c);
    limit(c, caller.hubId, false);
    requireScope(caller, ['oauth']);
    return c.json(accountDetails(caller.hubId));
  });
  // [guessed] Returns "resource not found" without a category, as quoted in public code.
  app.all('/crm/*', () => {
    throw pathNotFound();
  });
  return app;
}

function guardTarget(caller: Caller, name: string): ObjectType {
  const to = objectTypeOf(name);
  if (to === null)
    throw new CrmProblem(400, `Unable to infer object type from: ${name}`, { category: 'VALIDATION_ERROR' });
  requireScope(caller, objectTypes[to].readScopes);
  return to;
}

function accountDetails(hubId: number) {
  const timeZone = hubOf(hubId)?.timeZone ?? 'UTC';
  const offset = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts()
    .find((part) => part.type === 'timeZoneName')?.value;
  const [, sign = '+', hours = '00', minutes = '00'] = /GMT([+-])(\d\d):(\d\d)/.exec(offset ?? '') ?? [];
  return {
    portalId: hubId,
    accountType: 'STANDARD',
    timeZone,
    companyCurrency: 'USD',
    additionalCurrencies: ['EUR'],
    utcOffset: `${sign}${hours}:${minutes}`,
    utcOffsetMilliseconds: (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000,
    uiDomain: 'app.hubspot.com',
    dataHostingLocation: 'na1',
  };
}
