import { fireEvent, render, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { textOf } from '#tests/support/components/queries';
import { serveCustomers, serveInvoices } from '#tests/support/servers/list-server';
import { Palette } from './Palette.tsx';

const optionsOf = async (group: string) =>
  within(await screen.findByRole('group', { name: group }))
    .getAllByRole('option')
    .map(textOf);

/** Opens the palette over the invoice list, and types this text. */
async function searchFor(text: string): Promise<void> {
  await serveInvoices(calls, 40);
  await serveCustomers(calls, 44);
  calls.answer(
    ({ pathname }) => pathname === '/api/owed',
    () => new Promise(() => undefined),
  );
  await openApp('/invoices');
  render(<Palette places={[]} onSwitch={() => undefined} onClose={() => undefined} />);
  const field = screen.getByRole('combobox', { name: 'Search or jump to', hidden: true });
  fireEvent.change(field, { target: { value: text } });
}

describe('search palette', () => {
  it('lists customers with the searched name first, and ends with links to all results', async () => {
    // Ada Okafor of Brandt Maschinenbau comes before Jonas Brandt in the list of customers.
    await searchFor('brandt');
    expect(await optionsOf('All results')).toEqual(['All 17 customers', 'All 16 invoices']);
    for (const name of await optionsOf('Customers')) expect(name).toMatch(/^Jonas Brandt/);
    const [first] = await optionsOf('Invoices');
    expect(first).toMatch(/Jonas Brandt/);
    expect(textOf(screen.getAllByRole('option').at(-1))).toBe('All 16 invoices');
  });

  it.each([
    ['All 17 customers', '/customers?q=brandt', 'Pages of customers'],
    ['All 16 invoices', '/invoices?q=brandt', 'Pages of invoices'],
  ])('links to all results with the same number of rows as the list: %s', async (name, address, pager) => {
    await searchFor('brandt');
    fireEvent.click(await screen.findByRole('option', { name }));
    const pages = within(await screen.findByRole('navigation', { name: pager }));
    await pages.findByText(new RegExp(` of ${/\d+/.exec(name)?.[0]}\\b`));
    expect(window.location.pathname + window.location.search).toBe(address);
  });
});
