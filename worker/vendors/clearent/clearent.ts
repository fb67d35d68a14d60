import { partners } from '#shared/partners';
import type { Gateway } from '../gateway-port.ts';
import { charge } from './charge.ts';
import { type ClearentOptions, createCalls } from './http.ts';
import { batchTransactions, find, listTransactions } from './look-up.ts';
import { readTransactionEvent } from './webhook-event.ts';

export function createClearent(options: ClearentOptions): Gateway {
  const { baseUrl, sandbox, terminalTimeoutMs } = options;
  const call = createCalls(options);
  // Loaded when staff need them: payers never do.
  const batches = () => import('./batches.ts');
  const reversals = () => import('./reversal.ts');
  const sales = () => import('./terminal-sale.ts');
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
    startTerminalSale: async (request) => (await sales()).startTerminalSale(call, request, terminalTimeoutMs),
    find: (terminal, method, by) => find(call, terminal, method, by),
    listTransactions: (terminal, method, window, page) => listTransactions(call, terminal, method, window, page),
    listBatches: async (terminal, filter) => (await batches()).listBatches(call, terminal, filter),
    batchTransactions: (terminal, batch) => batchTransactions(call, terminal, batch),
    closeBatch: async (terminal, channel) => (await batches()).closeBatch(call, terminal, channel),
    voidTransaction: async (request) => (await reversals()).voidTransaction(call, request),
    refund: async (request) => (await reversals()).refund(call, request),
    readTransactionEvent,
  };
}
