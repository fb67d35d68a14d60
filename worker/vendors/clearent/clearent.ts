import * as z from 'zod/mini';
import { PROVIDER_SCRIPT_PATH, partners } from '#shared/partners';
import type { Gateway, TransactionEvent } from '../gateway-port.ts';
import { parseJson } from '../http.ts';
import { registerForApplePay } from './apple-pay.ts';
import { closeBatch, listBatches } from './batches.ts';
import { charge, startTerminalSale } from './charge.ts';
import { type ClearentOptions, createCalls } from './http.ts';
import { batchTransactions, findTransactions, listTransactions } from './look-up.ts';
import { refund, voidTransaction } from './reversal.ts';
import { Envelope } from './wire.ts';

const TransactionId = z.coerce.string().check(z.regex(/^[\w-]{1,64}$/));
const AchStatus = z.object({
  PayLoadType: z.string().check(z.regex(/^ach\./i)),
  Payload: z.object({ transaction_id: TransactionId, merchant_id: z._default(z.coerce.string(), '') }),
});
const WrappedMessage = z.object({ Payload: z.union([z.string(), z.looseObject({})]) });

/** Unwraps nested messages. The provider's test environment has sent such messages, one of them nested as text. */
function unwrap(body: unknown, depth = 2): unknown {
  const outer = WrappedMessage.safeParse(body);
  if (!outer.success || depth === 0) return body;
  const inner = typeof outer.data.Payload === 'string' ? parseJson(outer.data.Payload) : outer.data.Payload;
  return WrappedMessage.safeParse(inner).success ? unwrap(inner, depth - 1) : body;
}

/** Reads both kinds of message: the envelope of a sale, and the differently formatted status of a bank debit. */
export function readTransactionEvent(raw: string): TransactionEvent | null {
  const body = parseJson(raw);
  const achStatus = AchStatus.safeParse(unwrap(body));
  if (achStatus.success) {
    const { transaction_id, merchant_id } = achStatus.data.Payload;
    return {
      method: 'ach',
      providerTxnId: transaction_id,
      attemptId: '',
      terminalId: '',
      merchantNumber: merchant_id,
    };
  }
  const envelope = Envelope.safeParse(body);
  const txn = envelope.success ? envelope.data.payload.transaction : undefined;
  if (!txn || !TransactionId.safeParse(txn.id).success) return null;
  return {
    method: /^(ACH|DEBIT|CREDIT)/i.test(txn.type) ? 'ach' : 'card',
    providerTxnId: txn.id,
    attemptId: txn['order-id'],
    terminalId: txn['terminal-id'],
    merchantNumber: txn['merchant-id'],
  };
}

export function createClearent(options: ClearentOptions): Gateway {
  const { baseUrl, sandbox, terminalTimeoutMs } = options;
  const call = createCalls(options);
  return {
    displayName: partners.cards,
    browser: {
      scriptUrl: `${baseUrl}${PROVIDER_SCRIPT_PATH}`,
      scriptObject: 'ClearentSDK',
      baseUrl,
      origin: new URL(baseUrl).origin,
      sandbox,
    },
    charge: (request) => charge(call, request),
    startTerminalSale: (request) => startTerminalSale(call, request, terminalTimeoutMs),
    find: (terminal, method, searchKey) => findTransactions(call, terminal, method, searchKey),
    listTransactions: (terminal, method, window, page) => listTransactions(call, terminal, method, window, page),
    listBatches: (terminal, filter) => listBatches(call, terminal, filter),
    batchTransactions: (terminal, batch) => batchTransactions(call, terminal, batch),
    closeBatch: (terminal, channel) => closeBatch(call, terminal, channel),
    voidTransaction: (request) => voidTransaction(call, request),
    refund: (request) => refund(call, request),
    registerForApplePay: (terminal, host) => registerForApplePay(call, terminal, host),
    readTransactionEvent,
  };
}
