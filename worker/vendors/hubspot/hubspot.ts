import { partners } from '#shared/partners';
import { createHubSpotHttp, type HubSpotHttpOptions } from './http.ts';
import { hubSpotInvoice, invoiceReader } from './invoice.ts';
import { lineReader } from './lines.ts';
import type { HubSpotOauthOptions } from './oauth.ts';
import { authorizeUrl, exchangeCode } from './oauth.ts';
import { hubSpotPaymentRecords } from './payment-records.ts';
import type { Crm } from './port.ts';
import { readInvoiceSheet } from './preview.ts';
import { hubSpotSyncReads } from './sync-reads.ts';
import { requestTokens } from './tokens.ts';

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  const readInvoice = invoiceReader(http);
  const readLines = lineReader(http);
  return {
    displayName: partners.crm,
    refreshTokens: (refreshToken) => requestTokens(http, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    authorizeUrl: (asked) => authorizeUrl(options, asked),
    exchangeCode: (code, verifier) => exchangeCode(http, options, code, verifier),
    paymentRecords: hubSpotPaymentRecords(http),
    ...hubSpotInvoice(readInvoice, readLines),
    getInvoiceSheet: (token, invoiceId) => readInvoiceSheet({ readInvoice, readLines }, token, invoiceId),
    ...hubSpotSyncReads(http),
  };
}
