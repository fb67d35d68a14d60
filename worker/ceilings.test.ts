import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { ceilings } from '#tests/ceilings';
import { makeContentApp } from '#tests/support/content/content';
import { askerOf } from '#tests/support/full-size/asker';
import {
  accountCalls,
  articleCalls,
  fillContent,
  libraryCalls,
  publishCalls,
} from '#tests/support/full-size/content-calls';
import { costTable, findCostErrors, proposeCeilings, sortRows } from '#tests/support/full-size/cost-report';
import { longGateway } from '#tests/support/full-size/gateway';
import {
  boardingCalls,
  deskCalls,
  invoiceCalls,
  listCalls,
  matchingCalls,
  reversalCalls,
  sessionCalls,
} from '#tests/support/full-size/merchant-calls';
import { monitorCalls } from '#tests/support/full-size/monitor-calls';
import { operateCalls } from '#tests/support/full-size/operate-calls';
import { operatorCalls } from '#tests/support/full-size/operator-calls';
import { payerCalls } from '#tests/support/full-size/payer-calls';
import { proofCalls } from '#tests/support/full-size/proof-calls';
import { builderOf, scheduleCalls } from '#tests/support/full-size/schedule-calls';
import { seedClinic } from '#tests/support/full-size/seed';
import { teamCalls } from '#tests/support/full-size/team-calls';
import { trailCalls } from '#tests/support/full-size/trail-calls';
import { makeClinic } from '#tests/support/unit/clinic';
import { type Meter, openMeter } from '#tests/support/unit/meter';
import { LIMITS } from '#tests/support/unit/platform-limits';
import { control } from '#tests/support/wire';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { registeredRoutes } from '#tests/whole/routes';
import { accounts as accountTable } from './data/schema/schema.ts';
import { CLINIC_STEPS, INSTALLATION_STEPS } from './domain/run-schedule.ts';

let meter: Meter | undefined;
afterEach(async () => {
  meter?.close();
  vi.useRealTimers();
  await control('reset', {});
});

/** A Friday evening, from which the next working day is farthest away. */
const FRIDAY_EVENING = Date.UTC(2026, 10, 27, 22);

const expectedRows = [
  ...registeredRoutes(),
  ...Object.keys(CLINIC_STEPS).map((step) => `clinic: ${step}`),
  ...Object.keys(INSTALLATION_STEPS).map((step) => `installation: ${step}`),
];

async function measureEverything(): Promise<Meter['costs']> {
  meter = openMeter(env);
  const { db, installation, media, files, costs } = meter;
  const clinic = await makeClinic({ ASSETS: files }, { db, installation, media });
  const { app } = clinic;
  app.deps.gateway = longGateway(meter, app.deps.gateway);
  await seedClinic(env.DB, hubs[0].hubId, new Date().toISOString().slice(0, 10));
  const ask = askerOf(meter, app);
  await sessionCalls(ask, clinic);
  await listCalls(ask, clinic);
  await invoiceCalls(ask, clinic, await payerCalls(ask, clinic));
  await deskCalls(ask, clinic);
  await reversalCalls(ask, clinic);
  await matchingCalls(ask, clinic);
  await trailCalls(ask, clinic);
  await boardingCalls(ask, app);
  await monitorCalls(meter, ask, app);
  await proofCalls(ask, app);
  await operateCalls(ask, hubs[0].hubId);
  await teamCalls(ask, app);

  const contentApp = makeContentApp({ installation, media }, { ASSETS: files, UPLOADS_PER_DAY: '200' });
  const askContent = askerOf(meter, contentApp);
  const token = await accountCalls(askContent, contentApp);
  await fillContent(contentApp, token);
  await articleCalls(askContent, token, await libraryCalls(askContent, token));
  const builder = builderOf(meter);
  const publishingApp = makeContentApp(
    { installation, media, builder, pause: async () => undefined },
    { ASSETS: files },
  );
  await publishCalls(askerOf(meter, publishingApp), publishingApp, token);
  await operatorCalls(meter, { db, installation, media, builder }, files);
  await scheduleCalls(meter, app.deps, app.installation);
  return costs;
}

describe('a full-size clinic', () => {
  it('stays within the ceiling of every route and every step of the schedule', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: FRIDAY_EVENING });
    await control('reset', { at: FRIDAY_EVENING });
    const costs = await measureEverything();
    console.log(`measured / ceiling\n${costTable(costs, ceilings)}`);
    const violations = findCostErrors(costs, ceilings, expectedRows);
    if (violations.length > 0)
      console.log(`By this run the rows of tests/ceilings.ts would be:\n${proposeCeilings(costs)}`);
    expect(violations, 'npm run registers adds and removes rows; a limit is for a person to decide').toEqual([]);
    // Each clinic's alarm is a separate invocation, whose statements need no database call.
    const installationCosts = [...costs].filter(([row]) => row.startsWith('installation: '));
    const calls = installationCosts.reduce((sum, [, usage]) => sum + usage.calls, 0);
    console.log(`a minute with every step of the installation full: ${calls} database calls`);
    expect(calls).toBeLessThanOrEqual(LIMITS.queries);
  }, 300_000);
});

describe('the ceilings', () => {
  const usage = { calls: 1, queries: 2, rowsRead: 30, rowsWritten: 4, subrequests: 1 };
  const row = 'GET /api/planted';

  it('are sorted, with one row per route, step or variant of a call', () => {
    const rows = Object.keys(ceilings);
    expect(rows).toEqual(sortRows(rows));
  });

  it.each([
    ['one query more', { ...usage, queries: 3 }, `${row}: 3 queries, 2 are allowed`],
    ['one row read more', { ...usage, rowsRead: 31 }, `${row}: 31 rowsRead, 30 are allowed`],
    ['one row written more', { ...usage, rowsWritten: 5 }, `${row}: 5 rowsWritten, 4 are allowed`],
    ['one subrequest more', { ...usage, subrequests: 2 }, `${row}: 2 subrequests, 1 are allowed`],
  ])('reject %s', (_case, spent, message) => {
    const allowed = { [row]: [2, 30, 4, 1] } as const;
    expect(findCostErrors(new Map([[row, usage]]), allowed, [row])).toEqual([]);
    expect(findCostErrors(new Map([[row, spent]]), allowed, [row])).toEqual([message]);
  });

  it('reject a route without a row, and a row without a route', () => {
    const allowed = { [row]: [2, 30, 4, 1], [`${row} ?q=x`]: [2, 30, 4, 1] } as const;
    const costsOfBoth = new Map([
      [row, usage],
      [`${row} ?q=x`, usage],
    ]);
    expect(findCostErrors(costsOfBoth, allowed, [row])).toEqual([]);
    expect(findCostErrors(costsOfBoth, { [row]: allowed[row] }, [row])).toEqual([`${row} ?q=x has no ceiling`]);
    expect(findCostErrors(costsOfBoth, allowed, [row, 'GET /api/new'])).toEqual(['GET /api/new was not measured']);
    expect(findCostErrors(costsOfBoth, allowed, [])).toEqual([`${row} is no route or step`]);
    expect(findCostErrors(new Map(), { [row]: allowed[row] }, [])).toEqual([
      `${row} has a ceiling and was not measured`,
    ]);
  });

  it('are measured by counting every statement, row and call', async () => {
    meter = openMeter(env);
    const { db, media, costs } = meter;
    await meter.measure(row, async () => {
      await db.insert(accountTable).values({ accountId: 7, name: 'Hub', domain: 'h', timeZone: 'UTC', connectedAt: 0 });
      await db.batch([db.select().from(accountTable), db.select().from(accountTable)]);
      await db.$client.prepare('SELECT account_id FROM accounts').raw();
      await db.query.accounts.findFirst();
      await media.head('nothing');
      await fetch(`${sandboxUrl()}/_sandbox/state`);
    });
    // Inserting an account also inserts its row of audit_checks.
    expect(costs.get(row)).toEqual({ calls: 4, queries: 5, rowsRead: 6, rowsWritten: 2, subrequests: 2 });
  });
});
