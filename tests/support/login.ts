import { env } from 'cloudflare:workers';
import { consent, Jar } from '#tests/support/consent';
import { oneDatabase } from '#tests/support/unit/one-database';
import { testSettings } from '#tests/support/unit/settings';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { createApp } from '#worker/app';
import { ofClinic } from '#worker/clinic/capability-keys';
import { crmSyncs } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { type Crm, CrmError, type CrmSyncReads } from '#worker/vendors/hubspot/port';

const STATES = ['ready', 'cancelled', 'ended', 'invalid', 'crm-down', 'missing-scopes', 'removed'];

/** A CRM that logs people in but is not synced: lists show only a test's own rows. */
function withoutCopying(crm: Crm): Crm {
  const refuse = () => Promise.reject(new CrmError('unavailable', 'it is not copied in this test'));
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
 * Stands for the built pages; a test sees which page was requested and which of its states remained. No article has a
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

/** The first clinic that is founded in a test. */
const FIRST = 1;

/**
 * The product's app in this isolate, with the run's sandbox. Tests keep a browser's cookies by hand. `deps` are those of
 * the first clinic, and a `db` among the overrides is the clinics' database; `installation` are the installation's. What
 * a test changes in `deps` later, each request has.
 */
export function makeApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const bindings = { ...env, ...testSettings(sandboxUrl()), ASSETS, ...settings } as unknown as Env;
  const real = createDeps(bindings);
  // Drop the line per request, which would bury a test's own output.
  const log = { ...real.log, info: () => undefined };
  const clinics = oneDatabase(overrides.db);
  const deps = ofClinic({ ...real, crm: withoutCopying(real.crm), log, clinics, ...overrides }, FIRST);
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
  /** Takes a path of the product, or a full address to use another of its host names. */
  const request = (path: string, init: RequestInit = {}) =>
    app.request(new URL(path, 'http://localhost:8787').href, { redirect: 'manual', ...init }, bindings, context);
  /** Takes a ready Request, for ones that `request` cannot build. */
  const fetch = async (request: Request) => app.fetch(request, bindings, context);
  const installation = ofInstallation();
  return { deps, installation, sandboxUrl: sandboxUrl(), request, fetch, settled: () => Promise.all(pending) };
}

export type TestApp = ReturnType<typeof makeApp>;

/** Begins a login and returns the address of the consent page. */
export async function begin(app: TestApp, jar: Jar): Promise<URL> {
  const response = jar.take(await app.request('/oauth/start', { headers: jar.header }));
  return new URL(response.headers.get('location') ?? '');
}

/** Log in as an account's admin. The CRM is asked for nothing more: lists show what the test puts into them. */
export async function logIn(
  app: TestApp,
  accountIndex: 0 | 1 | 2,
  jar = new Jar(),
): Promise<{ jar: Jar; token: string }> {
  const back = await consent(await begin(app, jar), accountIndex);
  jar.take(await app.request(`${back.pathname}${back.search}`, { headers: jar.header }));
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
  const back = await consent(await begin(app, jar), 0, 'grant', 1);
  jar.take(await app.request(`${back.pathname}${back.search}`, { headers: jar.header }));
  return jar.cookies.get('authToken') ?? '';
}

/** A terminal with which every account takes payments by a link, before it is boarded. */
export const addOnlineTerminals = () =>
  env.DB.prepare(
    "INSERT OR IGNORE INTO terminals SELECT account_id, 'T-online', 'Web', 'ecommerce', 'abc', '', 0, NULL, NULL FROM accounts",
  ).run();
