import type { Crm } from '../../ports.ts';
import { hubSpotCopying } from './hubspot-copying.ts';
import { createHubSpotHttp, type HubSpotHttpOptions } from './hubspot-http.ts';
import { hubSpotInvoice } from './hubspot-invoice.ts';
import { type HubSpotOauthOptions, hubSpotOauth } from './hubspot-oauth.ts';

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  return { displayName: 'HubSpot', ...hubSpotOauth(http, options), ...hubSpotInvoice(http), ...hubSpotCopying(http) };
}
