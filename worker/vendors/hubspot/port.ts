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
  /** The linked company record, where the contact names no company; else empty. */
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

/** An invoice as a page of many has it: names are in the records that it is linked with. */
export type CrmInvoiceEntry = Omit<CrmInvoice, 'contact' | 'company'> & {
  /** The address that stands on the invoice itself, for want of a company. */
  recipient: { address: string; city: string; state: string; zip: string };
};

export type CrmRecords = { companies: CrmCompany; contacts: CrmContact; invoices: CrmInvoiceEntry };
export type CrmKind = keyof CrmRecords;

/** What the account's limit leaves after an answer. */
export type CrmLimit = { max: number; remaining: number; windowMs: number };
/**
 * `limit` null: the answer said nothing of limits, as those of searches do. `cut`: so many texts of its records were longer
 * than a copy keeps, and end there.
 */
export type CrmAnswer<T> = T & { limit: CrmLimit | null; cut?: number };

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
  accountId: number;
  accountDomain: string;
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
  /** The invoice with its first contact and company, or null when this account has none of that id. Throws CrmError. */
  getInvoice(accessToken: string, invoiceId: string): Promise<CrmInvoice | null>;
  /** The same with its lines and all that is printed, for a merchant to look at. Throws CrmError. */
  getInvoiceSheet(accessToken: string, invoiceId: string): Promise<CrmInvoiceSheet | null>;
  /** Throws CrmError `revoked` when the grant is gone for good. */
  refreshTokens(refreshToken: string): Promise<CrmTokens>;
} & CrmSyncReads;

/**
 * Reading many records for our copy of them. Each is one call without a second try: whoever copies decides when to ask
 * again, so that people who pay find the account's limit free. All throw CrmError.
 */
export type CrmSyncReads = {
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
  /** At most 100 records as they are now; those that do not exist (any more) are missing. They come without links. */
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
  /** Who was changed at or after the mark, earliest first; null ends it. The CRM may learn of a change a while later. */
  listChanged(
    accessToken: string,
    kind: CrmKind,
    mark: ChangeMark,
  ): Promise<CrmAnswer<{ changed: { id: string; modifiedAt: number }[]; next: ChangeMark | null }>>;
  listNewest(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ ids: string[] }>>;
  countRecords(accessToken: string, kind: CrmKind): Promise<CrmAnswer<{ total: number }>>;
};
