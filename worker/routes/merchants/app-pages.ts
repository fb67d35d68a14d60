import { type AppView, gateOf } from '#shared/contracts/staff/session';
import { rightsOf } from '#shared/contracts/staff/team-values';
import { operator } from '#shared/operator';
import { scriptJson } from '#shared/text/escape';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import type { Deps } from '#worker/deps';
import type { LoggedInMerchant } from '#worker/domain/merchants/session';
import { describeSupportView } from '#worker/domain/merchants/support-view';
import { viewAccount } from '#worker/domain/merchants/view-merchant';
import { pageAfterSession, sessionIfAny } from '#worker/http/guards/browser-session';
import { builtPage, isDevServer, sendBuiltPage, sendFilledPage } from '#worker/http/reply/page-template';
import { type C, htmlPage, noBody, type PublicRequest, type Route, type Routes, route } from '#worker/http/routes';

const appRoute = (screen: string): Route =>
  route({
    access: 'staff by cookie',
    summary: `Open ${screen}`,
    answers: { 200: htmlPage, 303: noBody },
    handle: getApp,
  });

/**
 * `/` serves the homepage to a visitor and the app to a merchant, which is decided before the first byte. The other
 * URLs of the app serve the same page, which selects its screen by the URL.
 */
export const appPageRoutes: Routes = {
  'GET /': route({
    access: 'anyone',
    summary: 'Open the homepage, or the app for staff',
    answers: { 200: htmlPage, 303: noBody },
    handle: getHome,
  }),
  'GET /account/:part': appRoute('the account settings'),
  'GET /analytics': appRoute('analytics'),
  'GET /audit': appRoute('the audit trail'),
  'GET /batches': appRoute('batches'),
  'GET /checks': appRoute('reconciliation'),
  'GET /takings': appRoute('the takings of a day'),
  'GET /customers': appRoute('customers'),
  'GET /customers/:id': appRoute('a customer'),
  'GET /help': appRoute('help'),
  'GET /invoices': appRoute('invoices'),
  'GET /invoice/:crmId': appRoute('an invoice'),
  'GET /openInvoices': appRoute('open invoices'),
  'GET /transactions': appRoute('transactions'),
  'GET /transactions/all': appRoute('all payments'),
  'GET /payments': appRoute('the screen for taking a payment'),
  'GET /userinfo': appRoute('the user’s account'),
};

async function getHome({ c, deps }: PublicRequest): Promise<Response> {
  const merchant = await sessionIfAny(c, deps);
  if (merchant) return sendApp(c, deps, merchant);
  const next = await pageAfterSession(c, deps, '/');
  return next === '/' ? sendBuiltPage(c, '/') : c.redirect(next, 303);
}

async function getApp({ c, deps }: PublicRequest): Promise<Response> {
  const merchant = await sessionIfAny(c, deps);
  return merchant ? sendApp(c, deps, merchant) : c.redirect(await pageAfterSession(c, deps, '/login'), 303);
}

/**
 * Handles an unknown URL. A merchant gets the app, which shows its own message. Everyone else gets the site's 404 page.
 */
export const appNotFound = (depsOf: (c: C) => Deps) => async (c: C) => {
  const deps = depsOf(c);
  if (isDevServer()) return builtPage(c, c.req.path);
  const isPage = c.req.method === 'GET' && (c.req.header('accept') ?? '').includes('text/html');
  const merchant = isPage ? await sessionIfAny(c, deps) : null;
  return merchant ? sendApp(c, deps, merchant, 404) : sendBuiltPage(c, '/404', { status: 404 });
};

async function sendApp(c: C, deps: Deps, merchant: LoggedInMerchant, status: 200 | 404 = 200): Promise<Response> {
  const clinicDeps = depsOfClinic(deps, merchant.clinic);
  const [{ data, colleagues, isNew, timeZone, person }, supportView] = await Promise.all([
    viewAccount(clinicDeps, merchant.accountId, merchant.userId),
    describeSupportView(clinicDeps, merchant),
  ]);
  const support = { phone: operator.supportPhone, email: operator.supportEmail };
  const { role } = merchant;
  const view: AppView = {
    gate: gateOf(data),
    data,
    person: { ...person, role },
    support,
    may: rightsOf[role],
    colleagues,
    isNew,
    timeZone,
  };
  return sendFilledPage(
    c,
    '/app/shell',
    { texts: { supportView }, json: { 'app-view': scriptJson(view) } },
    { status },
  );
}
