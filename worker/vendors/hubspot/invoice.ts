import { parseCents } from '#shared/money';
import { visibleText } from '#shared/text/safe-text';
import { type HubSpotHttp, paths } from './http.ts';
import type { ReadLines } from './lines.ts';
import { type CrmAddress, CrmError, type CrmInvoice, type CrmInvoiceSheet, type PrintField } from './port.ts';
import {
  allowsPartsField,
  customFields,
  dayOf,
  orderedLinks,
  paidField,
  payerFields,
  recipientFields,
  shapes,
} from './records.ts';
import { Associations, CrmObject, CrmObjects } from './wire.ts';

export type ReadInvoice = (
  token: string,
  invoiceId: string,
  timeZone: string,
  /** Additional properties of the invoice to read. */
  extraProperties?: string[],
) => Promise<{ invoice: CrmInvoice; properties: Properties } | null>;

type Properties = CrmObject['properties'];

/** The maximum number of an invoice's contacts that are searched for an email address. */
const MAX_CONTACTS = 10;

/** Reads one invoice with its contact and company from the CRM. */
export function invoiceReader({ read }: HubSpotHttp): ReadInvoice {
  async function readLinkedRecord(
    token: string,
    invoiceId: string,
    to: 'contacts' | 'companies',
    properties: string[],
  ) {
    const links = await read(Associations, token, paths.associations('invoices', to), { inputs: [{ id: invoiceId }] });
    const linkedIds = orderedLinks(links?.results.find((link) => link.from.id === invoiceId)?.to ?? []);
    const ids = linkedIds.slice(0, to === 'contacts' ? MAX_CONTACTS : 1);
    if (ids.length === 0) return { id: '', properties: {} };
    const page = await read(CrmObjects, token, paths.batchRead(to), {
      inputs: ids.map((id) => ({ id })),
      properties,
      propertiesWithHistory: [],
    });
    const records = ids.map((id) => ({
      id,
      properties: page?.results.find((object) => object.id === id)?.properties ?? {},
    }));
    const reachable = records.find(({ properties: { email } }) => visibleText(email ?? '') !== '');
    return reachable ?? records[0] ?? { id: '', properties: {} };
  }

  return async (token, invoiceId, timeZone, extraProperties = []) => {
    const query = new URLSearchParams({ properties: [...shapes.invoices.properties, ...extraProperties].join(',') });
    const [object, contact, company] = await Promise.all([
      read(CrmObject, token, `${paths.object('invoices', invoiceId)}?${query}`),
      readLinkedRecord(token, invoiceId, 'contacts', payerFields),
      readLinkedRecord(token, invoiceId, 'companies', shapes.companies.properties),
    ]);
    if (!object) return null;
    return {
      invoice: invoiceFromCrm(object, contact, company, timeZone),
      properties: object.properties,
    };
  };
}

export function hubSpotInvoice(readInvoice: ReadInvoice, readLines: ReadLines) {
  return {
    async getInvoice(
      token: string,
      invoiceId: string,
      options: { timeZone: string; lines?: boolean },
    ): Promise<CrmInvoice | null> {
      const [found, lines] = await Promise.all([
        readInvoice(token, invoiceId, options.timeZone),
        options.lines ? readLines(token, invoiceId).catch(noLines) : null,
      ]);
      return found && { ...found.invoice, ...(lines && { lines }) };
    },
  };
}

/** Missing lines must not block payment, so a CrmError returns null. */
function noLines(cause: unknown): null {
  if (cause instanceof CrmError) return null;
  throw cause;
}

type LinkedRecord = { id: string; properties: Properties };

function invoiceFromCrm(object: CrmObject, contact: LinkedRecord, company: LinkedRecord, timeZone: string): CrmInvoice {
  const { recipient, otherContactIds: _, ...invoice } = shapes.invoices.recordOf(object, timeZone);
  const [person, firm] = [contact.properties, company.properties];
  return {
    ...invoice,
    contactId: contact.id,
    companyId: company.id,
    contact: {
      firstName: person.firstname ?? '',
      lastName: person.lastname ?? '',
      email: visibleText(person.email ?? ''),
    },
    contactAddress: {
      address: person.address ?? '',
      city: person.city ?? '',
      state: person.state ?? '',
      zip: person.zip ?? '',
    },
    contactLanguage: person.hs_language ?? '',
    company: {
      name: firm.name ?? '',
      address: firm.address || recipient.address,
      city: firm.city || recipient.city,
      state: firm.state || recipient.state,
      zip: firm.zip || recipient.zip,
    },
  };
}

type InvoiceReaders = { readInvoice: ReadInvoice; readLines: ReadLines };

/** Reads one invoice as printed, with its lines and the account's custom fields. Null if the CRM does not have it. */
export async function readInvoiceSheet(
  { readInvoice, readLines }: InvoiceReaders,
  token: string,
  invoiceId: string,
  timeZone: string,
): Promise<CrmInvoiceSheet | null> {
  const [found, lines] = await Promise.all([
    readInvoice(token, invoiceId, timeZone, [...customFields, ...recipientFields, allowsPartsField, paidField]),
    readLines(token, invoiceId),
  ]);
  if (!found) return null;
  const { invoice, properties } = found;
  const customerAddress = addressOf(properties, invoice.contactAddress);
  return {
    invoice,
    customerAddress,
    allowsParts: allowsParts(properties),
    paidCents: parseCents(properties[paidField]),
    own: customFieldsIn(properties, timeZone),
    lines,
  };
}

function addressOf(properties: Properties, contact: CrmAddress): CrmInvoiceSheet['customerAddress'] {
  const isOnInvoice = recipientFields.some((name) => properties[name]);
  const part = (name: keyof CrmAddress) =>
    (isOnInvoice ? properties[`hs_recipient_shipping_${name}`] : contact[name]) ?? '';
  return { address: part('address'), city: part('city'), state: part('state'), zip: part('zip') };
}

function allowsParts({ [allowsPartsField]: value }: Properties): boolean | null {
  return value === 'true' ? true : value === 'false' ? false : null;
}

function customFieldsIn(properties: Properties, timeZone: string): CrmInvoiceSheet['own'] {
  const text = (name: PrintField) => properties[name] ?? '';
  return {
    clinic_name: text('clinic_name'),
    clinic_address: text('clinic_address'),
    clinic_phone: text('clinic_phone'),
    customer_name: text('customer_name'),
    customer_address: text('customer_address'),
    payment_method: text('payment_method'),
    payment_date: dayOf(properties.payment_date, timeZone) ?? '',
    paid_via: text('paid_via'),
    transaction_id: text('transaction_id'),
    receipt_id: text('receipt_id'),
  };
}
