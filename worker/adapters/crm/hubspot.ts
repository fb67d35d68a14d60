import { partners } from '#shared/partners';
import type { Crm } from '../../ports/crm.ts';
import { hubSpotCopying } from './hubspot-copying.ts';
import { createHubSpotHttp, type HubSpotHttpOptions } from './hubspot-http.ts';
import { hubSpotInvoice, invoiceReader } from './hubspot-invoice.ts';
import type { HubSpotOauthOptions } from './hubspot-oauth.ts';
import { hubSpotPreview } from './hubspot-preview.ts';
import { requestTokens } from './hubspot-tokens.ts';

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  const readInvoice = invoiceReader(http);
  // Loaded by those who log in: payers need the renewal of a token alone.
  const oauth = () => import('./hubspot-oauth.ts');
  return {
    displayName: partners.crm,
    refreshTokens: (refreshToken) => requestTokens(http, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    authorizeUrl: async (asked) => (await oauth()).authorizeUrl(options, asked),
    exchangeCode: async (code, verifier) => (await oauth()).exchangeCode(http, options, code, verifier),
    ...hubSpotInvoice(readInvoice),
    ...hubSpotPreview(http, readInvoice),
    ...hubSpotCopying(http),
  };
}
