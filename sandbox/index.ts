import { Hono } from 'hono';
import { accountOf } from './account.ts';
import { closedBatchRoutes } from './boarding/closed-batches.ts';
import { integrateMerchantRoutes } from './boarding/integrate-merchant.ts';
import { onboardingRoutes } from './boarding/pages.ts';
import { controlRoutes } from './control.ts';
import { controlCrmRoutes } from './control-crm.ts';
import { controlGatewayRoutes } from './control-gateway.ts';
import { consentRoutes } from './crm/consent.ts';
import { crmRoutes } from './crm/routes.ts';
import { passTime } from './gateway/ach-life.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { createTerminalSales } from './gateway/terminals/terminal-sales.ts';
import { newestSeq } from './gateway/transactions.ts';
import { createAnnouncements } from './gateway/webhooks/announce.ts';
import { createPauses, inflictFaults, type Pauses } from './inflict.ts';
import { isLoopback } from './loopback.ts';
import { mailRoutes } from './mail/api.ts';
import { controlMailRoutes } from './mail/control.ts';
import { mailboxRoutes } from './mail/mailbox.ts';
import { createMailNews } from './mail/news.ts';
import { assetRoutes } from './pages/assets.ts';
import { frontPageRoutes } from './pages/front-page.ts';
import { terminalPageRoutes } from './pages/terminal-page.ts';
import { logRequests } from './request-log.ts';
import { seedOnce } from './seed/seed.ts';
import { createWebhooks } from './webhooks.ts';
import { createWorld, type SandboxEnv } from './world.ts';

export type SandboxOptions = {
  /** SQLite path, or ':memory:'. */
  file: string;
  publicUrl: string;
  productUrl: string;
  /** Whether the mail service tells of every mail that it arrived; else only of those to its addresses for tests. */
  mailsArrive?: boolean;
  /** By default real pauses of the requested length. */
  pauses?: Pauses;
};

export type Sandbox = { app: Hono<SandboxEnv>; close(): void };

/** The simulated CRM, gateway and mail service as one app; `listen.ts` puts it on a port. */
export function createSandbox(options: SandboxOptions): Sandbox {
  if (process.env.NODE_ENV === 'production') throw new Error('the sandbox does not run in production');
  const world = createWorld(options);
  seedOnce(world);
  const pauses = options.pauses ?? createPauses();
  const webhooks = createWebhooks(world);
  const announcements = createAnnouncements(world, webhooks, pauses.pause);
  const mailNews = createMailNews(world, webhooks, pauses.pause, options.mailsArrive === true);
  const terminalSales = createTerminalSales(world, announcements, pauses.pause);
  // Bank debits must move while a person watches a status page for hours.
  const clock = setInterval(() => announcements.ach(...passTime(world)), 10_000).unref();

  const app = new Hono<SandboxEnv>();
  app.onError((error, c) => {
    // A caller that disconnects in the middle of a request is no failure of ours.
    if (c.env?.incoming?.complete !== false) console.error(error);
    return c.json({ error: 'the sandbox itself failed; its log says why' }, 500);
  });
  app.use(async (c, next) => {
    if (!isLoopback(c.req.header('host') ?? new URL(c.req.url).host)) return c.text('loopback only', 403);
    return next();
  });
  app.use(logRequests(world.requests));
  app.use(async (c, next) => {
    c.set('arrivalSeq', c.req.path.startsWith('/rest/') ? newestSeq(world) : 0);
    c.set('account', world.faults.nameAccounts() ? await accountOf(world, c) : null);
    c.set('lagMs', world.faults.takeLagMs(c.req.method, c.req.path, c.get('account')));
    return next();
  });
  app.use(inflictFaults(world, pauses.pause));
  app.route('/', assetRoutes());
  app.route('/', controlRoutes(world, webhooks, terminalSales));
  app.route('/', controlGatewayRoutes(world, announcements, terminalSales));
  app.route('/', controlCrmRoutes(world));
  app.route('/', consentRoutes(world));
  app.route('/', crmRoutes(world));
  app.route('/', integrateMerchantRoutes(world));
  app.route('/', closedBatchRoutes(world));
  app.route('/', onboardingRoutes(world, webhooks));
  app.route('/', terminalPageRoutes(world, terminalSales));
  app.route('/', gatewayRoutes(world, announcements, terminalSales));
  app.route('/', mailRoutes(world, mailNews));
  app.route('/', controlMailRoutes(world, mailNews));
  app.route('/', mailboxRoutes(world));
  app.route('/', frontPageRoutes(world));
  return {
    app,
    close() {
      clearInterval(clock);
      pauses.stop();
      webhooks.stop();
      world.store.close();
    },
  };
}
