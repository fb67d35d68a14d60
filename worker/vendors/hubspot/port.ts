import type { CrmPaymentRecords } from './payment-records-port.ts';

export type CrmAddress = { address: string; city: string; state: string; zip: string };

export type CrmInvoice = {
  id: string;
  number: string;
  status: string;
  currency: string;
  /** Null where the CRM gave no plain decimal. */
  balanceCents: number | null;
  billedCents: number | null;
  /** YYYY-MM-DD */
  dueDate: string | null;
  invoiceDate: string | null;
  /** When it was paid, as the CRM says (UTC ms); of a day without a time, its midnight in UTC. */
  paidAt: number | null;
  /** UTC milliseconds by the CRM's clock. */
  createdAt: number;
  modifiedAt: number;
  /** Empty where the invoice has none. */
  contactId: string;
  companyId: string;
  contact: { firstName: string; lastName: string; email: string };
  contactAddress: CrmAddress;
  /** The contact's preferred language ("es", "en-us"); empty where the CRM has none. */
  contactLanguage: string;
  company: { name: string; address: string; city: string; state: string; zip: string };
  /** Only where they were asked for and could be read. */
  lines?: CrmLine[];
};

/** A line of an invoice. Decimal text; null where the CRM has none. */
export type CrmLine = {
  id: string;
  name: string;
  /** With more than 2 decimals where the line's total needs them. */
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

/** An invoice with everything that is printed. */
export type CrmInvoiceSheet = {
  invoice: CrmInvoice;
  customerAddress: { address: string; city: string; state: string; zip: string };
  /** Whether the CRM lets this invoice be paid in parts; null: it does not say. A hint for staff, never obeyed. */
  allowsParts: boolean | null;
  /** Paid in all by the CRM, its records of our payments included; null: it says nothing that can be read. */
  paidCents: number | null;
  /** Empty where the account has no such field or no value. */
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
  /** The linked company record, where the contact's text is empty; else empty. */
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

/** An invoice as a list returns it: its names are in the linked records. */
export type CrmInvoiceEntry = Omit<
  CrmInvoice,
  'contact' | 'contactAddress' | 'contactLanguage' | 'company' | 'lines'
> & {
  /** The address on the invoice itself, used when there is no company. */
  recipient: { address: string; city: string; state: string; zip: string };
};

export type CrmRecords = { companies: CrmCompany; contacts: CrmContact; invoices: CrmInvoiceEntry };
export type CrmKind = keyof CrmRecords;

/** How many calls the account's limit still allows. */
export type CrmLimit = { max: number; remaining: number; windowMs: number };
/**
 * `limit` is null when the answer gave none, as with searches. `cut` counts texts that were cut to the length that
 * synced records keep.
 */
export type CrmAnswer<T> = T & { limit: CrmLimit | null; cut?: number };

/**
 * Cursor of changed records, in the order of their last change. `tieId`: more records than a page holds changed in this
 * millisecond, so they are read by id, and those up to this id are done.
 */
export type ChangeCursor = { modifiedAt: number; tieId: string | null };

export type CrmTokens = { accessToken: string; refreshToken: string; expiresInS: number; scopes: string[] };

export type CrmFailure = 'unavailable' | 'expired' | 'revoked' | 'missing-scopes';

/** Why a CRM call failed; `expired` and `revoked` are about our token, not the payer or the merchant. */
export class CrmError extends Error {
  readonly reason: CrmFailure;
  /** How long the CRM wants us to wait, where it says so. */
  readonly retryAfterMs: number | null;

  constructor(reason: CrmFailure, detail: string, retryAfterMs: number | null = null) {
    super(`crm ${reason}: ${detail}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The person who consented, and the account. */
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
  /** The address where the browser logs in and consents; `mayWrite`: also to payment records. The verifier stays here until the code comes back. */
  authorizeUrl(request: { state: string; verifier: string; mayWrite?: boolean }): Promise<string>;
  /** Exchanges the returned code for a grant. Throws CrmError `revoked` when the code is not (or no longer) valid. */
  exchangeCode(code: string, verifier: string): Promise<CrmGrant>;
  /**
   * The invoice with its first contact and company, and with its lines if asked for them, or null when this account has
   * no such invoice. Throws CrmError.
   */
  getInvoice(accessToken: string, invoiceId: string, asked?: { lines: boolean }): Promise<CrmInvoice | null>;
  /** The same with its lines and everything printed, for staff. Throws CrmError. */
  getInvoiceSheet(accessToken: string, invoiceId: string): Promise<CrmInvoiceSheet | null>;
  /** Throws CrmError `revoked` when the grant is gone for good. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>;
  /** For the write-back: the only part that changes anything. */
  paymentRecords: CrmPaymentRecords;
} & CrmSyncReads;

/**
 * Reads many records for the CRM sync. Each is one call without a retry: the caller decides when to ask again, to leave
 * the account's limit to payers. All throw CrmError.
 */
export type CrmSyncReads = {
  /** A page of all records in a fixed order; `next` is the cursor of the next page. */
  listRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    after: string | null,
  ): Promise<CrmAnswer<{ records: CrmRecords[K][]; next: string | null }>>;
  /** A page of the ids of deleted records. */
  listArchived(
    accessToken: string,
    kind: CrmKind,
    after: string | null,
  ): Promise<CrmAnswer<{ ids: string[]; next: string | null }>>;
  /** At most 100 records as they are now, without links; those that do not exist (any more) are missing. */
  readRecords<K extends CrmKind>(
    accessToken: string,
    kind: K,
    ids: string[],
  ): Promise<CrmAnswer<{ records: CrmRecords[K][] }>>;
  /** The contact or company of each of at most 1,000 records, by their ids. */
  readLinks(
    accessToken: string,
    from: 'contacts' | 'invoices',
    ids: string[],
    to: 'contacts' | 'companies',
  ): Promise<CrmAnswer<{ links: Map<string, string> }>>;
  /** Records changed at or after the cursor, earliest first; `next` is null at the end. A search may lag behind. */
  listChanged(
    accessToken: string,
    kind: CrmKind,
    mark: ChangeCursor,
  ): Promise<CrmAnswer<{ changed: { id: string; modifiedAt: number }[]; next: ChangeCursor | null }>>;
  listNewest(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ ids: string[] }>>;
  countRecords(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ total: number }>>;
};
