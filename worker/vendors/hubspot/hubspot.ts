import { partners } from '#shared/partners';
import { createHubSpotHttp, type HubSpotHttpOptions } from './http.ts';
import { hubSpotInvoice, invoiceReader } from './invoice.ts';
import { lineReader } from './lines.ts';
import type { HubSpotOauthOptions } from './oauth.ts';
import type { Crm } from './port.ts';
import { hubSpotSyncReads } from './sync-reads.ts';
import { requestTokens } from './tokens.ts';

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  const readInvoice = invoiceReader(http);
  const readLines = lineReader(http);
  // Loaded at login only: payers need no more than a token's renewal.
  const oauth = () => import('./oauth.ts');
  return {
    displayName: partners.crm,
    refreshTokens: (refreshToken) => requestTokens(http, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    authorizeUrl: async (asked) => (await oauth()).authorizeUrl(options, asked),
    exchangeCode: async (code, verifier) => (await oauth()).exchangeCode(http, options, code, verifier),
    paymentRecords: async () => (await import('./payment-records.ts')).hubSpotPaymentRecords(http),
    ...hubSpotInvoice(readInvoice, readLines),
    // Staff alone look at an invoice as printed.
    getInvoiceSheet: async (token, invoiceId) =>
      (await import('./preview.ts')).readInvoiceSheet({ readInvoice, readLines }, token, invoiceId),
    ...hubSpotSyncReads(http),
  };
}
