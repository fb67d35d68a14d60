import { payerFields } from './fields.ts';
import { type HubSpotHttp, paths } from './http.ts';
import type { ReadLines } from './lines.ts';
import { CrmError, type CrmInvoice } from './port.ts';
import { chosenLink, shapes } from './records.ts';
import { Associations, CrmObject, CrmObjects } from './wire.ts';

export type ReadInvoice = (
  token: string,
  invoiceId: string,
  /** Properties of the invoice to read in addition to the usual ones. */
  more?: string[],
) => Promise<{ invoice: CrmInvoice; own: Properties } | null>;

type Properties = CrmObject['properties'];

/** Reads one invoice with its contact and company, from the CRM. */
export function invoiceReader({ read }: HubSpotHttp): ReadInvoice {
  async function linked(token: string, invoiceId: string, to: 'contacts' | 'companies', properties: string[]) {
    const links = await read(Associations, token, paths.associations('invoices', to), { inputs: [{ id: invoiceId }] });
    const id = chosenLink(links?.results.find((link) => link.from.id === invoiceId)?.to ?? []);
    if (!id) return { id, properties: {} };
    const found = await read(CrmObjects, token, paths.batchRead(to), {
      inputs: [{ id }],
      properties,
      propertiesWithHistory: [],
    });
    return { id, properties: found?.results.find((object) => object.id === id)?.properties ?? {} };
  }

  return async (token, invoiceId, more = []) => {
    const query = new URLSearchParams({ properties: [...shapes.invoices.properties, ...more].join(',') });
    const [object, contact, company] = await Promise.all([
      read(CrmObject, token, `${paths.object('invoices', invoiceId)}?${query}`),
      linked(token, invoiceId, 'contacts', payerFields),
      linked(token, invoiceId, 'companies', shapes.companies.properties),
    ]);
    if (!object) return null;
    return {
      invoice: invoiceFromCrm(object, contact, company),
      own: object.properties,
    };
  };
}

export function hubSpotInvoice(readInvoice: ReadInvoice, readLines: ReadLines) {
  return {
    async getInvoice(token: string, invoiceId: string, asked?: { lines: boolean }): Promise<CrmInvoice | null> {
      const [found, lines] = await Promise.all([
        readInvoice(token, invoiceId),
        asked?.lines ? readLines(token, invoiceId).catch(noLines) : null,
      ]);
      return found && { ...found.invoice, ...(lines && { lines }) };
    },
  };
}

/** What is on a bill is good to know; that it can be paid matters more. */
function noLines(cause: unknown): null {
  if (cause instanceof CrmError) return null;
  throw cause;
}

type Linked = { id: string; properties: Properties };

function invoiceFromCrm(object: CrmObject, contact: Linked, company: Linked): CrmInvoice {
  const { recipient, ...invoice } = shapes.invoices.recordOf(object);
  const [person, firm] = [contact.properties, company.properties];
  return {
    ...invoice,
    contactId: contact.id,
    companyId: company.id,
    contact: {
      firstName: person.firstname ?? '',
      lastName: person.lastname ?? '',
      email: person.email ?? '',
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
