import type { PersonErased, PersonShown } from '#shared/contracts/operators/operate';
import type { CustomerData } from '#shared/contracts/staff/customer-data';
import { insertEvent } from '#worker/data/audit/events';
import { findCustomerEmail } from '#worker/data/retention/person';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { emailOf, erasePerson, findPersonData, personKey, presentErased, presentShown } from './erase.ts';

/** A customer of an account, by the contact's id in the CRM. */
export type CustomerRef = { accountId: number; contactId: string };

/** Counts the data stored about a customer. Null if the account has no such customer. */
export async function summarizeCustomerData(
  deps: Deps,
  { accountId, contactId }: CustomerRef,
): Promise<CustomerData | null> {
  const email = await findCustomerEmail(deps.db, accountId, contactId);
  if (email === undefined) return null;
  const holdings = await findPersonData(deps, { accountId, email });
  return {
    email,
    places: holdings.map(({ label, rows, erasable, stays }) => ({ label, rows: rows.length, erasable, stays })),
  };
}

export type ExportOutcome = { kind: 'exported'; data: PersonShown } | { kind: 'not-found' | 'no-email' };

/** Exports all data stored about a customer, as the operator's command shows them, and records the export. */
export async function exportCustomerData(deps: Deps, { accountId, contactId }: CustomerRef): Promise<ExportOutcome> {
  const email = await findCustomerEmail(deps.db, accountId, contactId);
  if (email === undefined) return { kind: 'not-found' };
  if (emailOf(email) === '') return { kind: 'no-email' };
  const data = presentShown(await findPersonData(deps, { accountId, email }));
  const event = auditEvent(deps, {
    accountId,
    action: 'person.exported',
    subject: ['person', await personKey(deps, email)],
    after: { rows: data.shown.reduce((sum, { rows }) => sum + rows.length, 0) },
  });
  await insertEvent(deps.db, event);
  return { kind: 'exported', data };
}

export type EraseCustomerOutcome =
  | { kind: 'erased'; data: PersonErased }
  | { kind: 'not-found' | 'no-email' }
  /** The typed address is not the customer's. */
  | { kind: 'other-email'; email: string };

/** Erases the data stored about a customer as far as allowed. `typedEmail`: the address, as entered to confirm. */
export async function eraseCustomerData(
  deps: Deps,
  { accountId, contactId }: CustomerRef,
  typedEmail: string,
): Promise<EraseCustomerOutcome> {
  const email = await findCustomerEmail(deps.db, accountId, contactId);
  if (email === undefined) return { kind: 'not-found' };
  if (emailOf(email) === '') return { kind: 'no-email' };
  if (emailOf(typedEmail) !== emailOf(email)) return { kind: 'other-email', email };
  return { kind: 'erased', data: presentErased(await erasePerson(deps, { accountId, email })) };
}
