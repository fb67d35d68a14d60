import { Hono } from 'hono';
import { routePath } from 'hono/route';
import { consoleLog } from '#worker/log';

/** The smallest Worker that answers `/app_url` like the product and logs the same line. Only for measuring. */
const app = new Hono<{ Bindings: { APP_URL: string } }>();

app.use(async (c, next) => {
  const from = Date.now();
  const requestId = crypto.randomUUID();
  await next();
  consoleLog.info('request', {
    requestId,
    route: routePath(c),
    method: c.req.method,
    status: c.res.status,
    ms: Date.now() - from,
  });
});
app.get('/app_url', (c) => c.json({ appUrl: c.env.APP_URL }));

export default app;
