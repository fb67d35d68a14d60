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
  /** UTC milliseconds by the CRM's clock. */
  createdAt: number;
  modifiedAt: number;
  /** Empty where the invoice has none. */
  contactId: string;
  companyId: string;
  contact: { firstName: string; lastName: string; email: string };
  company: { name: string; address: string; city: string; state: string; zip: string };
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
  kind: string;
  state: 'approved' | 'declined' | 'pending' | 'returned' | 'other';
  amountCents: number | null;
  authCode: string;
  brand: string;
  lastFour: string;
  maskedCard: string;
  result: string;
  message: string;
  providerCode: string;
  /** A fee the gateway reports; we never add one. */
  feeCents: number | null;
};

export type ChargeOutcome =
  | { kind: 'approved'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'pending'; txn: GatewayTransaction; exchangeId: string }
  | { kind: 'declined'; message: string; providerCode: string; txn: GatewayTransaction | null; exchangeId: string }
  /** Certain: nothing was attempted. */
  | { kind: 'rejected'; reason: 'token' | 'validation' | 'credentials'; message: string; providerCode: string }
  /** The card may have been charged. */
  | { kind: 'unknown'; cause: string; exchangeId: string };

export type Gateway = {
  displayName: string;
  /** What the browser needs to load the provider's script; no secret among it. */
  browser: { scriptUrl: string; baseUrl: string; origin: string; sandbox: boolean };
  /** Never throws for network trouble: that is `unknown`. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Transactions of the whole merchant by our order id or dedupe key; `unavailable` is not the same as none. */
  find(
    terminal: TerminalRef,
    method: PaymentMethod,
    by: { attemptId: string } | { dedupeKey: string },
  ): Promise<GatewayTransaction[] | 'unavailable'>;
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
