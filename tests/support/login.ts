import { env } from 'cloudflare:workers';
import { consent, Jar } from '#tests/support/consent';
import { testSettings } from '#tests/support/unit/settings';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { createApp } from '#worker/app';
import { crmSyncs } from '#worker/data/schema/schema';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { type Crm, CrmError, type CrmSyncReads } from '#worker/vendors/hubspot/port';

const STATES = ['ready', 'cancelled', 'invalid', 'crm-down', 'missing-scopes'];

/** A CRM that logs people in and is not copied: lists show what a test put into them. */
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

/** Pages are built files; a test sees which one was asked for and which of its states was kept. */
export const ASSETS = {
  fetch: async (url: string) =>
    new Response(`${new URL(url).pathname} ${STATES.map((state) => `<i data-state="${state}">${state}</i>`).join('')}`),
};

/** The product's app in this isolate, in front of the run's sandbox, with a browser's cookies kept by hand. */
export function makeApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const bindings = { ...env, ...testSettings(sandboxUrl()), ASSETS, ...settings } as unknown as Env;
  const real = createDeps(bindings);
  // What a test says would be lost among a line for each of its requests.
  const log = { ...real.log, info: () => undefined };
  const deps: Deps = { ...real, crm: withoutCopying(real.crm), log, ...overrides };
  const app = createApp(() => deps);
  const pending: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void pending.push(work),
    passThroughOnException: () => undefined,
    props: {},
  } as unknown as ExecutionContext;
  /** A path of the product, or a whole address where it is asked under another of its names. */
  const request = (path: string, init: RequestInit = {}) =>
    app.request(new URL(path, 'http://localhost:8787').href, { redirect: 'manual', ...init }, bindings, context);
  /** A request as it is, which no constructor would make. */
  const fetch = async (request: Request) => app.fetch(request, bindings, context);
  return { deps, sandboxUrl: sandboxUrl(), request, fetch, settled: () => Promise.all(pending) };
}

export type TestApp = ReturnType<typeof makeApp>;

/** Begin a login and answer what the consent page was asked for. */
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
    .set({ askedAt: Number.MAX_SAFE_INTEGER, firstPageAt: 1, completeAt: 1, failingSince: null });
  return { jar, token: jar.cookies.get('authToken') ?? '' };
}

/** Log in as the colleague of the first account's admin. */
export async function logInColleague(app: TestApp): Promise<string> {
  await logIn(app, 0);
  const jar = new Jar();
  const back = await consent(await begin(app, jar), 0, 'grant', 1);
  jar.take(await app.request(`${back.pathname}${back.search}`, { headers: jar.header }));
  return jar.cookies.get('authToken') ?? '';
}
