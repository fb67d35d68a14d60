import { env } from 'cloudflare:workers';
import { inject } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { testSettings } from '#tests/support/settings';
import { createApp } from '#worker/app';
import { createDeps, type Deps, type Env } from '#worker/deps';

const STATES = ['ready', 'cancelled', 'invalid', 'crm-down', 'missing-scopes'];

/** The product's app in this isolate, in front of the run's sandbox, with a browser's cookies kept by hand. */
export function makeApp(overrides: Partial<Deps> = {}, settings: Record<string, unknown> = {}) {
  const sandboxUrl = inject('sandboxUrl');
  // Pages are built files; a test sees which one was asked for and which of its states was kept.
  const ASSETS = {
    fetch: async (url: string) =>
      new Response(`${new URL(url).pathname} ${STATES.map((state) => `<i data-state="${state}">${state}</i>`).join('')}`),
  };
  const bindings = { ...env, ...testSettings(sandboxUrl), ASSETS, ...settings } as unknown as Env;
  const deps: Deps = { ...createDeps(bindings), ...overrides };
  const app = createApp(() => deps);
  const pending: Promise<unknown>[] = [];
  const context = {
    waitUntil: (work: Promise<unknown>) => void pending.push(work),
    passThroughOnException: () => undefined,
    props: {},
  } as unknown as ExecutionContext;
  const request = (path: string, init: RequestInit = {}) =>
    app.request(`http://localhost:8787${path}`, { redirect: 'manual', ...init }, bindings, context);
  return { deps, sandboxUrl, request, settled: () => Promise.all(pending) };
}

export type TestApp = ReturnType<typeof makeApp>;

/** The cookies of one browser. */
export class Jar {
  readonly cookies = new Map<string, string>();

  take(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  get header(): Record<string, string> {
    const text = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return text === '' ? {} : { cookie: text };
  }
}

/** Begin a login and answer what the consent page was asked for. */
export async function begin(app: TestApp, jar: Jar): Promise<URL> {
  const response = jar.take(await app.request('/oauth/start', { headers: jar.header }));
  return new URL(response.headers.get('location') ?? '');
}

/** What a person does on the consent page: pick account and user, and grant or deny. Answers where the browser goes next. */
export async function consent(authorize: URL, hubIndex: 0 | 1 | 2, decision: 'grant' | 'deny' = 'grant'): Promise<URL> {
  const hub = hubs[hubIndex];
  const form = new URLSearchParams(authorize.searchParams);
  form.set('hub_id', String(hub.hubId));
  form.set('user_id', String(hub.users[0]?.userId));
  form.set('decision', decision);
  const response = await fetch(`${authorize.origin}${authorize.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '');
}

/** Log in as an account's admin. */
export async function logIn(app: TestApp, hubIndex: 0 | 1 | 2, jar = new Jar()): Promise<{ jar: Jar; token: string }> {
  const back = await consent(await begin(app, jar), hubIndex);
  jar.take(await app.request(`${back.pathname}${back.search}`, { headers: jar.header }));
  return { jar, token: jar.cookies.get('authToken') ?? '' };
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
