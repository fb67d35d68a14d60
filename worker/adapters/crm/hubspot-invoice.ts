import type { CrmInvoice } from '../../ports.ts';
import { type HubSpotHttp, paths } from './hubspot-http.ts';
import { chosenLink, shapes } from './hubspot-records.ts';
import { Associations, CrmObject, CrmObjects } from './wire.ts';

/** One invoice with its contact and company, as it stands now. */
export function hubSpotInvoice({ read }: HubSpotHttp) {
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

  return {
    async getInvoice(token: string, invoiceId: string): Promise<CrmInvoice | null> {
      const query = new URLSearchParams({ properties: shapes.invoices.properties.join(',') });
      const [invoice, contact, company] = await Promise.all([
        read(CrmObject, token, `${paths.object('invoices', invoiceId)}?${query}`),
        linked(token, invoiceId, 'contacts', ['firstname', 'lastname', 'email']),
        linked(token, invoiceId, 'companies', shapes.companies.properties),
      ]);
      return invoice && invoiceFromCrm(invoice, contact, company);
    },
  };
}

type Linked = { id: string; properties: CrmObject['properties'] };

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
    company: {
      name: firm.name ?? '',
      address: firm.address || recipient.address,
      city: firm.city || recipient.city,
      state: firm.state || recipient.state,
      zip: firm.zip || recipient.zip,
    },
  };
}
