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
  more?: string[],
) => Promise<{ invoice: CrmInvoice; own: Properties } | null>;

type Properties = CrmObject['properties'];

/** Contacts of one invoice that are read to find one with an email address. */
const MOST_CONTACTS = 10;

/** Reads one invoice with its contact and company, from the CRM. */
export function invoiceReader({ read }: HubSpotHttp): ReadInvoice {
  async function linked(token: string, invoiceId: string, to: 'contacts' | 'companies', properties: string[]) {
    const links = await read(Associations, token, paths.associations('invoices', to), { inputs: [{ id: invoiceId }] });
    const all = orderedLinks(links?.results.find((link) => link.from.id === invoiceId)?.to ?? []);
    const ids = all.slice(0, to === 'contacts' ? MOST_CONTACTS : 1);
    if (ids.length === 0) return { id: '', properties: {} };
    const found = await read(CrmObjects, token, paths.batchRead(to), {
      inputs: ids.map((id) => ({ id })),
      properties,
      propertiesWithHistory: [],
    });
    const linkedOnes = ids.map((id) => ({
      id,
      properties: found?.results.find((object) => object.id === id)?.properties ?? {},
    }));
    const reachable = linkedOnes.find(({ properties: { email } }) => visibleText(email ?? '') !== '');
    return reachable ?? linkedOnes[0] ?? { id: '', properties: {} };
  }

  return async (token, invoiceId, timeZone, more = []) => {
    const query = new URLSearchParams({ properties: [...shapes.invoices.properties, ...more].join(',') });
    const [object, contact, company] = await Promise.all([
      read(CrmObject, token, `${paths.object('invoices', invoiceId)}?${query}`),
      linked(token, invoiceId, 'contacts', payerFields),
      linked(token, invoiceId, 'companies', shapes.companies.properties),
    ]);
    if (!object) return null;
    return {
      invoice: invoiceFromCrm(object, contact, company, timeZone),
      own: object.properties,
    };
  };
}

export function hubSpotInvoice(readInvoice: ReadInvoice, readLines: ReadLines) {
  return {
    async getInvoice(
      token: string,
      invoiceId: string,
      asked: { timeZone: string; lines?: boolean },
    ): Promise<CrmInvoice | null> {
      const [found, lines] = await Promise.all([
        readInvoice(token, invoiceId, asked.timeZone),
        asked.lines ? readLines(token, invoiceId).catch(noLines) : null,
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

type Linked = { id: string; properties: Properties };

function invoiceFromCrm(object: CrmObject, contact: Linked, company: Linked, timeZone: string): CrmInvoice {
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

type Reads = { readInvoice: ReadInvoice; readLines: ReadLines };

/** Reads one invoice as printed, with its lines and the account's custom fields. Null if the CRM does not have it. */
export async function readInvoiceSheet(
  { readInvoice, readLines }: Reads,
  token: string,
  invoiceId: string,
  timeZone: string,
): Promise<CrmInvoiceSheet | null> {
  const [found, lines] = await Promise.all([
    readInvoice(token, invoiceId, timeZone, [...customFields, ...recipientFields, allowsPartsField, paidField]),
    readLines(token, invoiceId),
  ]);
  if (!found) return null;
  const { invoice, own } = found;
  const customerAddress = addressOf(own, invoice.contactAddress);
  return {
    invoice,
    customerAddress,
    allowsParts: allowsParts(own),
    paidCents: parseCents(own[paidField]),
    own: ownFields(own, timeZone),
    lines,
  };
}

function addressOf(own: Properties, contact: CrmAddress): CrmInvoiceSheet['customerAddress'] {
  const isOnInvoice = recipientFields.some((name) => own[name]);
  const part = (name: keyof CrmAddress) => (isOnInvoice ? own[`hs_recipient_shipping_${name}`] : contact[name]) ?? '';
  return { address: part('address'), city: part('city'), state: part('state'), zip: part('zip') };
}

function allowsParts({ [allowsPartsField]: said }: Properties): boolean | null {
  return said === 'true' ? true : said === 'false' ? false : null;
}

function ownFields(own: Properties, timeZone: string): CrmInvoiceSheet['own'] {
  const text = (name: PrintField) => own[name] ?? '';
  return {
    clinic_name: text('clinic_name'),
    clinic_address: text('clinic_address'),
    clinic_phone: text('clinic_phone'),
    customer_name: text('customer_name'),
    customer_address: text('customer_address'),
    payment_method: text('payment_method'),
    payment_date: dayOf(own.payment_date, timeZone) ?? '',
    paid_via: text('paid_via'),
    transaction_id: text('transaction_id'),
    receipt_id: text('receipt_id'),
  };
}
