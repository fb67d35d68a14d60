import * as z from 'zod/mini';
import { Device, GetMerchant, MerchantData, MerchantLog, SetUpMerchant } from '#shared/contracts/staff/session';
import { merchantLimits } from '#shared/limits';
import { findSessionUser } from '#worker/data/merchants/sessions';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import { sendMail } from '#worker/domain/mail/send';
import { handleBoardingWebhook, setUpMerchant } from '#worker/domain/merchants/boarding';
import { presentMerchant, viewMerchant } from '#worker/domain/merchants/view-merchant';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { noBody, type PublicRequest, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for sign-up at the card provider, and for the provider's webhooks about it. */
export const onboardingRoutes: Routes = {
  'GET /api/token/get-merchant': route({
    access: 'staff',
    summary: 'Show the merchant account',
    answers: { 200: GetMerchant },
    handle: getMerchant,
  }),
  'GET /api/token/get-merchant-data': route({
    access: 'staff',
    summary: 'Show the merchant account with its terminals and events',
    answers: { 200: MerchantData },
    handle: getMerchantData,
  }),
  'GET /api/token/get-merchant-logs': route({
    access: 'staff',
    summary: 'List the events of the merchant account',
    answers: { 200: z.array(MerchantLog) },
    handle: getMerchantLogs,
  }),
  'GET /api/terminals': route({
    access: 'staff',
    summary: 'List terminals',
    answers: { 200: z.array(Device) },
    handle: getTerminals,
  }),
  'POST /api/token/setup-merchant': route({
    access: 'staff: administer',
    summary: 'Apply for a merchant account',
    body: { readByHandler: z.object({ dbaName: z.string() }) },
    answers: { 200: SetUpMerchant },
    errors: [503],
    handle: postSetUp,
  }),
  'POST /api/webhooks/boarding/:secret': route({
    access: 'provider webhook',
    summary: 'Receive an onboarding event from the card provider',
    body: { media: 'application/json' },
    bodyLimit: 200_000,
    answers: { 204: noBody },
    errors: [400, 503],
    handle: postBoarding,
  }),
};

async function getMerchant({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const { merchant } = await viewMerchant(deps, accountId);
  return c.json({ merchant } satisfies GetMerchant);
}

async function getMerchantData({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json(await viewMerchant(deps, accountId));
}
async function getMerchantLogs({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json((await viewMerchant(deps, accountId)).logs);
}
async function getTerminals({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json((await viewMerchant(deps, accountId)).devices);
}

async function postSetUp({ c, deps, merchant }: StaffRequest): Promise<Response> {
  const body: unknown = await c.req.json().catch(() => undefined);
  const isObject = typeof body === 'object' && body !== null && 'dbaName' in body;
  const dbaName = isObject && typeof body.dbaName === 'string' ? body.dbaName : '';
  const user = await findSessionUser(deps.db, merchant);
  const outcome = await setUpMerchant(deps, merchant.accountId, user?.email ?? '', dbaName);
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

async function postBoarding({ c, deps }: PublicRequest): Promise<Response> {
  // Compare hashes, so that the duration of the comparison reveals nothing about the secret.
  const [presentedHash, secretHash] = await Promise.all([
    deps.sha256(c.req.param('secret') ?? ''),
    deps.sha256(deps.settings.BOARDING_WEBHOOK_SECRET),
  ]);
  if (presentedHash !== secretHash) {
    await countAnonymousRefusal(deps, 'webhook.forged', '/api/webhooks/boarding/:secret');
    return apiError(c, 404, 'not-found', 'Not found.');
  }
  const event = deps.boarding.readEvent(await c.req.text());
  if (!event) return apiError(c, 400, 'bad-request', 'The request could not be read.');
  const outcome = await handleBoardingWebhook(deps, event);
  // The provider resends a key that could not be verified now.
  if (outcome === 'unproved') return apiError(c, 503, 'gateway-unavailable', 'Please send this again.');
  return c.body(null, 204);
}
