import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, recordDownloads, titlesOf } from '#tests/support/components/queries';
import { makeInvoice, serveInvoices } from '#tests/support/servers/list-server';

const currentSearch = () => window.location.search;
const expectRange = (range: string) =>
  screen.findByText((text, element) => element?.className === 'pager-range' && text.includes(range));

async function openList(address = '/invoices', count = 137) {
  const server = await serveInvoices(calls, count);
  const user = await openApp(address);
  await screen.findByRole('heading', { name: 'Invoices', level: 1 });
  await waitFor(() => expect(titlesOf()).not.toEqual([]));
  return { server, user };
}

describe('invoice list', () => {
  it('shows every field of an invoice', async () => {
    await openList();
    const headers = ['Invoice ID', 'Invoice Number', 'Amount Billed', 'Balance Due', 'Due Date', 'Created Date'];
    const texts = screen.getAllByRole('columnheader').map((header) => header.textContent);
    expect(texts).toEqual([...headers, 'Last Modified Date', 'Status', 'Actions']);
    const row = screen.getByText('INV-1042').closest('tr');
    for (const text of ['90412', '$12.00', 'Mar 4, 2026', 'Overdue', 'Preview', 'Marta Núñez, Núñez Studio LLC'])
      expect(row?.textContent).toContain(text);
    const preview = within(row ?? document.body).getByRole('link', { name: 'Preview invoice INV-1042' });
    expect(preview.getAttribute('href')).toBe('/invoice/90412');
  });

  it('sorts by a column in both directions and announces the direction', async () => {
    const { server, user } = await openList();
    const header = screen.getByRole('columnheader', { name: 'Amount Billed' });
    expect(screen.getByRole('columnheader', { name: 'Created Date' }).getAttribute('aria-sort')).toBe('descending');
    expect(header.getAttribute('aria-sort')).toBe('none');
    await user.click(within(header).getByRole('button'));
    expect(header.getAttribute('aria-sort')).toBe('descending');
    await waitFor(() => expect(titlesOf()[0]).toBe('INV-1041'));
    within(header).getByRole('button').focus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(titlesOf()[0]).toBe('INV-1042'));
    expect(header.getAttribute('aria-sort')).toBe('ascending');
    expect(currentSearch()).toBe('?sort=hs_amount_billed');
    expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('hs_amount_billed');
  });

  it('sorts with a select box, which replaces the column headers on a phone', async () => {
    const { server, user } = await openList('/invoices', 30);
    await user.selectOptions(screen.getByLabelText('Sort'), 'Balance Due, descending');
    expect(currentSearch()).toBe('?sort=-hs_balance_due');
    await waitFor(() => expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('-hs_balance_due'));
  });

  it('moves through the pages with all four buttons, and stops at both ends', async () => {
    const { server, user } = await openList();
    const pageButton = (name: string) => screen.getByRole('button', { name: `${name} page` });
    const isDisabled = (name: string) => pageButton(name).getAttribute('aria-disabled') === 'true';
    const cursor = () => server.calls.at(-1)?.searchParams.get('cursor');
    await expectRange('1-10 of 137');
    expect([isDisabled('First'), isDisabled('Previous'), isDisabled('Next')]).toEqual([true, true, false]);
    await user.click(pageButton('Next'));
    await expectRange('11-20 of 137');
    expect(cursor()).toBe('after-1');
    expect(document.activeElement).toBe(pageButton('Next'));
    await user.click(pageButton('Last'));
    await expectRange('131-137 of 137');
    expect(cursor()).toBeNull();
    expect([isDisabled('Next'), isDisabled('Last')]).toEqual([true, true]);
    const callCount = server.calls.length;
    await user.click(pageButton('Next'));
    expect(server.calls).toHaveLength(callCount);
    await user.click(pageButton('Previous'));
    await expectRange('121-130 of 137');
    expect(cursor()).toBe('before-14');
    await user.click(pageButton('First'));
    await expectRange('1-10 of 137');
    expect(currentSearch()).toBe('');
  });

  it('jumps to a typed page, to the first if the box is empty, and to the last if the number is too high', async () => {
    const { user } = await openList();
    const box = screen.getByLabelText<HTMLInputElement>('Go to page');
    await user.clear(box);
    await user.type(box, '3{Enter}');
    await expectRange('21-30 of 137');
    await user.clear(box);
    await user.type(box, '{Enter}');
    await expectRange('1-10 of 137');
    await user.type(box, '99');
    await expectRange('131-137 of 137');
    expect(box.value).toBe('14');
  });

  it('changes the number of rows per page', async () => {
    const { user } = await openList('/invoices?page=3');
    const select = screen.getByLabelText('Rows per page');
    const options = within(select).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual([10, 20, 30, 40, 50].map((size) => `Show ${size}`));
    await user.selectOptions(select, '50');
    await expectRange('1-50 of 137');
    expect(titlesOf()).toHaveLength(50);
    expect(currentSearch()).toBe('?size=50');
  });

  it('searches when typing pauses, not on every keystroke, and reports if nothing matches', async () => {
    const { server, user } = await openList('/invoices?page=2');
    const box = screen.getByRole<HTMLInputElement>('searchbox');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const typed of ['o', 'ok', 'oka', 'okafor']) {
      fireEvent.change(box, { target: { value: typed } });
      vi.advanceTimersByTime(249);
    }
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await expectRange('1-10 of');
    const queries = server.calls.map((url) => url.searchParams.get('q'));
    expect(queries.filter((query) => query?.startsWith('o'))).toEqual(['okafor']);
    expect(currentSearch()).toBe('?q=okafor');
    await user.clear(box);
    await user.type(box, '1042x{Enter}');
    await screen.findByText('No invoice matches "1042x".');
    await user.click(await button('Clear search'));
    await expectRange('1-10 of 137');
    expect(box.value).toBe('');
  });

  it('filters by status, due date and amount, keeps the filters on reload, and exports the filtered rows', async () => {
    const { server, user } = await openList();
    const files = recordDownloads();
    await user.click(await button(/^Filter by status/));
    await user.click(screen.getByRole('checkbox', { name: 'Open' }));
    await user.click(screen.getByRole('checkbox', { name: 'Paid' }));
    await user.keyboard('{Escape}');
    await user.click(await button(/^Filter by due date/));
    fireEvent.change(screen.getByLabelText('Due from'), { target: { value: '2026-01-01' } });
    await user.click(await button('Apply'));
    await user.click(await button(/^Filter by amount/));
    await user.type(screen.getByLabelText('Billed from'), 'ten');
    await user.click(await button('Apply'));
    await screen.findByText('Enter an amount like 10 or 10.50.');
    await user.clear(screen.getByLabelText('Billed from'));
    await user.type(screen.getByLabelText('Billed from'), '$1,000');
    await user.click(await button('Apply'));
    const expected = Array.from({ length: 137 }, (_, index) => makeInvoice(index)).filter(
      ({ properties: { hs_invoice_status: status, hs_due_date: due, hs_amount_billed: billed } }) =>
        (status === 'open' || status === 'paid') && (due ?? '') >= '2026-01-01' && Number(billed) >= 1000,
    );
    await expectRange(`of ${expected.length}`);
    for (const label of ['Status: Open, Paid', 'Due from Jan 1, 2026', 'From $1,000.00'])
      await screen.findByText(label);

    const userAfterReload = await openApp(`/invoices${currentSearch()}`);
    await expectRange(`of ${expected.length}`);
    await userAfterReload.click(await button('Export CSV'));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]?.name).toMatch(/^invoices-\d{4}-\d\d-\d\d\.csv$/);
    expect((await files[0]?.file.text())?.split('\r\n')).toHaveLength(expected.length);
    const params = server.calls.at(-1)?.searchParams;
    expect([params?.get('format'), params?.get('hs_invoice_status'), params?.get('page')]).toEqual([
      'csv',
      'open,paid',
      null,
    ]);
    await userAfterReload.click(await button('Clear'));
    await expectRange('1-10 of 137');
    expect(currentSearch()).toBe('');
  });

  it('has a button for phones that counts the active filters and opens all filters', async () => {
    const { user } = await openList('/invoices?hs_invoice_status=paid');
    const filter = screen.getByRole('button', { name: 'Filter 1' });
    expect(filter.getAttribute('aria-expanded')).toBe('false');
    await user.click(filter);
    expect(filter.getAttribute('aria-expanded')).toBe('true');
    await user.click(await button(/^Filter by status/));
    await user.click(screen.getByRole('checkbox', { name: 'Paid' }));
    await expectRange('1-10 of 137');
    expect(filter.textContent).toBe('Filter');
  });
});

describe('text too long for its cell', () => {
  const fullText = 'INV-1040-a-number-that-somebody-has-made-far-too-long-for-any-cell';

  it('is truncated after 50 characters and expands on hover', async () => {
    const { user } = await openList('/invoices', 10);
    const cut = screen.getByRole('button', { name: fullText });
    expect(cut.querySelector('[aria-hidden]')?.textContent).toBe(`${fullText.slice(0, 50)}…`);
    await user.hover(cut);
    await waitFor(() => expect(cut.getAttribute('aria-expanded')).toBe('true'));
    expect(document.getElementById(cut.getAttribute('aria-controls') ?? '')?.textContent).toBe(fullText);
    await user.keyboard('{Escape}');
    expect(cut.getAttribute('aria-expanded')).toBe('false');
  });

  it('expands on tap and collapses on a tap elsewhere', async () => {
    const { user } = await openList('/invoices', 10);
    const cut = screen.getByRole('button', { name: fullText });
    await user.pointer([{ keys: '[TouchA]', target: cut }]);
    expect(cut.getAttribute('aria-expanded')).toBe('true');
    await user.pointer([{ keys: '[TouchA]', target: screen.getByRole('heading', { name: 'Invoices' }) }]);
    expect(cut.getAttribute('aria-expanded')).toBe('false');
  });
});
