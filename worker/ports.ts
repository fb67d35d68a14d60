import type { PaymentMethod } from '#shared/contracts/payment';

/**
 * The outside world in the product's words. A port exists only where a simulator stands in for the vendor in tests and
 * on a developer's machine; D1 and R2 are ours and have none.
 */

export type CrmInvoice = {
  id: string;
  number: string;
  status: string;
  currency: string;
  /** Null where the CRM gave nothing, or nothing that is a plain decimal. */
  balanceCents: number | null;
  billedCents: number | null;
  /** YYYY-MM-DD */
  dueDate: string | null;
  invoiceDate: string | null;
  /** The day on which the CRM itself calls it paid. */
  paidOn: string | null;
  /** UTC milliseconds by the CRM's clock. */
  createdAt: number;
  modifiedAt: number;
  /** Empty where the invoice has none. */
  contactId: string;
  companyId: string;
  contact: { firstName: string; lastName: string; email: string };
  company: { name: string; address: string; city: string; state: string; zip: string };
};

/** A line of an invoice. Decimal text; null where the CRM has none. */
export type CrmLine = {
  id: string;
  name: string;
  /** With more than 2 decimals where it takes them to come to the line's total. */
  unitPrice: string | null;
  quantity: string | null;
  totalCents: number | null;
};

/** What is printed of an invoice and an account may keep in fields of its own; the day of payment is YYYY-MM-DD. */
export type PrintField =
  | 'clinic_name'
  | 'clinic_address'
  | 'clinic_phone'
  | 'customer_name'
  | 'customer_address'
  | 'payment_method'
  | 'payment_date'
  | 'paid_via'
  | 'transaction_id'
  | 'receipt_id';

/** An invoice with all that is printed of it. */
export type CrmInvoiceSheet = {
  invoice: CrmInvoice;
  customerAddress: { address: string; city: string; state: string; zip: string };
  /** Empty where the account keeps nothing under that name. */
  own: Record<PrintField, string>;
  lines: CrmLine[];
};

export type CrmContact = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** What the contact calls their company; not the name of a linked company record. */
  company: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  modifiedAt: number;
};

export type CrmCompany = {
  id: string;
  name: string;
  address: string;
  city: string;
  state: string;
  zip: string;
  modifiedAt: number;
};

/** An invoice as a page of many has it: names are in the records that it is linked with. */
export type CrmInvoiceEntry = Omit<CrmInvoice, 'contact' | 'company'> & {
  /** The address that stands on the invoice itself, for want of a company. */
  recipient: { address: string; city: string; state: string; zip: string };
};

export type CrmRecords = { companies: CrmCompany; contacts: CrmContact; invoices: CrmInvoiceEntry };
export type CrmKind = keyof CrmRecords;

/** What the account's limit leaves after an answer. */
export type CrmLimit = { max: number; remaining: number; windowMs: number };
/** Null: the answer said nothing of limits, as those of searches do. */
export type CrmAnswer<T> = T & { limit: CrmLimit | null };

/**
 * How far the records of a kind were read in the order of their last change. `tieId`: so many were changed in that very
 * millisecond that they are told apart by their ids, and those up to this one were read.
 */
export type ChangeMark = { modifiedAt: number; tieId: string | null };

export type CrmTokens = { accessToken: string; refreshToken: string; expiresInS: number; scopes: string[] };

export type CrmFailure = 'unavailable' | 'expired' | 'revoked' | 'missing-scopes';

/** Why a CRM call gave no answer; `expired` and `revoked` speak of our token, not of the payer or the merchant. */
export class CrmError extends Error {
  readonly reason: CrmFailure;
  /** How long the CRM wants to be left alone, where that is known. */
  readonly retryAfterMs: number | null;

  constructor(reason: CrmFailure, detail: string, retryAfterMs: number | null = null) {
    super(`crm ${reason}: ${detail}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Who consented, and for which account. */
export type CrmGrant = {
  hubId: number;
  hubDomain: string;
  userId: number;
  email: string;
  timeZone: string;
  tokens: CrmTokens;
};

export type Crm = {
  displayName: string;
  /** Where the browser is sent to log in and consent; the verifier stays here until the code comes back. */
  authorizeUrl(request: { state: string; verifier: string }): Promise<string>;
  /** Turn the code that came back into a grant. Throws CrmError `revoked` when the code is not good (any more). */
  exchangeCode(code: string, verifier: string): Promise<CrmGrant>;
  /** The invoice with its first contact and company, or null when this hub has none of that id. Throws CrmError. */
  getInvoice(accessToken: string, invoiceId: string): Promise<CrmInvoice | null>;
  /** The same with its lines and all that is printed, for a merchant to look at. Throws CrmError. */
  getInvoiceSheet(accessToken: string, invoiceId: string): Promise<CrmInvoiceSheet | null>;
  /** Throws CrmError `revoked` when the grant is gone for good. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>;
} & CrmCopying;

/**
 * Reading many records for our copy of them. Each is one call without a second try: whoever copies decides when to ask
 * again, so that people who pay find the account's limit free. All throw CrmError.
 */
export type CrmCopying = {
  /** A page of all records in an order that does not change; `next` is the mark of the page that follows. */
  listRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    after: string | null,
  ): Promise<CrmAnswer<{ records: CrmRecords[K][]; next: string | null }>>;
  /** A page of the ids of records that were deleted. */
  listArchived(
    accessToken: string,
    kind: CrmKind,
    after: string | null,
  ): Promise<CrmAnswer<{ ids: string[]; next: string | null }>>;
  /** At most 100 records as they are now; those that do not exist (any more) are missing. Invoices come without links. */
  readRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    ids: string[],
  ): Promise<CrmAnswer<{ records: CrmRecords[K][] }>>;
  /** The contact or company of each of at most 1,000 invoices, by invoice id. */
  readLinks(
    accessToken: string,
    invoiceIds: string[],
    to: 'contacts' | 'companies',
  ): Promise<CrmAnswer<{ links: Map<string, string> }>>;
  /** Who was changed at or after the mark, earliest first; null ends it. The CRM may learn of a change a while later. */
  listChanged(
    accessToken: string,
    kind: CrmKind,
    mark: ChangeMark,
  ): Promise<CrmAnswer<{ changed: { id: string; modifiedAt: number }[]; next: ChangeMark | null }>>;
  listNewest(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ ids: string[] }>>;
  countRecords(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ total: number }>>;
};

/** One of our terminals; the key stays sealed until the adapter opens it. */
export type TerminalRef = { hubId: number; terminalId: string; sealedApiKey: string };

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
  /** Sent as the gateway's order id: how a lost answer is found again. */
  attemptId: string;
  /** Sent as the gateway's invoice: the gateway charges one value and amount only once. */
  dedupeKey: string;
  amountCents: number;
  method: PaymentMethod;
  token: string;
  billing: Billing;
  clientIp: string | null;
};

/** A transaction as the gateway shows it. */
export type GatewayTransaction = {
  id: string;
  attemptId: string;
  dedupeKey: string;
  /** SALE, REFUND, VOID, DEBIT … */
  kind: string;
  state: 'approved' | 'declined' | 'pending' | 'returned' | 'other';
  /** It was approved once and has been taken back before its batch was closed. */
  isVoided: boolean;
  amountCents: number | null;
  authCode: string;
  brand: string;
  lastFour: string;
  maskedCard: string;
  result: string;
  /** For a returned bank debit the bank's reason. */
  message: string;
  /** For a returned bank debit the bank's R-code. */
  providerCode: string;
  /** A fee the gateway reports; we never add one. */
  feeCents: number | null;
  terminalId: string;
  /** Empty for what is in no batch; comparable with a batch's id. */
  batchId: string;
  /** What this refund or void takes back. */
  parentId: string;
  name: { first: string; last: string };
  createdAt: number | null;
  /** When a bank debit came to its present state. */
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
  amountCents: number;
  /** Whose invoice it is; the card may have another name on it. */
  customer: { firstName: string; lastName: string };
};

export type TerminalSaleOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /** Certain, by the terminal's own word: somebody cancelled on the device, or nobody came in time. */
  | { kind: 'cancelled' | 'timed-out'; message: string; providerCode: string; exchangeId: string }
  /** Certain: the device was not reached. */
  | { kind: 'busy' | 'offline'; message: string; providerCode: string }
  | { kind: 'rejected'; reason: 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged, or may be in a moment. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type GatewayBatch = {
  id: string;
  /** `pending` is being closed, `failed` can be closed again; `other` is a word that we do not know. */
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

export type CloseOutcome =
  | { kind: 'closed'; batch: GatewayBatch }
  /** The gateway is at it; the list tells when it is done. */
  | { kind: 'processing'; batch: GatewayBatch }
  | { kind: 'nothing-open' }
  /** Certain: the batch was not closed. */
  | { kind: 'failed'; message: string; providerCode: string }
  /** It may have been closed: ask for the list, never close again blindly. */
  | { kind: 'unknown'; cause: string };

export type ReversalRequest = {
  terminal: TerminalRef;
  /** The gateway's id of the payment. */
  providerTxnId: string;
  /** Sent as the order id, so that a lost answer is found again. */
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

/** What a webhook says has happened. It proves nothing: whoever hears it asks the gateway. */
export type TransactionEvent = {
  method: PaymentMethod;
  providerTxnId: string;
  /** Empty where the message does not say, as for steps of a bank debit. */
  attemptId: string;
  terminalId: string;
  merchantNumber: string;
};

/** None of these throws for network trouble: `unknown` where money may have moved, `unavailable` where nothing was read. */
export type Gateway = {
  displayName: string;
  /** What the browser needs to load the provider's script; no secret among it. */
  browser: { scriptUrl: string; baseUrl: string; origin: string; sandbox: boolean };
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Returns when the device is done, which may take minutes. */
  startTerminalSale(request: TerminalSaleRequest): Promise<TerminalSaleOutcome>;
  /** Transactions of the whole merchant; `unavailable` is not the same as none. */
  find(terminal: TerminalRef, method: PaymentMethod, by: FindBy): Promise<GatewayTransaction[] | 'unavailable'>;
  /** All of the merchant's within a window of time, oldest first, page by page from 1. */
  listTransactions(
    terminal: TerminalRef,
    method: PaymentMethod,
    window: { from: number; to: number },
    page: number,
  ): Promise<{ transactions: GatewayTransaction[]; isLast: boolean } | 'unavailable'>;
  /** The terminal's own, newest first: all, or those of one status, or those opened within a window. */
  listBatches(
    terminal: TerminalRef,
    filter?: { status?: 'open' | 'closed' | 'pending' | 'failed'; from?: number; to?: number },
  ): Promise<GatewayBatch[] | 'unavailable'>;
  /** Oldest first; voids and refunds among them. */
  batchTransactions(
    terminal: TerminalRef,
    batch: Pick<GatewayBatch, 'id' | 'openedAt' | 'settledAt'>,
  ): Promise<GatewayTransaction[] | 'unavailable'>;
  /** Closes whichever batch is open when the call arrives. */
  closeBatch(terminal: TerminalRef, channel: 'counter' | 'ecommerce'): Promise<CloseOutcome>;
  /** The whole payment, while its batch is open. */
  voidTransaction(request: ReversalRequest): Promise<ReversalOutcome>;
  /** Up to what is left of a card payment. The gateway gives one dedupe key and amount back only once. */
  refund(request: ReversalRequest & { dedupeKey: string; amountCents: number }): Promise<ReversalOutcome>;
  /** Null when the body is no such message. */
  readTransactionEvent(raw: string): TransactionEvent | null;
};

export type Mail = { to: string; subject: string; text: string; html: string; idempotencyKey: string };

export type Mailer = {
  /** `refused`: the address or the mail itself is not acceptable, trying again is of no use. Throws when it may be tried again. */
  send(mail: Mail): Promise<'sent' | 'refused'>;
};

export type ApplicationOutcome =
  | { kind: 'created'; merchantNumber: string; signupUrl: string }
  /** Certain: no application was made. */
  | { kind: 'refused'; message: string }
  /** One may have been made. */
  | { kind: 'unknown' };

/** What a webhook about an application says; `raw` is its body as it came. */
export type BoardingEvent = {
  event: string;
  merchantNumber: string;
  terminals: { apiKey: string; publicKey: string; name: string }[];
  raw: string;
};

export type TerminalFacts = {
  terminalId: string;
  name: string;
  channel: 'ecommerce' | 'counter';
  merchantNumber: string;
};

export type Boarding = {
  createApplication(request: { dbaName: string; email: string }): Promise<ApplicationOutcome>;
  /** Null when the body is not such a message. */
  readEvent(raw: string): BoardingEvent | null;
  /** Ask the gateway whose key this is. */
  describeTerminal(apiKey: string): Promise<TerminalFacts | 'bad-credentials' | 'unavailable'>;
};

/** What makes a new build of the public site. */
export type SiteBuilder = {
  /** Whether there is anything to ask. */
  isThere: boolean;
  /** Never throws: `silent` is a builder that did not answer. */
  request(build: { build: string; revision: number }): Promise<'asked' | 'refused' | 'silent'>;
};
