import { parseCents } from '#shared/money';
import { dayOfDate } from '#shared/text/local-day';
import { visibleText } from '#shared/text/safe-text';
import type { CrmKind, CrmRecords, PrintField } from './port.ts';
import type { AssociationLink, CrmObject } from './wire.ts';

/** HubSpot's property names for the records that we read. */

/** Properties of the records that the CRM sync stores. */
export const syncedFields: Record<CrmKind, string[]> = {
  companies: ['name', 'address', 'city', 'state', 'zip'],
  contacts: ['firstname', 'lastname', 'email', 'phone', 'mobilephone', 'company', 'address', 'city', 'state', 'zip'],
  invoices: [
    'hs_number',
    'hs_invoice_status',
    'hs_currency',
    'hs_balance_due',
    'hs_amount_billed',
    'hs_due_date',
    'hs_invoice_date',
    'hs_payment_date',
    'hs_recipient_company_address',
    'hs_recipient_company_city',
    'hs_recipient_company_state',
    'hs_recipient_company_zip',
  ],
};

/** Properties of the contact of an invoice that is being paid. */
export const payerFields = ['firstname', 'lastname', 'email', 'address', 'city', 'state', 'zip', 'hs_language'];

/** Optional custom fields of an account, for a printed invoice. HubSpot silently omits unknown names. */
export const customFields: PrintField[] = [
  'clinic_name',
  'clinic_address',
  'clinic_phone',
  'customer_name',
  'customer_address',
  'payment_method',
  'payment_date',
  'paid_via',
  'transaction_id',
  'receipt_id',
];
/** Properties for a printed invoice: the contact's address, the recipient's address on the invoice, and its lines. */
export const billingFields = ['address', 'city', 'state', 'zip'];
export const recipientFields = billingFields.map((part) => `hs_recipient_shipping_${part}`);
/** "true" if the account allows partial payments of this invoice through the CRM's own link, otherwise "false". */
export const allowsPartsField = 'hs_allow_partial_payments';
/** The total amount paid on an invoice in the CRM, from any source. */
export const paidField = 'hs_amount_paid';
export const lineFields = ['name', 'price', 'quantity', 'amount'];

/** The property names of each record kind, and the conversion to our record. */
type Shape<K extends CrmKind> = {
  properties: string[];
  /** Contacts use older names for the same properties. */
  createdField: string;
  modifiedField: string;
  /** `timeZone`: the account's zone, for days. */
  recordOf(object: CrmObject, timeZone: string): CrmRecords[K];
};

const textOf = (object: CrmObject, name: string): string => object.properties[name] ?? '';

export const shapes: { [K in CrmKind]: Shape<K> } = {
  companies: {
    properties: syncedFields.companies,
    createdField: 'createdate',
    modifiedField: 'hs_lastmodifieddate',
    recordOf: (object) => ({
      id: object.id,
      name: textOf(object, 'name'),
      ...addressOf(object, ''),
      modifiedAt: modifiedAt('companies', object),
    }),
  },
  contacts: {
    properties: syncedFields.contacts,
    createdField: 'createdate',
    modifiedField: 'lastmodifieddate',
    recordOf: (object) => ({
      id: object.id,
      companyId: companyText(object) ? '' : inlineCompany(object),
      firstName: textOf(object, 'firstname'),
      lastName: textOf(object, 'lastname'),
      email: visibleText(textOf(object, 'email')),
      phone: textOf(object, 'phone') || textOf(object, 'mobilephone'),
      company: companyText(object),
      ...addressOf(object, ''),
      modifiedAt: modifiedAt('contacts', object),
    }),
  },
  invoices: {
    properties: syncedFields.invoices,
    createdField: 'hs_createdate',
    modifiedField: 'hs_lastmodifieddate',
    recordOf: (object, timeZone) => ({
      ...contactsOf(object),
      id: object.id,
      number: textOf(object, 'hs_number'),
      status: textOf(object, 'hs_invoice_status'),
      currency: textOf(object, 'hs_currency'),
      balanceCents: parseCents(object.properties.hs_balance_due),
      billedCents: parseCents(object.properties.hs_amount_billed),
      dueDate: dayOf(object.properties.hs_due_date, timeZone),
      invoiceDate: dayOf(object.properties.hs_invoice_date, timeZone),
      paidAt: instantOf(object.properties.hs_payment_date),
      createdAt: instantOf(object.properties.hs_createdate ?? object.createdAt) ?? 0,
      modifiedAt: modifiedAt('invoices', object),
      companyId: inlineCompany(object),
      recipient: addressOf(object, 'hs_recipient_company_'),
    }),
  },
};

const addressOf = (object: CrmObject, prefix: string) => ({
  address: textOf(object, `${prefix}address`),
  city: textOf(object, `${prefix}city`),
  state: textOf(object, `${prefix}state`),
  zip: textOf(object, `${prefix}zip`),
});

export const modifiedAt = (kind: CrmKind, object: CrmObject): number =>
  instantOf(object.properties[shapes[kind].modifiedField] ?? object.updatedAt) ?? 0;

function contactsOf(object: CrmObject) {
  const ids = new Set(object.associations?.contacts?.results.map(({ id }) => id));
  const [contactId = '', ...otherContactIds] = ids;
  return { contactId, otherContactIds };
}

const companyText = (object: CrmObject) => textOf(object, 'company').trim();

/** The CRM labels a contact's primary company `contact_to_company`, and lists every company as `…_unlabeled` too. */
function inlineCompany(object: CrmObject): string {
  const links = object.associations?.companies?.results ?? [];
  const isPrimary = ({ type }: { type: string }) => /primary/i.test(type);
  const isLabeled = ({ type }: { type: string }) => !/unlabel/i.test(type);
  return (links.find(isPrimary) ?? links.find(isLabeled) ?? links[0])?.id ?? '';
}

/** Returns the ids of linked records, those labeled primary first, otherwise in the CRM's order. */
export function orderedLinks(links: AssociationLink[]): string[] {
  const isPrimary = ({ associationTypes }: AssociationLink) =>
    associationTypes.some(({ label }) => /primary/i.test(label ?? ''));
  const primary = links.filter(isPrimary);
  return [...new Set([...primary, ...links].map(({ toObjectId }) => toObjectId))];
}

/** The CRM sends ISO times (without milliseconds if they are zero) or epoch milliseconds. */
function instantOf(value: string | null | undefined): number | null {
  if (!value) return null;
  const ms = /^\d+$/.test(value) ? Number(value) : Date.parse(value);
  return Number.isSafeInteger(ms) ? ms : null;
}

/** The day of the CRM's time in an account's zone, YYYY-MM-DD. Midnight UTC is a date without a time. */
export function dayOf(value: string | null | undefined, timeZone: string): string | null {
  const ms = instantOf(value);
  return ms === null || Math.abs(ms) > 8.64e15 ? null : dayOfDate(ms, timeZone);
}
