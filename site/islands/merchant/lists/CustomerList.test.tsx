import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ListedCustomer } from '#shared/contracts/lists/lists';
import { answerWith } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { textOf } from '#tests/support/components/queries';
import { owedOf } from '#tests/support/servers/open-invoices-server';

/** Opens a list with the customer, and returns the text of the cell "Owed". */
async function owedText(customer: Partial<ListedCustomer>): Promise<string> {
  const properties = { firstname: 'Marta', lastname: 'Ruiz', email: '', phone: '', company: '' };
  const row = { id: '7', properties, owed: '0.00', has_unreadable: false, first_due: null, last_paid_at: null };
  answerWith('/api/customers', { data: { results: [{ ...row, ...customer }] } });
  answerWith('/api/owed', owedOf([]));
  await openApp('/customers');
  await screen.findByText('Marta Ruiz');
  return textOf(document.querySelector('.customers .at-amount span') as HTMLElement);
}

it.each<[string, Partial<ListedCustomer>]>([
  ['$0.00 nothing owed', {}],
  ['$1,364.55 owed', { owed: '1364.55', first_due: '2099-12-16' }],
  ['$1,364.55 some overdue', { owed: '1364.55', first_due: '2026-01-01' }],
  ['at least $187.15 owed', { owed: '187.15', has_unreadable: true }],
  ['N/A unreadable', { has_unreadable: true }],
])('shows that a customer owes "%s"', async (text, customer) => {
  expect(await owedText(customer)).toBe(text);
});
