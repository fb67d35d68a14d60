import { type Context, Hono } from 'hono';
import { closedBatchRoutes, integrateMerchantRoutes } from './boarding/api.ts';
import { findApplication } from './boarding/applications.ts';
import { onboardingRoutes } from './boarding/pages.ts';
import { controlRoutes } from './control.ts';
import { isLoopback } from './control-guard.ts';
import { controlCrmRoutes, controlGatewayRoutes } from './control-vendors.ts';
import { hubs } from './credentials.ts';
import { findAccessToken } from './crm/access.ts';
import { consentRoutes } from './crm/consent.ts';
import { findRefreshToken } from './crm/oauth-tokens.ts';
import { CONTACT } from './crm/object-types.ts';
import { crmRoutes } from './crm/routes.ts';
import { advanceDebits } from './gateway/ach.ts';
import { createAnnouncements } from './gateway/announce.ts';
import { gatewayRoutes } from './gateway/routes.ts';
import { createTerminalSales } from './gateway/terminals/terminal-sales.ts';
import { findTerminalByApiKey, findTerminalByPublicKey } from './gateway/terminals/terminals.ts';
import { newestSeq } from './gateway/transactions.ts';
import { createPauses, inflictFaults, type Pauses } from './inject-faults.ts';
import { mailRoutes } from './mail/api.ts';
import { controlMailRoutes, createMailEventSender } from './mail/events.ts';
import { mailboxRoutes } from './mail/mailbox.ts';
import { frontPageRoutes } from './pages/front-page.ts';
import { assetRoutes } from './pages/page.ts';
import { terminalPageRoutes } from './pages/terminal-page.ts';
import { logRequests, partyOf } from './request-log.ts';
import { seedOnce } from './seed/seed.ts';
import { createWebhooks } from './webhooks.ts';
import { createWorld, type SandboxEnv, type World } from './world.ts';

/** Finds the account of a call by its credentials or its email's recipient; null if they identify none. */
export async function accountOf(world: World, c: Context<SandboxEnv>): Promise<number | null> {
  const party = partyOf(c.req.path);
  if (party === 'crm') return (await crmAccount(world, c)) ?? null;
  if (party === 'gateway') return gatewayAccount(world, c);
  return party === 'mail' ? mailAccount(world, await c.req.text()) : null;
}

async function crmAccount(world: World, c: Context<SandboxEnv>): Promise<number | undefined> {
  const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer) return findAccessToken(world, bearer)?.hub_id;
  const tokenInPath = /-tokens\/([^/]+)$/.exec(c.req.path)?.[1] ?? '';
  const form = c.req.method === 'POST' ? new URLSearchParams(await c.req.text()) : new URLSearchParams();
  const code = world.store.get<{ hub_id: number }>(
    'SELECT hub_id FROM auth_codes WHERE code = ?',
    form.get('code') ?? '',
  );
  const tokens = [tokenInPath, ...['refresh_token', 'token', 'access_token'].map((name) => form.get(name) ?? '')];
  return (
    code?.hub_id ??
    tokens
      .map((token) => findAccessToken(world, token) ?? findRefreshToken(world, token))
      .find((token) => token !== undefined)?.hub_id
  );
}

function gatewayAccount(world: World, c: Context<SandboxEnv>): number | null {
  const [apiKey, publicKey] = [c.req.header('api-key'), c.req.header('public-key')];
  const terminal =
    (apiKey ? findTerminalByApiKey(world, apiKey) : undefined) ??
    (publicKey ? findTerminalByPublicKey(world, publicKey) : undefined);
  return terminal?.hub_id ?? null;
}

export const applicationAccount = (world: World, merchantNumber: string): number | null =>
  findApplication(world, merchantNumber)?.hub_id ?? null;

/** Finds the account that has the first recipient as a user or a CRM contact. */
function mailAccount(world: World, body: string): number | null {
  const address = /"to"\s*:\s*\[?\s*"(?:[^"<]*<)?([^">]+)/.exec(body)?.[1]?.trim();
  if (!address) return null;
  const hub = hubs.find(({ users }) => users.some(({ email }) => email === address));
  const contact = world.store.get<{ hub_id: number }>(
    "SELECT hub_id FROM records WHERE type = ? AND json_extract(properties, '$.email') = ? LIMIT 1",
    CONTACT,
    address,
  );
  return hub?.hubId ?? contact?.hub_id ?? null;
}

export type SandboxOptions = {
  /** SQLite path, or ':memory:'. */
  file: string;
  publicUrl: string;
  productUrl: string;
  /** If true, every email is reported as delivered; otherwise only emails to the test addresses cause events. */
  deliversAllMail?: boolean;
  /** By default, pauses really last as long as requested. */
  pauses?: Pauses;
};

export type Sandbox = { app: Hono<SandboxEnv>; close(): void };

/** Creates the simulated CRM, gateway and mail service as one app, which `listen.ts` serves on a port. */
export function createSandbox(options: SandboxOptions): Sandbox {
  if (process.env.NODE_ENV === 'production') throw new Error('the sandbox does not run in production');
  const world = createWorld(options);
  seedOnce(world);
  const pauses = options.pauses ?? createPauses();
  const webhooks = createWebhooks(world);
  const announcements = createAnnouncements(world, webhooks, pauses.pause);
  const mailEventSender = createMailEventSender(world, webhooks, pauses.pause, options.deliversAllMail === true);
  const terminalSales = createTerminalSales(world, announcements, pauses.pause);
  // Bank debits must progress even if no call arrives for hours.
  const debitTimer = setInterval(() => announcements.statusChanges(...advanceDebits(world)), 10_000).unref();

  const app = new Hono<SandboxEnv>();
  app.onError((error, c) => {
    // A caller that disconnects during a request is not an error of the sandbox.
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
    c.set('account', world.faults.hasAccountFaults() ? await accountOf(world, c) : null);
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
  app.route('/', mailRoutes(world, mailEventSender));
  app.route('/', controlMailRoutes(world, mailEventSender));
  app.route('/', mailboxRoutes(world));
  app.route('/', frontPageRoutes(world));
  return {
    app,
    close() {
      clearInterval(debitTimer);
      pauses.stop();
      webhooks.stop();
      world.store.close();
    },
  };
}
