import { describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { makeApp } from '#tests/support/login';
import { createApp } from '#worker/app';
import { createContentArea } from './content.ts';
import { type Area, everyRoute } from './every-route.ts';
import { createMerchantArea } from './merchant.ts';
import { createOperateArea } from './operate.ts';
import { createOperatorArea } from './operator.ts';

const failOnDeps = (): never => {
  throw new Error('nothing is asked here');
};

const rowsOf = (area: Area) => everyRoute.filter((route) => route.area === area).map(({ name }) => name);

describe('an area', () => {
  it.each([
    ['merchant', createMerchantArea(failOnDeps)],
    ['content', createContentArea(failOnDeps)],
    ['operator', createOperatorArea(failOnDeps)],
    ['operate', createOperateArea(failOnDeps)],
  ] as const)('serves exactly the routes listed for it: %s', (name, area) => {
    const servedRoutes = area.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(servedRoutes)].sort()).toEqual(rowsOf(name).sort());
  });

  it('is not loaded for routes that the start bundle serves', () => {
    const servedRoutes = createApp(failOnDeps).routes.map(({ method, path }) => `${method} ${path}`);
    expect(servedRoutes).toEqual(expect.arrayContaining(rowsOf('start')));
  });

  it('is reached at each of its routes, even by an unsupported method', async () => {
    const loggedFields: unknown[] = [];
    const log = { info: (_event: string, fields?: object) => void loggedFields.push(fields), alert: () => undefined };
    const app = makeApp({ log });
    const routeOf = async (method: string, path: string) => {
      loggedFields.length = 0;
      const { status } = await app.request(path, { method, headers: bearer('aaaa.bbbb.cccc') });
      const lines = loggedFields.filter((fields) => fields && 'requestId' in (fields as object));
      return { status, route: (lines[0] as { route: string }).route };
    };
    for (const row of ['merchant', 'content', 'operator', 'operate'].flatMap((area) => rowsOf(area as Area))) {
      const [method = '', path = ''] = row.split(' ');
      const address = path.replaceAll(/:\w+/g, '1').replace('*', 'a/b');
      expect((await routeOf(method, address)).route, row).toBe(path);
      if (path.includes(':') && !path.endsWith('/') && path !== '/api/invoices/:id')
        expect(await routeOf('OPTIONS', address), row).toEqual({ status: 405, route: path });
    }
  });

  it('serves an invoice to merchants with a bearer token, and to payers without one', async () => {
    const lines: (object | undefined)[] = [];
    const app = makeApp({ log: { info: (_event, fields) => void lines.push(fields), alert: () => undefined } });
    const responses = [
      await app.request('/api/invoices/1'),
      await app.request('/api/invoices/1', { headers: bearer('aaaa.bbbb.cccc') }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 401]);
    expect(lines).toMatchObject([{ route: '/api/invoices/:payId' }, { route: '/api/invoices/:id' }]);
  });

  it('returns a JSON error for an unknown path below its routes', async () => {
    const app = makeApp();
    const statuses = await Promise.all(
      ['/media/a/b', '/preview/a/b', '/api/cms/none', '/api/auth/none', '/api/payments/none', '/api/operator/none'].map(
        async (path) => {
          const answer = await app.request(path);
          return [answer.status, answer.headers.get('content-type')];
        },
      ),
    );
    expect(statuses.map(([status]) => status)).toEqual([404, 404, 401, 404, 404, 404]);
    expect(new Set(statuses.map(([, type]) => type))).toEqual(new Set(['application/json']));
  });
});
