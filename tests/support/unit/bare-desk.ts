import { type Attempt, accounts, crmTokens, invoices } from '#worker/data/schema/schema';
import type { Merchant } from '#worker/domain/merchants/session';
import { CrmError, type CrmInvoice } from '#worker/vendors/hubspot/port';
import { NOW } from './bare-books.ts';
import { bareClinic } from './bare-clinic.ts';
import { ACCOUNT } from './rows.ts';

const noAddress = { address: '', city: '', state: '', zip: '' };

/** Invoice `1` of $100.00 in the CRM. */
export const crmInvoice = (fields: Partial<CrmInvoice> = {}): CrmInvoice => ({
  id: '1',
  number: 'INV-1',
  status: 'open',
  currency: 'USD',
  balanceCents: 10_000,
  billedCents: 10_000,
  dueDate: null,
  invoiceDate: null,
  paidAt: null,
  createdAt: 1,
  modifiedAt: NOW,
  contactId: '',
  companyId: '',
  contact: { firstName: '', lastName: '', email: '' },
  contactAddress: noAddress,
  contactLanguage: '',
  company: { ...noAddress, name: '' },
  ...fields,
});

type Row = { attempt?: Partial<Attempt>; invoice?: Partial<typeof invoices.$inferInsert>; takesParts?: boolean };

/** A bare clinic with a manager and a scripted CRM. `answer`: its invoice; null: none; `away`: CRM unavailable. */
export async function bareDesk(
  answer: Partial<CrmInvoice> | null | 'away' = {},
  { attempt, invoice, takesParts }: Row = {},
) {
  const clinic = await bareClinic({ state: 'declined', ...attempt });
  const { db, deps } = clinic;
  if (invoice) await db.update(invoices).set(invoice);
  if (takesParts === false) await db.update(accounts).set({ takesParts });
  const token = { accountId: ACCOUNT, accessToken: 'a', refreshToken: 'r', expiresAt: NOW * 2, scopes: '' };
  await db.insert(crmTokens).values(token);
  deps.sealer = { ...deps.sealer, open: async () => 'opened' };
  const crm = { answer, requestedIds: [] as string[] };
  const getInvoice: typeof deps.crm.getInvoice = async (_token, id) => {
    crm.requestedIds.push(id);
    if (crm.answer === 'away') throw new CrmError('unavailable', 'no answer');
    return crm.answer && crmInvoice({ id, ...crm.answer });
  };
  deps.crm = { ...deps.crm, getInvoice };
  const manager: Merchant = { sessionId: 's', accountId: ACCOUNT, userId: 4, role: 'manager' };
  const row = () => db.query.invoices.findFirst();
  return { ...clinic, crm, manager, invoiceRow: row };
}
