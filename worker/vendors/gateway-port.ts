import type { AccountType, PaymentMethod } from '#shared/contracts/payment';

/** A terminal of a merchant; its key stays encrypted until the adapter needs it. */
export type TerminalRef = { accountId: number; terminalId: string; sealedApiKey: string };

export type Billing = {
  firstName: string;
  lastName: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  zip: string;
};

export type ChargeRequest = {
  terminal: TerminalRef;
  /** Sent as the gateway's order id, by which a lost answer is found again. */
  attemptId: string;
  /** Sent as the gateway's invoice: it charges the same key and amount only once. */
  dedupeKey: string;
  /** Sent as the description, by which people find the payment in the provider's pages. */
  invoiceNumber?: string;
  amountCents: number;
  method: PaymentMethod;
  token: string;
  /** Of a bank account, where the provider's frame reported it; otherwise only the token knows. */
  accountType?: AccountType | undefined;
  billing: Billing;
  clientIp: string | null;
};

/** A transaction as the gateway reports it. */
export type GatewayTransaction = {
  id: string;
  attemptId: string;
  dedupeKey: string;
  /** SALE, REFUND, VOID, DEBIT … */
  kind: string;
  state: 'approved' | 'declined' | 'pending' | 'returned' | 'other';
  /** Approved once, and taken back before its batch closed. */
  isVoided: boolean;
  amountCents: number | null;
  authCode: string;
  brand: string;
  lastFour: string;
  maskedCard: string;
  result: string;
  /** For a returned bank debit: the bank's reason. */
  message: string;
  /** For a returned bank debit: the bank's R-code. */
  providerCode: string;
  /** A fee that the gateway reports; we never add one. */
  feeCents: number | null;
  terminalId: string;
  /** Empty without a batch; comparable with a batch's id. */
  batchId: string;
  /** The payment that this refund or void takes back. */
  parentId: string;
  name: { first: string; last: string };
  createdAt: number | null;
  /** When a bank debit reached its present state. */
  changedAt: number | null;
};

export type ChargeOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'pending'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /** Certain: nothing was attempted. */
  | { kind: 'rejected'; reason: 'token' | 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type TerminalSaleRequest = {
  terminal: TerminalRef;
  attemptId: string;
  dedupeKey: string;
  invoiceNumber?: string;
  amountCents: number;
  /** The invoice's customer; the card may be in another name. */
  customer: { firstName: string; lastName: string };
};

export type TerminalSaleOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /** Certain, reported by the device: cancelled on it, or no card in time. */
  | { kind: 'cancelled' | 'no-card-in-time'; message: string; providerCode: string; exchangeId: string }
  /** Certain: the device was not reached. */
  | { kind: 'busy' | 'offline'; message: string; providerCode: string }
  | { kind: 'rejected'; reason: 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged, or may still be. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type GatewayBatch = {
  id: string;
  /** `pending` is being closed, `failed` can be closed again; `other` is a status that we do not know. */
  status: 'open' | 'closed' | 'pending' | 'failed' | 'other';
  terminalId: string;
  terminalName: string;
  openedAt: number | null;
  settledAt: number | null;
  salesCount: number | null;
  salesCents: number | null;
  refundCount: number | null;
  refundCents: number | null;
  netCents: number | null;
  confirmationCode: string;
};

/** `level`: batches of all terminals of the merchant, and not of the asked one alone. */
export type BatchFilter = {
  status?: 'open' | 'closed' | 'pending' | 'failed';
  from?: number;
  to?: number;
  level?: 'merchant';
};

export type CloseOutcome =
  | { kind: 'closed'; batch: GatewayBatch }
  /** The gateway is closing it; listBatches() tells when it is done. */
  | { kind: 'processing'; batch: GatewayBatch }
  | { kind: 'nothing-open' }
  /** Certain: the batch was not closed. */
  | { kind: 'failed'; message: string; providerCode: string }
  /** It may have been closed: list the batches before another close. */
  | { kind: 'unknown'; cause: string };

export type ReversalRequest = {
  terminal: TerminalRef;
  /** The gateway's id of the payment. */
  providerTxnId: string;
  /** Sent as the order id, by which a lost answer is found again. */
  reversalId: string;
};

export type ReversalOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  /** Certain: no money moved by this call. */
  | {
      kind: 'refused';
      reason: 'already-reversed' | 'not-in-open-batch' | 'over-remainder' | 'not-found' | 'other';
      message: string;
      providerCode: string;
      exchangeId: string;
    }
  | { kind: 'rejected'; reason: 'validation' | 'credentials'; message: string; providerCode: string }
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type FindBy = { attemptId: string } | { dedupeKey: string } | { providerTxnId: string };

/** The content of a webhook. It proves nothing: the receiver must ask the gateway. */
export type TransactionEvent = {
  method: PaymentMethod;
  providerTxnId: string;
  /** Empty where the message does not say, as for steps of a bank debit. */
  attemptId: string;
  terminalId: string;
  merchantNumber: string;
};

/** No call throws for network trouble: `unknown` where money may have moved, `unavailable` where nothing was read. */
export type Gateway = {
  displayName: string;
  /** Needed by the browser to load the provider's script, which puts `scriptObject` on `window`; not secret. */
  browser: { scriptUrl: string; scriptObject: string; baseUrl: string; origin: string; sandbox: boolean };
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Resolves when the device is done, which may take minutes. */
  startTerminalSale(request: TerminalSaleRequest): Promise<TerminalSaleOutcome>;
  /** Searches the full merchant; `unavailable` is not the same as no transactions. */
  find(terminal: TerminalRef, method: PaymentMethod, by: FindBy): Promise<GatewayTransaction[] | 'unavailable'>;
  /** All of the merchant's within a window of time, oldest first; pages count from 1. */
  listTransactions(
    terminal: TerminalRef,
    method: PaymentMethod,
    window: { from: number; to: number },
    page: number,
  ): Promise<{ transactions: GatewayTransaction[]; isLast: boolean } | 'unavailable'>;
  /** The terminal's batches, newest first: all, or those of one status, or those opened within a window. */
  listBatches(terminal: TerminalRef, filter?: BatchFilter): Promise<GatewayBatch[] | 'unavailable'>;
  /** Oldest first, voids and refunds included. */
  batchTransactions(
    terminal: TerminalRef,
    batch: Pick<GatewayBatch, 'id' | 'openedAt' | 'settledAt'>,
  ): Promise<GatewayTransaction[] | 'unavailable'>;
  /** Closes the batch that is open when the call arrives. */
  closeBatch(terminal: TerminalRef, channel: 'counter' | 'ecommerce'): Promise<CloseOutcome>;
  /** Takes back the full payment, while its batch is open. */
  voidTransaction(request: ReversalRequest): Promise<ReversalOutcome>;
  /** At most what is left of a card payment. The gateway refunds the same dedupe key and amount only once. */
  refund(request: ReversalRequest & { dedupeKey: string; amountCents: number }): Promise<ReversalOutcome>;
  /** Null when the body is no such message. */
  readTransactionEvent(raw: string): TransactionEvent | null;
};

/** The provider's script as a browser would get it; `unavailable` where no answer came. */
export type BrowserScript = { status: number; type: string; body: Uint8Array } | 'unavailable';
