import { decimalFromCents, parseCents } from '#shared/money';
import { partners } from '#shared/partners';
import { type HttpReply, parseJson } from '../http.ts';
import { createHubSpotHttp, type HubSpotHttp, type HubSpotHttpOptions, paths, retryAfterMs } from './http.ts';
import { hubSpotInvoice, invoiceReader, readInvoiceSheet } from './invoice.ts';
import { lineReader } from './lines.ts';
import { authorizeUrl, exchangeCode, type HubSpotOauthOptions, requestTokens } from './oauth.ts';
import type { CrmPaymentRecords, CrmWriteResult, NewPaymentRecord } from './payment-records-port.ts';
import { type Crm, CrmError } from './port.ts';
import { hubSpotSyncReads } from './sync-reads.ts';
import { Associations, CrmObject, CrmObjects, ErrorReply } from './wire.ts';

/** HubSpot's association type ids for a payment record. */
const TO_INVOICE = 542;
const TO_CONTACT = 387;
/** The maximum length of HubSpot's reason (characters). */
const MAX_REASON_LENGTH = 300;
/** The properties of a payment record that are read. */
const RECORD_PROPERTIES = ['hs_reference_number', 'hs_refunds_amount'];
const BALANCE_PROPERTIES = ['hs_invoice_status', 'hs_balance_due', 'hs_amount_billed'];

/** The payment records of an account, the only records that we write to HubSpot. */
export function hubSpotPaymentRecords({ readMany, send }: HubSpotHttp): CrmPaymentRecords {
  return {
    /** Uses associations, because the search index lags and has a low rate limit of its own. */
    async listRecords(token, invoiceId) {
      const { page } = await readMany(Associations, token, paths.associations('invoices', 'commerce_payments'), {
        inputs: [{ id: invoiceId }],
      });
      const ids = page.results.filter(({ from }) => from.id === invoiceId).flatMap(({ to }) => to);
      if (ids.length === 0) return [];
      const { page: records } = await readMany(CrmObjects, token, paths.batchRead('commerce_payments'), {
        inputs: ids.slice(0, 100).map(({ toObjectId }) => ({ id: toObjectId })),
        properties: RECORD_PROPERTIES,
        propertiesWithHistory: [],
      });
      return records.results.map(({ id, properties }) => ({
        id,
        reference: properties.hs_reference_number ?? '',
        givenBackCents: properties.hs_refunds_amount ? parseCents(properties.hs_refunds_amount) : 0,
      }));
    },

    async readBalance(token, invoiceId) {
      const { page } = await readMany(CrmObjects, token, paths.batchRead('invoices'), {
        inputs: [{ id: invoiceId }],
        properties: BALANCE_PROPERTIES,
        propertiesWithHistory: [],
      });
      const invoice = page.results.find(({ id }) => id === invoiceId)?.properties;
      if (!invoice) return null;
      return {
        isPaid: invoice.hs_invoice_status === 'paid',
        balanceCents: parseCents(invoice.hs_balance_due),
        billedCents: parseCents(invoice.hs_amount_billed),
      };
    },

    createRecord: async (token, record) =>
      outcomeOf(await send('POST', token, paths.objects('commerce_payments'), createBody(record)), 201),

    changeRecord: async (token, id, { amountCents, givenBackCents, comment }) => {
      const properties = { ...refundProperties(amountCents, givenBackCents), hs_internal_comment: comment };
      return outcomeOf(await send('PATCH', token, paths.object('commerce_payments', id), { properties }), 200);
    },
  };
}

/** HubSpot has no void status, so a void is recorded as a refund and the comment explains it. */
const refundProperties = (amountCents: number, cents: number) => ({
  hs_refunds_amount: decimalFromCents(cents),
  hs_latest_status: cents === 0 ? 'succeeded' : cents < amountCents ? 'partially_refunded' : 'refunded',
});

/** Omits the payer's address, signature and receipt link. HubSpot treats a record without a status as unfinished. */
function createBody(record: NewPaymentRecord) {
  const link = (id: string, type: number) => ({
    to: { id },
    types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: type }],
  });
  const { amountCents, givenBackCents } = record;
  return {
    properties: {
      hs_initial_amount: decimalFromCents(amountCents),
      hs_initiated_date: new Date(record.paidAt).toISOString(),
      hs_currency_code: record.currency,
      hs_payment_method_type: record.method,
      ...(record.lastFour && { hs_payment_method_last_4: record.lastFour }),
      hs_processor_type: 'none',
      hs_reference_number: record.reference,
      ...(record.email && { hs_customer_email: record.email }),
      hs_internal_comment: record.comment,
      ...(givenBackCents === 0 ? { hs_latest_status: 'succeeded' } : refundProperties(amountCents, givenBackCents)),
    },
    associations: [
      link(record.invoiceId, TO_INVOICE),
      ...(record.contactId === '' ? [] : [link(record.contactId, TO_CONTACT)]),
    ],
  };
}

/** Statuses for which HubSpot did not process the call and expects a retry. */
const RETRY_LATER = [423, 429, 477];

/** Only HubSpot's own error proves that nothing was written, because a proxy may fail after the record was created. */
function outcomeOf(reply: HttpReply | null, successStatus: number): CrmWriteResult {
  if (reply === null) return { kind: 'unanswered' };
  if (reply.status === 401) throw new CrmError('expired', 'the access token was refused');
  if (RETRY_LATER.includes(reply.status)) return { kind: 'later', waitMs: retryAfterMs(reply) };
  const json = parseJson(reply.text);
  if (reply.status === successStatus) {
    const record = CrmObject.safeParse(json);
    return record.success ? { kind: 'written', id: record.data.id } : { kind: 'unanswered' };
  }
  const refusal = ErrorReply.safeParse(json).data;
  if (reply.status < 400 || reply.status >= 500 || reply.status === 408 || !refusal?.message)
    return { kind: 'unanswered' };
  if (refusal.category === 'MISSING_SCOPES') return { kind: 'not-allowed' };
  return { kind: 'refused', said: refusal.message.slice(0, MAX_REASON_LENGTH) };
}

export type HubSpotOptions = HubSpotHttpOptions & HubSpotOauthOptions;

export function createHubSpot(options: HubSpotOptions): Crm {
  const http = createHubSpotHttp(options);
  const readInvoice = invoiceReader(http);
  const readLines = lineReader(http);
  return {
    displayName: partners.crm,
    refreshTokens: (refreshToken) => requestTokens(http, { grant_type: 'refresh_token', refresh_token: refreshToken }),
    authorizeUrl: (request) => authorizeUrl(options, request),
    exchangeCode: (code, verifier) => exchangeCode(http, options, code, verifier),
    paymentRecords: hubSpotPaymentRecords(http),
    ...hubSpotInvoice(readInvoice, readLines),
    getInvoiceSheet: (token, invoiceId, timeZone) =>
      readInvoiceSheet({ readInvoice, readLines }, token, invoiceId, timeZone),
    ...hubSpotSyncReads(http),
  };
}
