/** The account's records as its staff see them. Money is the CRM's decimal text; null is an empty property. */

export type CrmInvoiceState = {
  status: 'draft' | 'open' | 'paid' | 'voided';
  currency: string;
  balance: string | null;
  billed: string | null;
  /** Deleted by staff. The CRM then answers as if the invoice had never existed. */
  isArchived: boolean;
};

export type CrmPerson = { id: string; firstName: string; lastName: string; email: string };
export type CrmFirm = { id: string; name: string; address: string; city: string; state: string; zip: string };

export type NewCrmInvoice = {
  accountId: number;
  /** Decimal digits. Two accounts may have invoices with the same id. */
  invoiceId: string;
  number: string;
  balance: string | null;
  status?: CrmInvoiceState['status'];
  currency?: string;
  contact?: CrmPerson;
  company?: CrmFirm;
};

/** The state of an invoice from `at` (UTC ms) on. */
export type CrmMoment = CrmInvoiceState & {
  at: number;
  /** Set if a payment record caused the change, not staff. */
  isByRecord?: true;
};

export type CrmInvoiceRecord = {
  accountId: number;
  invoiceId: string;
  number: string;
  contact: CrmPerson | null;
  company: CrmFirm | null;
  /** Oldest first; the last state is the current one. */
  history: CrmMoment[];
};

export function stateOf({ history }: CrmInvoiceRecord): CrmMoment {
  const last = history.at(-1);
  if (!last) throw new Error('an invoice has no state');
  return last;
}

export type Properties = Record<string, string | null>;

export function invoiceProperties(record: CrmInvoiceRecord): Properties {
  const { status, currency, balance, billed, at } = stateOf(record);
  const created = iso(record.history[0]?.at ?? at);
  return {
    hs_number: record.number,
    hs_invoice_status: status,
    hs_currency: currency,
    hs_balance_due: balance,
    hs_amount_billed: billed,
    hs_due_date: created,
    hs_invoice_date: created,
    hs_payment_date: status === 'paid' ? iso(at) : null,
    hs_recipient_company_address: null,
    hs_recipient_company_city: null,
    hs_recipient_company_state: null,
    hs_recipient_company_zip: null,
    hs_createdate: created,
    hs_lastmodifieddate: iso(at),
    hs_object_id: record.invoiceId,
  };
}

export const contactProperties = ({ id, firstName, lastName, email }: CrmPerson): Properties => ({
  firstname: firstName,
  lastname: lastName,
  email,
  address: null,
  city: null,
  state: null,
  zip: null,
  hs_object_id: id,
});

export const companyProperties = ({ id, name, address, city, state, zip }: CrmFirm): Properties => ({
  name,
  address,
  city,
  state,
  zip,
  hs_object_id: id,
});

/** Returned with every record, even if not requested. */
const ALWAYS = ['hs_createdate', 'hs_lastmodifieddate', 'hs_object_id'];

/** The requested properties. Names that the account does not have are silently omitted. */
export function selectProperties(properties: Properties, names: string[]): Properties {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => names.includes(name) || ALWAYS.includes(name)),
  );
}

/** The CRM's timestamp format, which omits the milliseconds if they are zero. */
export const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
