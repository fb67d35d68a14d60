import type * as z from 'zod/mini';
import { parseCents } from '#shared/money';
import type { CrmInvoice } from '../../ports.ts';
import { type HubSpotHttp, paths } from './hubspot-http.ts';
import { Associations, CrmObject, CrmObjects } from './wire.ts';

const INVOICE_PROPERTIES = [
  'hs_number',
  'hs_invoice_status',
  'hs_currency',
  'hs_balance_due',
  'hs_amount_billed',
  'hs_due_date',
  'hs_recipient_company_address',
  'hs_recipient_company_city',
  'hs_recipient_company_state',
  'hs_recipient_company_zip',
];

/** One invoice with its first contact and company, as it stands now. */
export function hubSpotInvoice({ read }: HubSpotHttp) {
  async function firstLinked(token: string, invoiceId: string, to: 'contacts' | 'companies', wanted: string[]) {
    const links = await read(Associations, token, paths.associations('invoices', to), { inputs: [{ id: invoiceId }] });
    const id = links?.results.find((link) => link.from.id === invoiceId)?.to[0]?.toObjectId;
    if (!id) return {};
    const found = await read(CrmObjects, token, paths.batchRead(to), {
      inputs: [{ id }],
      properties: wanted,
      propertiesWithHistory: [],
    });
    return found?.results.find((object) => object.id === id)?.properties ?? {};
  }

  return {
    async getInvoice(token: string, invoiceId: string): Promise<CrmInvoice | null> {
      const query = new URLSearchParams({ properties: INVOICE_PROPERTIES.join(',') });
      const [invoice, contact, company] = await Promise.all([
        read(CrmObject, token, `${paths.object('invoices', invoiceId)}?${query}`),
        firstLinked(token, invoiceId, 'contacts', ['firstname', 'lastname', 'email']),
        firstLinked(token, invoiceId, 'companies', ['name', 'address', 'city', 'state', 'zip']),
      ]);
      return invoice && invoiceFromCrm(invoice, contact, company);
    },
  };
}

type Properties = Record<string, string | null | undefined>;

function invoiceFromCrm(invoice: z.output<typeof CrmObject>, contact: Properties, company: Properties): CrmInvoice {
  const own = invoice.properties;
  return {
    id: invoice.id,
    number: own.hs_number ?? '',
    status: own.hs_invoice_status ?? '',
    currency: own.hs_currency ?? '',
    balanceCents: parseCents(own.hs_balance_due),
    billedCents: parseCents(own.hs_amount_billed),
    dueDate: dateOf(own.hs_due_date),
    contact: {
      firstName: contact.firstname ?? '',
      lastName: contact.lastname ?? '',
      email: contact.email ?? '',
    },
    company: {
      name: company.name ?? '',
      address: company.address ?? own.hs_recipient_company_address ?? '',
      city: company.city ?? own.hs_recipient_company_city ?? '',
      state: company.state ?? own.hs_recipient_company_state ?? '',
      zip: company.zip ?? own.hs_recipient_company_zip ?? '',
    },
  };
}

/** The CRM writes due dates as ISO instants or epoch milliseconds; the day is the one it names in UTC. */
function dateOf(value: string | null | undefined): string | null {
  if (!value) return null;
  const date = new Date(/^\d+$/.test(value) ? Number(value) : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}
