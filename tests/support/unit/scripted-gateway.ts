import { readTransactionEvent } from '#worker/vendors/clearent/clearent';
import type {
  ChargeOutcome,
  ChargeRequest,
  CloseOutcome,
  Gateway,
  GatewayBatch,
  GatewayTransaction,
  RegistrationOutcome,
  ReversalOutcome,
  ReversalRequest,
  SearchKey,
  TerminalRef,
  TerminalSaleOutcome,
  TerminalSaleRequest,
} from '#worker/vendors/gateway-port';

type LookUp = GatewayTransaction[] | 'unavailable';

/** A gateway that gives scripted answers and records its calls. */
export function scriptedGateway() {
  const charges: ChargeRequest[] = [];
  const sales: TerminalSaleRequest[] = [];
  const reversals: ReversalRequest[] = [];
  const closes: string[] = [];
  const registrations: { terminalId: string; host: string }[] = [];
  const script = {
    charge: (request: ChargeRequest): ChargeOutcome | Promise<ChargeOutcome> => approvedOutcome(request),
    find: (_by: SearchKey): LookUp | Promise<LookUp> => [],
    sale: (request: TerminalSaleRequest): TerminalSaleOutcome | Promise<TerminalSaleOutcome> => approvedSale(request),
    listTransactions: (
      _window: { from: number; to: number },
      _page: number,
    ): { transactions: GatewayTransaction[]; isLast: boolean } | 'unavailable' => ({ transactions: [], isLast: true }),
    batches: (): GatewayBatch[] | 'unavailable' => [],
    batchTransactions: (_batchId: string): GatewayTransaction[] | 'unavailable' => [],
    close: (): CloseOutcome | Promise<CloseOutcome> => ({ kind: 'nothing-open' }),
    register: (): RegistrationOutcome => ({ kind: 'registered' }),
    reverse: (_request: ReversalRequest & { amountCents?: number }): ReversalOutcome | Promise<ReversalOutcome> => ({
      kind: 'unknown',
      cause: 'not scripted',
      exchangeId: '',
    }),
  };
  const port: Gateway = {
    displayName: 'Clearent',
    browser: {
      scriptUrl: 'http://127.0.0.1:1/sdk.js',
      scriptObject: 'ProviderSDK',
      baseUrl: 'http://127.0.0.1:1',
      origin: 'http://127.0.0.1:1',
      sandbox: true,
    },
    charge: async (request) => {
      charges.push(request);
      return script.charge(request);
    },
    find: async (_terminal, _method, searchKey) => script.find(searchKey),
    startTerminalSale: async (request) => {
      sales.push(request);
      return script.sale(request);
    },
    listTransactions: async (_terminal, _method, window, page) => script.listTransactions(window, page),
    listBatches: async () => script.batches(),
    batchTransactions: async (_terminal, { id }) => script.batchTransactions(id),
    closeBatch: async ({ terminalId }) => {
      closes.push(terminalId);
      return script.close();
    },
    voidTransaction: async (request) => {
      reversals.push(request);
      return script.reverse(request);
    },
    refund: async (request) => {
      reversals.push(request);
      return script.reverse(request);
    },
    registerForApplePay: async ({ terminalId }, host) => {
      registrations.push({ terminalId, host });
      return script.register();
    },
    readTransactionEvent,
  };
  return { port, charges, sales, reversals, closes, registrations, script };
}

type Request = Pick<ChargeRequest, 'attemptId' | 'dedupeKey' | 'amountCents'> & {
  terminal: TerminalRef;
  method?: ChargeRequest['method'];
};

export const transaction = (request: Request, fields: Partial<GatewayTransaction> = {}): GatewayTransaction => ({
  id: `txn-${request.attemptId}`,
  attemptId: request.attemptId,
  dedupeKey: request.dedupeKey,
  kind: request.method === 'ach' ? 'DEBIT' : 'SALE',
  state: 'approved',
  amountCents: request.amountCents,
  authCode: 'TAS472',
  brand: 'VISA',
  lastFour: '1111',
  maskedCard: 'XXXXXXXXXXXX1111',
  result: 'APPROVED',
  message: 'Transaction approved',
  providerCode: '000',
  avsResult: 'Y',
  cscResult: 'M',
  feeCents: null,
  isVoided: false,
  terminalId: request.terminal.terminalId,
  batchId: request.method === 'ach' ? '' : '7',
  parentId: '',
  name: { first: 'Marta', last: 'Núñez' },
  createdAt: Date.UTC(2026, 2, 4, 15, 0, 0),
  changedAt: null,
  ...fields,
});

export const approvedOutcome = (request: ChargeRequest): ChargeOutcome => ({
  kind: 'approved',
  txn: transaction(request),
  exchangeId: 'x',
});

const approvedSale = (request: TerminalSaleRequest): TerminalSaleOutcome => ({
  kind: 'approved',
  txn: transaction(request),
  exchangeId: 'x',
});

export const declinedOutcome = (request: ChargeRequest): ChargeOutcome => ({
  kind: 'declined',
  message: 'Card declined',
  providerCode: '051',
  txn: transaction(request, { state: 'declined', result: 'DECLINED' }),
  exchangeId: 'x',
});

export const lostOutcome: ChargeOutcome = { kind: 'unknown', cause: 'TimeoutError', exchangeId: '' };
