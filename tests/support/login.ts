import { env } from 'cloudflare:workers';
import { consent, Jar } from '#tests/support/consent';
import { oneDatabase } from '#tests/support/unit/one-database';
import { testSettings } from '#tests/support/unit/settings';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { createApp } from '#worker/app';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { crmSyncs } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { type Crm, CrmError, type CrmSyncReads } from '#worker/vendors/hubspot/port';

const STATES = ['ready', 'cancelled', 'ended', 'invalid', 'crm-down', 'missing-scopes', 'removed'];

/** A CRM that logs people in but is not synced, so that lists show only the test's own rows. */
function withoutSync(crm: Crm): Crm {
  const refuse = () => Promise.reject(new CrmError('unavailable', 'the CRM is not synced in this test'));
  return {
    ...crm,
    listRecords: refuse,
    listArchived: refuse,
    readRecords: refuse,
    readLinks: refuse,
    listChanged: refuse,
    listNewest: refuse,
    countRecords: refuse,
  } satisfies CrmSyncReads;
}

/**
 * Replaces the built pages: a test sees which page was requested and which of its states remained. Articles have no
 * file.
 */
export const ASSETS = {
  fetch: async (url: string) =>
    /^\/(blog|pages)\//.test(new URL(url).pathname)
      ? new Response(null, { status: 404 })
      : new Response(
          `${new URL(url).pathname} ${STATES.map((state) => `<i data-state="${state}">${state}</i>`).join('')}`,
        ),
};

/** The number of the first clinic in a test. */
const FIRST = 1;

/**
 * The product's app in this isolate, with the run's sandbox. Tests handle a browser's cookies themselves. `deps` are
 * the first clinic's, and a `db` in the overrides is the clinics' database; `installation` are the installation's.
 * Later changes to `deps` apply to each request.
 */
export function makeApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const bindings = { ...env, ...testSettings(sandboxUrl()), ASSETS, ...settings } as unknown as Env;
  const real = createDeps(bindings);
  // Drops the line per request, which would bury the test's own output.
  const log = { ...real.log, info: () => undefined };
  const clinics = oneDatabase(overrides.db);
  const deps = depsOfClinic({ ...real, crm: withoutSync(real.crm), log, clinics, ...overrides }, FIRST);
  const ofInstallation = (): Deps => {
    const { newCapability, clinic } = real;
    return { ...deps, clinic, newCapability, db: deps.installation };
  };
  const app = createApp(ofInstallation);
  const pending: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void pending.push(work),
    passThroughOnException: () => undefined,
    props: {},
  } as unknown as ExecutionContext;
  /** Requests a path of the product, or a full URL to use another of its host names. */
  const request = (path: string, init: RequestInit = {}) =>
    app.request(new URL(path, 'http://localhost:8787').href, { redirect: 'manual', ...init }, bindings, context);
  /** Sends a finished Request, for those that `request` cannot build. */
  const fetch = async (request: Request) => app.fetch(request, bindings, context);
  const installation = ofInstallation();
  return { deps, installation, sandboxUrl: sandboxUrl(), request, fetch, settled: () => Promise.all(pending) };
}

export type TestApp = ReturnType<typeof makeApp>;

/** Begins a login and returns the address of the consent page. */
export async function beginLogin(app: TestApp, jar: Jar): Promise<URL> {
  const response = jar.take(await app.request('/oauth/start', { headers: jar.header }));
  return new URL(response.headers.get('location') ?? '');
}

/** Logs in as an account's admin and postpones the CRM sync, so that lists show only the test's own rows. */
export async function logIn(
  app: TestApp,
  accountIndex: 0 | 1 | 2,
  jar = new Jar(),
): Promise<{ jar: Jar; token: string }> {
  const callback = await consent(await beginLogin(app, jar), accountIndex);
  jar.take(await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header }));
  await app.settled();
  await app.deps.db
    .update(crmSyncs)
    .set({ requestedAt: Number.MAX_SAFE_INTEGER, firstPageAt: 1, completeAt: 1, failingSince: null });
  return { jar, token: jar.cookies.get('authToken') ?? '' };
}

/** Logs in as the colleague of the first account's admin. */
export async function logInColleague(app: TestApp): Promise<string> {
  await logIn(app, 0);
  const jar = new Jar();
  const callback = await consent(await beginLogin(app, jar), 0, 'grant', 1);
  jar.take(await app.request(`${callback.pathname}${callback.search}`, { headers: jar.header }));
  return jar.cookies.get('authToken') ?? '';
}

/** Adds an online terminal to every account, so that it accepts payments by link without boarding. */
export const addOnlineTerminals = () =>
  env.DB.prepare(
    "INSERT OR IGNORE INTO terminals SELECT account_id, 'T-online', 'Web', 'ecommerce', 'abc', '', 0, NULL, NULL FROM accounts",
  ).run();
