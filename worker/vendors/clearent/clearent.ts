import { partners } from '#shared/partners';
import type { Gateway } from '../gateway-port.ts';
import { closeBatch, listBatches } from './batches.ts';
import { charge } from './charge.ts';
import { type ClearentOptions, createCalls } from './http.ts';
import { batchTransactions, find, listTransactions } from './look-up.ts';
import { refund, voidTransaction } from './reversal.ts';
import { startTerminalSale } from './terminal-sale.ts';
import { readTransactionEvent } from './webhook-event.ts';

export function createClearent(options: ClearentOptions): Gateway {
  const { baseUrl, sandbox, terminalTimeoutMs } = options;
  const call = createCalls(options);
  return {
    displayName: partners.cards,
    browser: {
      scriptUrl: `${baseUrl}/js-sdk/js/clearent-host.js`,
      scriptObject: 'ClearentSDK',
      baseUrl,
      origin: new URL(baseUrl).origin,
      sandbox,
    },
    charge: (request) => charge(call, request),
    startTerminalSale: (request) => startTerminalSale(call, request, terminalTimeoutMs),
    find: (terminal, method, by) => find(call, terminal, method, by),
    listTransactions: (terminal, method, window, page) => listTransactions(call, terminal, method, window, page),
    listBatches: (terminal, filter) => listBatches(call, terminal, filter),
    batchTransactions: (terminal, batch) => batchTransactions(call, terminal, batch),
    closeBatch: (terminal, channel) => closeBatch(call, terminal, channel),
    voidTransaction: (request) => voidTransaction(call, request),
    refund: (request) => refund(call, request),
    readTransactionEvent,
  };
}
