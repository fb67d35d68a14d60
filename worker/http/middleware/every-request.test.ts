import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { addOnlineTerminals, logIn, makeApp } from '#tests/support/login';
import { newInvoice } from '#tests/support/wire';
import { createApp } from '#worker/app';
import type { LogFields } from '#worker/log';

type Line = { level: string; event: string } & LogFields;

function makeLoggingApp(overrides: Parameters<typeof makeApp>[0] = {}) {
  const lines: Line[] = [];
  const record = (level: string) => (event: string, fields?: LogFields) => void lines.push({ level, event, ...fields });
  const app = makeApp({ log: { info: record('info'), alert: record('alert') }, ...overrides });
  return { ...app, lines };
}

const SECRET = 'Zk3-secret_that_stands_in_an_address';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('the log line of a request', () => {
  it.each([
    ['GET', '/app_url', '/app_url', 200],
    ['HEAD', '/app_url', '/app_url', 200],
    ['GET', `/make/payment/${SECRET}`, '/make/payment/:payId', 404],
    ['GET', `/receipt/${SECRET}`, '/receipt/:receiptId', 404],
    ['GET', `/receipt/${SECRET}/signature.png`, '/receipt/:receiptId/signature.png', 404],
    ['GET', `/api/invoices/${SECRET}`, '/api/invoices/:payId', 404],
    ['POST', `/api/invoices/takePaymentSDK/${SECRET}`, '/api/invoices/takePaymentSDK/:payId', 415],
    ['GET', `/api/token/status/${SECRET}`, '/api/token/status/:authToken', 401],
    ['POST', `/api/webhooks/boarding/${SECRET}`, '/api/webhooks/boarding/:secret', 404],
    ['POST', `/api/webhooks/transactions/${SECRET}`, '/api/webhooks/transactions/:secret', 404],
    ['GET', `/oauth?code=${SECRET}&state=${SECRET}`, '/oauth', 400],
    ['GET', `/?authToken=${SECRET}`, '/*', 303],
    ['DELETE', `/api/invoices/${SECRET}`, '/api/invoices/:payId', 405],
    ['GET', `/api/${SECRET}`, '/api/*', 404],
    // Lazily loaded areas report their own routes.
    ['GET', `/preview/${SECRET}`, '/preview/:token', 404],
    ['GET', `/media/${SECRET}`, '/media/:key', 404],
    ['PUT', `/api/cms/posts/${SECRET}`, '/api/cms/posts/:id', 401],
    ['GET', `/api/invoices/${SECRET}/signature`, '/api/invoices/:id/signature', 401],
    ['GET', '/api/invoices/getOpenInvoices', '/api/invoices/getOpenInvoices', 401],
  ])('names the route and status, but not the address: %s %s', async (method, path, route, status) => {
    const app = makeLoggingApp();
    const answer = await app.request(path, { method });
    const requestLines = app.lines.filter(({ event }) => event === 'request');
    expect(requestLines).toEqual([
      {
        level: 'info',
        event: 'request',
        requestId: answer.headers.get('x-request-id'),
        route,
        method,
        status,
        ms: expect.any(Number),
      },
    ]);
    expect(JSON.stringify(app.lines)).not.toContain('secret_that');
    expect(app.lines.filter(({ level }) => level === 'alert')).toEqual([]);
  });

  it('names the clinic of the logged-in user, and has the same request id as the other lines of the request', async () => {
    const lines: Record<string, unknown>[] = [];
    const record = (event: string, fields = {}) => void lines.push({ event, ...fields });
    const app = makeApp({ log: { info: record, alert: record } });
    const { token } = await logIn(app, 0);
    await addOnlineTerminals();
    lines.length = 0;
    const mail = `/api/invoices/sendPaymentLink/${await newInvoice()}`;
    const answer = await app.request(mail, { method: 'POST', headers: bearer(token) });
    const requestId = answer.headers.get('x-request-id');
    const [mailRequested, request] = ['mail-requested', 'request'].map((name) =>
      lines.find(({ event }) => event === name),
    );
    expect([mailRequested, request]).toMatchObject([{ requestId }, { requestId, clinic: app.deps.clinic }]);
  });

  it('is written for a failed request, whose reply has the usual security headers', async () => {
    const failDatabase = () => {
      throw new Error('the database is down');
    };
    const db = new Proxy({}, { get: failDatabase }) as never;
    const payId = makeApp().deps.newCapability();
    for (const [path, route] of [
      [`/api/invoices/${payId}`, '/api/invoices/:payId'],
      ['/api/public/posts', '/api/public/posts'],
    ]) {
      const app = makeLoggingApp({ db, installation: db });
      const answer = await app.request(path ?? '');
      const requestId = answer.headers.get('x-request-id');
      const line = app.lines.find(({ event }) => event === 'request');
      expect(line).toMatchObject({ requestId, status: answer.status, route });
      expect(answer.status).toBeGreaterThanOrEqual(500);
      expect(answer.headers.get('x-frame-options')).toBe('DENY');
    }
  });

  it('is also written for a request to a foreign host name', async () => {
    const app = makeLoggingApp();
    const answer = await app.request('http://evil.example/app_url');
    expect([answer.status, app.lines[0]?.status]).toEqual([421, 421]);
  });
});

describe('our own host name', () => {
  const statusOf = async (appUrl: string, url: string) => {
    const app = createApp(() => ({ ...makeApp().deps, settings: { APP_URL: appUrl } as never }));
    return (await app.request(url, {}, env, createExecutionContext())).status;
  };

  it.each([
    ['http://localhost:8787', 'http://127.0.0.1:8787/app_url', 200],
    ['http://localhost:8787', 'http://[::1]:1/app_url', 200],
    ['http://localhost:8787', 'http://localhost.evil.example/app_url', 421],
    ['http://localhost:8787', 'http://localhost:1@evil.example/app_url', 421],
    ['http://localhost:8787', 'http://evil.example/http://localhost/app_url', 421],
    ['https://pay.clinic.test', 'https://pay.clinic.test/app_url', 200],
    ['https://pay.clinic.test', 'http://localhost:8787/app_url', 421],
    ['https://pay.clinic.test', 'https://pay.clinic.test.evil.example/app_url', 421],
  ])('is %s: %s returns %i', async (appUrl, url, status) => {
    expect(await statusOf(appUrl, url)).toBe(status);
  });
});

describe('malformed settings', () => {
  it('get the same reply as any other failure', async () => {
    const app = createApp(() => {
      throw new Error('setting TOKEN_KEYS is missing');
    });
    const answer = await app.request('http://localhost:8787/app_url', {}, env, createExecutionContext());
    expect(answer.status).toBe(500);
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(await answer.text()).not.toContain('TOKEN_KEYS');
  });
});

describe('the body of a GET or HEAD request', () => {
  it('does not change the reply', async () => {
    const app = makeLoggingApp();
    const paths = [
      ...['/api/invoices/takePaymentSDK/x', '/api/csp-report', '/api/webhooks/boarding/x', '/api/token/setup-merchant'],
      ...['/api/cms/posts', '/api/public/posts', '/media/x.png', '/api/auth/me', '/cms', '/api/payments/x', '/app_url'],
    ];
    const withBody = (path: string, method: string) => {
      // The platform delivers such a request, although the constructor refuses to make one.
      const request = new Request(`http://localhost:8787${path}`, { method: 'POST', headers: JSON_TYPE, body: '{}' });
      return new Proxy(request, {
        get: (target, name) => {
          if (name === 'method') return method;
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      });
    };
    for (const method of ['GET', 'HEAD']) {
      for (const path of paths) {
        const plainReply = await app.request(path, { method });
        const answer = await app.fetch(withBody(path, method));
        expect([path, answer.status, await answer.text()]).toEqual([path, plainReply.status, await plainReply.text()]);
      }
    }
    expect(app.lines.filter(({ level }) => level === 'alert')).toEqual([]);
  });
});

describe('a client that disconnects', () => {
  it.each(['/api/csp-report', '/api/invoices/takePaymentSDK/x', '/api/webhooks/boarding/x', '/api/auth/login'])(
    'is not logged as our failure while it sends a request: %s',
    async (path) => {
      const app = makeLoggingApp();
      const body = new ReadableStream({
        pull: (stream) => stream.error(new TypeError('Network connection lost.')),
      });
      const answer = await app.request(path, { method: 'POST', headers: JSON_TYPE, body });
      expect(answer.status).toBe(400);
      expect(app.lines.map(({ level, event }) => `${level} ${event}`)).toEqual(['info request']);
    },
  );
});

describe('policy violation reports', () => {
  const report = JSON.stringify({
    'csp-report': { 'effective-directive': 'script-src-elem', 'blocked-uri': `https://evil.example/${SECRET}` },
  });

  it('produce few log lines even in a flood, without alerts or addresses', async () => {
    const clock = { now: Date.UTC(2030, 0, 1) };
    const app = makeLoggingApp({ now: () => clock.now });
    const flood = async (count: number) => {
      app.lines.length = 0;
      for (let n = 0; n < count; n++)
        expect((await app.request('/api/csp-report', { method: 'POST', body: report })).status).toBe(204);
      return app.lines.filter(({ event }) => event === 'csp-violation');
    };
    const logged = await flood(210);
    expect(logged).toHaveLength(12);
    expect(logged[0]).toEqual({
      level: 'info',
      event: 'csp-violation',
      directive: 'script-src-elem',
      blocked: 'https://evil.example',
      heard: 1,
      requestId: expect.any(String),
    });
    expect(logged.at(-1)?.heard).toBe(200);
    clock.now += 60_000;
    expect(await flood(3)).toHaveLength(3);
    expect(JSON.stringify(app.lines)).not.toContain('secret_that');
  });
});
