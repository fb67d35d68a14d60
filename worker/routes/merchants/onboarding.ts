import type { Context } from 'hono';
import type { GetMerchant } from '#shared/contracts/session';
import type { SetUpMerchant } from '#shared/contracts/session-answers';
import { merchantLimits } from '#shared/limits';
import { findSessionUser } from '#worker/data/merchants/sessions';
import type { Deps, Env } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { presentMerchant, viewMerchant } from '#worker/domain/merchants/view-merchant';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';
import type { BoardingEvent } from '#worker/vendors/clearent/boarding-port';

type C = Context<{ Bindings: Env }>;

/** Loaded on demand: a business signs up once, and most requests are payers'. */
const setUp = async (deps: Deps, accountId: number, email: string, dbaName: string) =>
  (await import('#worker/domain/merchants/apply')).setUpMerchant(deps, accountId, email, dbaName);
const hear = async (deps: Deps, event: BoardingEvent) =>
  (await import('#worker/domain/merchants/handle-boarding-webhook')).handleBoardingWebhook(deps, event);

/** Sign-up at the card provider, and the provider's webhooks about it. */
export function onboardingRoutes(app: App, depsOf: (c: C) => Deps): void {
  const tooLarge = (c: Context) => apiError(c, 413, 'too-large', 'The request is too large.');
  app.use('/api/token/setup-merchant', limitBody(10_000, tooLarge));
  app.use('/api/webhooks/*', limitBody(200_000, tooLarge));
  route(app, '/api/token/get-merchant', { GET: merchantOnly(depsOf, getMerchant) });
  route(app, '/api/token/get-merchant-data', { GET: merchantOnly(depsOf, getMerchantData) });
  route(app, '/api/token/get-merchant-logs', { GET: merchantOnly(depsOf, getMerchantLogs) });
  route(app, '/api/terminals', { GET: merchantOnly(depsOf, getTerminals) });
  route(app, '/api/token/setup-merchant', { POST: merchantOnly(depsOf, postSetUp) });
  route(app, '/api/webhooks/boarding/:secret', { POST: (c) => postBoarding(c, depsOf(c)) });
}

async function getMerchant(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
  const { merchant } = await viewMerchant(deps, accountId);
  return c.json({ merchant } satisfies GetMerchant);
}

const getMerchantData = async (c: C, deps: Deps, { accountId }: Merchant) =>
  c.json(await viewMerchant(deps, accountId));
const getMerchantLogs = async (c: C, deps: Deps, { accountId }: Merchant) =>
  c.json((await viewMerchant(deps, accountId)).logs);
const getTerminals = async (c: C, deps: Deps, { accountId }: Merchant) =>
  c.json((await viewMerchant(deps, accountId)).devices);

async function postSetUp(c: C, deps: Deps, merchant: Merchant): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const isObject = typeof body === 'object' && body !== null && 'dbaName' in body;
  const dbaName = isObject && typeof body.dbaName === 'string' ? body.dbaName : '';
  const user = await findSessionUser(deps.db, merchant);
  const outcome = await setUp(deps, merchant.accountId, user?.email ?? '', dbaName);
  switch (outcome.kind) {
    case 'set-up': {
      const row = presentMerchant(outcome.merchant);
      if (!row) break;
      if (outcome.mailId) runToCompletion(c, sendMail(deps, outcome.mailId));
      const merchantToToken = {
        hub_id: merchant.accountId,
        merchant_number: outcome.merchant.merchantNumber ?? '',
      };
      return c.json({ merchant: row, merchantToToken } satisfies SetUpMerchant);
    }
    case 'invalid-name':
      return apiError(
        c,
        422,
        'invalid',
        `Please enter a business name of 1 to ${merchantLimits.tradingName} characters.`,
        {
          fields: ['dbaName'],
        },
      );
    case 'refused':
      return apiError(c, 422, 'invalid', 'The card provider did not accept this application. Please contact support.');
    case 'provider-unavailable':
      break;
  }
  c.header('retry-after', '60');
  return apiError(c, 503, 'gateway-unavailable', 'The card provider is not answering. Please try again in a minute.');
}

async function postBoarding(c: C, deps: Deps): Promise<Response> {
  // Compare hashes: how early the comparison ends then reveals nothing about the secret.
  const [given, own] = await Promise.all([
    deps.sha256(c.req.param('secret') ?? ''),
    deps.sha256(deps.settings.BOARDING_WEBHOOK_SECRET),
  ]);
  if (given !== own) {
    await (await import('#worker/domain/audit/refusals')).countStranger(
      deps,
      'webhook.forged',
      '/api/webhooks/boarding/:secret',
    );
    return apiError(c, 404, 'not-found', 'Not found.');
  }
  const event = deps.boarding.readEvent(await c.req.text());
  if (!event) return apiError(c, 400, 'bad-request', 'The request could not be read.');
  const outcome = await hear(deps, event);
  // A key that could not be proved now is sent again by the provider.
  if (outcome === 'unproved') return apiError(c, 503, 'gateway-unavailable', 'Please send this again.');
  return c.body(null, 204);
}
