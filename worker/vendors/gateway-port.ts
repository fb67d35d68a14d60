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
  /** Sent as the gateway's order id, to find the transaction if the response is lost. */
  attemptId: string;
  /** Sent as the invoice number to the gateway, which charges the same key and amount only once. */
  dedupeKey: string;
  /** Sent as the description, to find the payment on the provider's pages. */
  invoiceNumber?: string;
  amountCents: number;
  method: PaymentMethod;
  token: string;
  /** The type of a bank account, if the provider's iframe reported it; otherwise only the token contains it. */
  accountType?: AccountType | undefined;
  /** For a wallet, it has no street, because the token contains the card's address. */
  billing: Billing;
  clientIp: string | null;
};

/** Represents a reported fee that is not an amount. It must never count as no fee. */
export const UNREADABLE_FEE = -1;

/** A transaction as the gateway reports it. */
export type GatewayTransaction = {
  id: string;
  attemptId: string;
  dedupeKey: string;
  /** SALE, REFUND, VOID, DEBIT … */
  kind: string;
  state: 'approved' | 'declined' | 'pending' | 'returned' | 'other';
  /** True if it was approved and then voided before its batch closed. */
  isVoided: boolean;
  amountCents: number | null;
  authCode: string;
  brand: string;
  lastFour: string;
  maskedCard: string;
  result: string;
  /** The bank's reason, for a returned bank debit. */
  message: string;
  /** The bank's R-code, for a returned bank debit. */
  providerCode: string;
  /** Results of the address and security-code checks, as the gateway codes them; empty if it reports none. */
  avsResult: string;
  cscResult: string;
  /** The fee that the gateway reports (cents), UNREADABLE_FEE, or null if there is none; we never add a fee. */
  feeCents: number | null;
  terminalId: string;
  /** Empty without a batch; comparable with a batch's id. */
  batchId: string;
  /** The payment that this refund or void reverses. */
  parentId: string;
  name: { first: string; last: string };
  createdAt: number | null;
  /** The time (UTC ms) at which a bank debit reached its current state. */
  changedAt: number | null;
};

export type ChargeOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'pending'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /** It is certain that no charge was attempted. */
  | { kind: 'rejected'; reason: 'token' | 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type TerminalSaleRequest = {
  terminal: TerminalRef;
  attemptId: string;
  dedupeKey: string;
  invoiceNumber?: string;
  amountCents: number;
  /** The invoice's customer; the cardholder may be another person. */
  customer: { firstName: string; lastName: string };
};

export type TerminalSaleOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /**
   * It is certain that nothing was charged: the sale was cancelled on the terminal, or no card was presented in time.
   */
  | { kind: 'cancelled' | 'no-card-in-time'; message: string; providerCode: string; exchangeId: string }
  /** It is certain that nothing was charged, because the terminal was not reached. */
  | { kind: 'busy' | 'offline'; message: string; providerCode: string }
  | { kind: 'rejected'; reason: 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged, or may still be charged. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type GatewayBatch = {
  id: string;
  /** `pending`: being closed. `failed`: closing can be retried. `other`: unknown status. */
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

/** `level`: batches of all terminals of the merchant, not just of the given terminal. */
export type BatchFilter = {
  status?: 'open' | 'closed' | 'pending' | 'failed';
  from?: number;
  to?: number;
  level?: 'merchant';
};

export type CloseOutcome =
  | { kind: 'closed'; batch: GatewayBatch }
  /** The gateway is closing the batch; poll listBatches() for completion. */
  | { kind: 'processing'; batch: GatewayBatch }
  | { kind: 'nothing-open' }
  /** It is certain that the batch was not closed. */
  | { kind: 'failed'; message: string; providerCode: string }
  /** The batch may have been closed, so list the batches before a retry. */
  | { kind: 'unknown'; cause: string };

export type ReversalRequest = {
  terminal: TerminalRef;
  /** The gateway's id of the payment. */
  providerTxnId: string;
  /** Sent as the order id, to find the reversal if the response is lost. */
  reversalId: string;
};

export type ReversalOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  /** It is certain that this call moved no money. */
  | {
      kind: 'refused';
      reason: 'already-reversed' | 'not-in-open-batch' | 'over-remainder' | 'not-found' | 'other';
      message: string;
      providerCode: string;
      exchangeId: string;
    }
  | { kind: 'rejected'; reason: 'validation' | 'credentials'; message: string; providerCode: string }
  | { kind: 'unknown'; cause: string; exchangeId: string };

/** Registration of a host for a wallet. */
export type RegistrationOutcome =
  | { kind: 'registered' }
  | { kind: 'refused'; message: string }
  /** There was no usable response, so the host may have been registered. */
  | { kind: 'unavailable' };

export type SearchKey = { attemptId: string } | { dedupeKey: string } | { providerTxnId: string };

/** The content of a webhook. It is not trusted, so the receiver must query the gateway. */
export type TransactionEvent = {
  method: PaymentMethod;
  providerTxnId: string;
  /** Empty if the message does not contain it, as for the status of a bank debit. */
  attemptId: string;
  terminalId: string;
  merchantNumber: string;
};

/**
 * No call throws on network errors. It returns `unknown` if money may have moved, or `unavailable` if nothing was read.
 */
export type Gateway = {
  displayName: string;
  /** Needed by the browser to load the provider's script, which puts `scriptObject` on `window`; not secret. */
  browser: { scriptUrl: string; scriptObject: string; baseUrl: string; origin: string; sandbox: boolean };
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Resolves when the terminal has finished, which may take minutes. */
  startTerminalSale(request: TerminalSaleRequest): Promise<TerminalSaleOutcome>;
  /** Searches all terminals of the merchant. `unavailable` is not the same as no transactions. */
  find(
    terminal: TerminalRef,
    method: PaymentMethod,
    searchKey: SearchKey,
  ): Promise<GatewayTransaction[] | 'unavailable'>;
  /** Lists the merchant's transactions within a time window, oldest first. Pages start at 1. */
  listTransactions(
    terminal: TerminalRef,
    method: PaymentMethod,
    window: { from: number; to: number },
    page: number,
  ): Promise<{ transactions: GatewayTransaction[]; isLast: boolean } | 'unavailable'>;
  /** Lists the terminal's batches, newest first, optionally filtered by status or opening time. */
  listBatches(terminal: TerminalRef, filter?: BatchFilter): Promise<GatewayBatch[] | 'unavailable'>;
  /** Lists the transactions of a batch, oldest first, including voids and refunds. */
  batchTransactions(
    terminal: TerminalRef,
    batch: Pick<GatewayBatch, 'id' | 'openedAt' | 'settledAt'>,
  ): Promise<GatewayTransaction[] | 'unavailable'>;
  /** Closes the batch that is open when the call arrives. */
  closeBatch(terminal: TerminalRef, channel: 'counter' | 'ecommerce'): Promise<CloseOutcome>;
  /** Voids the full payment while its batch is open. */
  voidTransaction(request: ReversalRequest): Promise<ReversalOutcome>;
  /** Refunds up to the remainder of a card payment. The gateway refunds the same key and amount only once. */
  refund(request: ReversalRequest & { dedupeKey: string; amountCents: number }): Promise<ReversalOutcome>;
  /** Registers the host of the pay page with Apple, for the terminal's merchant. Repeated calls are harmless. */
  registerForApplePay(terminal: TerminalRef, host: string): Promise<RegistrationOutcome>;
  /** Null if the body is not a transaction event. */
  readTransactionEvent(raw: string): TransactionEvent | null;
};

/** The provider's script as a browser receives it; `unavailable` if there was no response. */
export type BrowserScript = { status: number; type: string; body: Uint8Array } | 'unavailable';
