import type { Context } from 'hono';
import type { AppView } from '#shared/contracts/session';
import { staffRoles } from '#shared/contracts/team-values';
import { gateOf } from '#shared/gate';
import { operator } from '#shared/operator';
import { scriptJson } from '#shared/text/escape';
import { ofClinic } from '#worker/clinic/of-clinic';
import type { Deps, Env } from '#worker/deps';
import type { LoggedIn } from '#worker/domain/merchants/session';
import { viewAccount } from '#worker/domain/merchants/view-merchant';
import { sessionIfAny } from '#worker/http/guards/browser-session';
import { builtPage, filledPage, isDevServer, sendBuiltPage } from '#worker/http/reply/page-template';
import { type App, route } from '#worker/http/route';
import { reaches } from '#worker/security/roles';

type C = Context<{ Bindings: Env }>;

/** Addresses of the merchant app besides `/`. All serve the same page, which picks its screen by the address. */
const APP_PATHS = [
  '/account/:part',
  '/analytics',
  '/audit',
  '/batches',
  '/checks',
  '/takings',
  '/customers',
  '/customers/:id',
  '/help',
  '/invoices',
  '/invoice/:crmId',
  '/openInvoices',
  '/transactions',
  '/payments',
  '/userinfo',
];

/** `/` serves the homepage to a visitor and the app to a merchant, decided before the first byte. */
export function appPageRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/', { GET: (c) => getHome(c, depsOf(c)) });
  for (const path of APP_PATHS) route(app, path, { GET: (c) => getApp(c, depsOf(c)) });
  app.notFound((c) => getNowhere(c, depsOf(c)));
}

async function getHome(c: C, deps: Deps): Promise<Response> {
  const merchant = await sessionIfAny(c, deps);
  return merchant ? appPage(c, deps, merchant) : sendBuiltPage(c, '/');
}

async function getApp(c: C, deps: Deps): Promise<Response> {
  const merchant = await sessionIfAny(c, deps);
  return merchant ? appPage(c, deps, merchant) : c.redirect('/login', 303);
}

/** An unknown address: a merchant stays in the app, which says so; everyone else gets the site's 404 page. */
async function getNowhere(c: C, deps: Deps): Promise<Response> {
  if (isDevServer()) return builtPage(c, c.req.path);
  const isPage = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');
  const merchant = isPage ? await sessionIfAny(c, deps) : null;
  return merchant ? appPage(c, deps, merchant, 404) : sendBuiltPage(c, '/404', { status: 404 });
}

async function appPage(c: C, deps: Deps, merchant: LoggedIn, status: 200 | 404 = 200): Promise<Response> {
  const own = ofClinic(deps, merchant.clinic);
  const [{ data, isNew, timeZone, person }, supportView] = await Promise.all([
    viewAccount(own, merchant.accountId, merchant.userId),
    (await import('#worker/domain/merchants/support-view')).saySupportView(own, merchant),
  ]);
  const support = { phone: operator.supportPhone, email: operator.supportEmail };
  const may = staffRoles.filter((role) => reaches(merchant.role, role));
  const { role } = merchant;
  const view: AppView = { gate: gateOf(data), data, person: { ...person, role }, support, may, isNew, timeZone };
  return filledPage(c, '/app/shell', { texts: { supportView }, json: { 'app-view': scriptJson(view) } }, { status });
}
