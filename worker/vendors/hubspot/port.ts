import type { CrmFailure } from '#shared/contracts/operators/operator-values';
import type { CrmPaymentRecords } from './payment-records-port.ts';

export type CrmAddress = { address: string; city: string; state: string; zip: string };

export type CrmInvoice = {
  id: string;
  number: string;
  status: string;
  currency: string;
  /** Null unless the CRM returned a plain decimal. */
  balanceCents: number | null;
  billedCents: number | null;
  /** YYYY-MM-DD, in the account's zone. */
  dueDate: string | null;
  invoiceDate: string | null;
  /** The time of payment according to the CRM (UTC ms); midnight UTC if the CRM gives only a date. */
  paidAt: number | null;
  /** UTC ms by the CRM's clock. */
  createdAt: number;
  modifiedAt: number;
  /** Empty if the invoice has none. */
  contactId: string;
  companyId: string;
  contact: { firstName: string; lastName: string; email: string };
  contactAddress: CrmAddress;
  /** The contact's preferred language ("es", "en-us"); empty if the CRM has none. */
  contactLanguage: string;
  company: { name: string; address: string; city: string; state: string; zip: string };
  /** Present only if requested and readable. */
  lines?: CrmLine[];
};

/** A line of an invoice. Prices and quantities are decimal text, or null if the CRM has none. */
export type CrmLine = {
  id: string;
  name: string;
  /** Has more than 2 decimals if the line's total requires them. */
  unitPrice: string | null;
  quantity: string | null;
  totalCents: number | null;
};

/** Facts on a printed invoice that an account may keep in custom fields; the day of payment is YYYY-MM-DD. */
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

/** An invoice with all data that is printed. */
export type CrmInvoiceSheet = {
  invoice: CrmInvoice;
  customerAddress: { address: string; city: string; state: string; zip: string };
  /** True if the CRM allows partial payments of this invoice; null if unknown. For display only. */
  allowsParts: boolean | null;
  /** The total paid according to the CRM (cents), including its records of our payments; null if unreadable. */
  paidCents: number | null;
  /** Empty if the account has no such field or no value. */
  own: Record<PrintField, string>;
  lines: CrmLine[];
};

export type CrmContact = {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  /** The contact's own company text; not the name of a linked company record. */
  company: string;
  /** The id of the linked company record if the contact's text is empty, otherwise empty. */
  companyId: string;
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

/** An invoice in a list; the names are in the linked records. */
export type CrmInvoiceEntry = Omit<
  CrmInvoice,
  'contact' | 'contactAddress' | 'contactLanguage' | 'company' | 'lines'
> & {
  /** The address on the invoice itself, used when there is no company. */
  recipient: { address: string; city: string; state: string; zip: string };
  /** Other linked contacts, in case the first has no email address. */
  otherContactIds: string[];
};

export type CrmRecords = { companies: CrmCompany; contacts: CrmContact; invoices: CrmInvoiceEntry };
export type CrmKind = keyof CrmRecords;

/** The account's rate limit and the remaining calls. */
export type CrmLimit = { max: number; remaining: number; windowMs: number };
/**
 * `limit` is null if the response gave none, as for searches. `cut` counts texts that were truncated to the maximum
 * length of synced records.
 */
export type CrmResponse<T> = T & { limit: CrmLimit | null; cut?: number };

/**
 * Cursor over changed records, in the order of their last change. `tieId`: set if more records than fit on a page
 * changed in the same millisecond. They are then read by id, and the ids up to this one have been read.
 */
export type ChangeCursor = { modifiedAt: number; tieId: string | null };

export type CrmTokens = { accessToken: string; refreshToken: string; expiresInS: number; scopes: string[] };

/** A failed CRM call. The reasons `expired` and `revoked` are about our token, not the payer or the merchant. */
export class CrmError extends Error {
  readonly reason: CrmFailure;
  /** The retry delay that the CRM requests, if any. */
  readonly retryAfterMs: number | null;

  constructor(reason: CrmFailure, detail: string, retryAfterMs: number | null = null) {
    super(`crm ${reason}: ${detail}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The user who consented, and the account. */
export type CrmGrant = {
  accountId: number;
  accountDomain: string;
  userId: number;
  email: string;
  timeZone: string;
  tokens: CrmTokens;
};

export type Crm = {
  displayName: string;
  /** Returns the URL for login and consent. `mayWrite`: also to write payment records. The verifier is not sent. */
  authorizeUrl(request: { state: string; verifier: string; mayWrite?: boolean }): Promise<string>;
  /** Exchanges the returned code for a grant. Throws CrmError `revoked` if the code is not (or no longer) valid. */
  exchangeCode(code: string, verifier: string): Promise<CrmGrant>;
  /**
   * Reads the invoice with one contact, its first company, and its lines if requested. The contact is the first with an
   * email address, otherwise the first. `timeZone`: the account's IANA zone, for days. Null if this account has no such
   * invoice. Throws CrmError.
   */
  getInvoice(
    accessToken: string,
    invoiceId: string,
    options: { timeZone: string; lines?: boolean },
  ): Promise<CrmInvoice | null>;
  /** Reads the invoice with its lines and all printed facts, for staff. Throws CrmError. */
  getInvoiceSheet(accessToken: string, invoiceId: string, timeZone: string): Promise<CrmInvoiceSheet | null>;
  /** Throws CrmError `revoked` if the grant is permanently lost. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>;
  /** The only calls that write, for the write-back. */
  paymentRecords: CrmPaymentRecords;
} & CrmSyncReads;

/**
 * Reads many records for the CRM sync. Each is one call without a retry, because the caller decides when to retry, so
 * that the account's rate limit is reserved for payers. All throw CrmError.
 */
export type CrmSyncReads = {
  /** Lists a page of all records in a fixed order, with days in `timeZone`. `next`: cursor of the next page. */
  listRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    after: string | null,
    timeZone: string,
  ): Promise<CrmResponse<{ records: CrmRecords[K][]; next: string | null }>>;
  /** Lists a page of the ids of deleted records. */
  listArchived(
    accessToken: string,
    kind: CrmKind,
    after: string | null,
  ): Promise<CrmResponse<{ ids: string[]; next: string | null }>>;
  /** Reads at most 100 records in their current state, without associations. Missing records are omitted. */
  readRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    ids: string[],
    timeZone: string,
  ): Promise<CrmResponse<{ records: CrmRecords[K][] }>>;
  /**
   * Reads the contact or company of at most 1,000 records, by their ids. `others`: the further links of records that
   * have several.
   */
  readLinks(
    accessToken: string,
    from: 'contacts' | 'invoices',
    ids: string[],
    to: 'contacts' | 'companies',
  ): Promise<CrmResponse<{ links: Map<string, string>; others: Map<string, string[]> }>>;
  /** Lists records changed at or after the cursor, earliest first. `next`: null at the end. The index may lag. */
  listChanged(
    accessToken: string,
    kind: CrmKind,
    cursor: ChangeCursor,
  ): Promise<CrmResponse<{ changed: { id: string; modifiedAt: number }[]; next: ChangeCursor | null }>>;
  listNewest(accessToken: string, kind: CrmKind): Promise<CrmResponse<{ ids: string[] }>>;
  countRecords(accessToken: string, kind: CrmKind): Promise<CrmResponse<{ total: number }>>;
};
