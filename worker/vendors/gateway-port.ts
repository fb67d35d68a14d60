import type { AccountType, PaymentMethod } from '#shared/contracts/payment';

/** A terminal of a merchant; its key stays encrypted until the adapter needs it. */
export type TerminalRef = { accountId: number; terminalId: string; sealedApiKey: string };

/**
 * A card that the provider keeps, as its sealed token. Only the provider's adapter opens the token, which a log or a
 * reply therefore cannot contain.
 */
export class StoredCardRef {
  /** The id of our row, to which the seal is bound. */
  readonly cardId: string;
  readonly #sealedToken: string;
  constructor(cardId: string, sealedToken: string) {
    this.cardId = cardId;
    this.#sealedToken = sealedToken;
  }
  /** For storage, and for the adapter. */
  sealedToken(): string {
    return this.#sealedToken;
  }
}

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
  /** The id under which to keep the card, if it is approved and the payer agreed. Only for a typed card. */
  keepCardAs?: string;
};

export type StoredCardChargeRequest = Pick<
  ChargeRequest,
  'terminal' | 'attemptId' | 'dedupeKey' | 'invoiceNumber' | 'amountCents'
> & { card: StoredCardRef; customer: { firstName: string; lastName: string } };

export type StoredCardState =
  /** `expiresOn`: the last month (YYYY-MM) in which the card is valid; empty if the provider does not report it. */
  | { kind: 'active'; brand: string; lastFour: string; expiresOn: string }
  /** The provider has deleted or deactivated the card, or has no such card. */
  | { kind: 'ended' }
  | { kind: 'unavailable' };

export type CardDeletion = 'deleted' | 'not-found' | 'unavailable';

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
  /** `storedCard`: the card as the provider keeps it, if the response names it. */
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string; storedCard?: StoredCardRef }
  | { kind: 'pending'; txn: GatewayTransaction; exchangeId: string }
  /** `storedCard`: the provider stored the card although it was declined, so the caller deletes it. */
  | {
      kind: 'declined';
      message: string;
      providerCode: string;
      txn: GatewayTransaction | null;
      exchangeId: string;
      storedCard?: StoredCardRef;
    }
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
  /** Charges a card that the provider keeps. The gateway accepts the same key and amount only once. */
  chargeStoredCard(request: StoredCardChargeRequest): Promise<ChargeOutcome>;
  /** Finds the card that the provider kept with a payment, if the response to the charge was lost. */
  findStoredCard(
    terminal: TerminalRef,
    payment: { providerTxnId: string; cardId: string },
  ): Promise<StoredCardRef | 'none' | 'unavailable'>;
  /** Reads the current state of a card that the provider keeps. */
  readStoredCard(terminal: TerminalRef, card: StoredCardRef): Promise<StoredCardState>;
  /**
   * Makes the provider delete a card. Repeated calls are harmless. The provider may have one token for the same card of
   * two customers, so it stays if `keptCards` contain the same token. `not-found`: this terminal has no such card.
   */
  deleteStoredCard(terminal: TerminalRef, card: StoredCardRef, keptCards: StoredCardRef[]): Promise<CardDeletion>;
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
