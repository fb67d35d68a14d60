import { partners } from '#shared/partners';
import type { Crm } from '../../ports/crm.ts';
import { hubSpotCopying } from './hubspot-copying.ts';
import { createHubSpotHttp, type HubSpotHttpOptions } from './hubspot-http.ts';
import { hubSpotInvoice, invoiceReader } from './hubspot-invoice.ts';
import { type HubSpotOauthOptions, hubSpotOauth } from './hubspot-oauth.ts';
import { hubSpotPreview } from './hubspot-preview.ts';

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  const readInvoice = invoiceReader(http);
  return {
    displayName: partners.crm,
    ...hubSpotOauth(http, options),
    ...hubSpotInvoice(readInvoice),
    ...hubSpotPreview(http, readInvoice),
    ...hubSpotCopying(http),
  };
}
