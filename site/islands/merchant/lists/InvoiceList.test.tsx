import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { calls } from '#tests/support/components/calls';
import { openApp } from '#tests/support/components/merchant-app';
import { button, savedFiles, titlesOf } from '#tests/support/components/seen';
import { makeInvoice, serveInvoices } from '#tests/support/servers/list-server';

const search = () => window.location.search;
const seesRange = (range: string) =>
  screen.findByText((text, element) => element?.className === 'pager-range' && text.includes(range));

async function openList(address = '/invoices', count = 137) {
  const server = await serveInvoices(calls, count);
  const person = await openApp(address);
  await screen.findByRole('heading', { name: 'Invoices', level: 1 });
  await waitFor(() => expect(titlesOf()).not.toEqual([]));
  return { server, person };
}

describe('the invoice list', () => {
  it('shows every field of an invoice', async () => {
    await openList();
    const heads = ['Invoice ID', 'Invoice Number', 'Amount Billed', 'Balance Due', 'Due Date', 'Created Date'];
    const shown = screen.getAllByRole('columnheader').map((head) => head.textContent);
    expect(shown).toEqual([...heads, 'Last Modified Date', 'Status', 'Actions']);
    const row = screen.getByText('INV-1042').closest('tr');
    for (const text of ['90412', '$12.00', 'Mar 4, 2026', 'Overdue', 'Preview', 'Marta Núñez, Núñez Studio LLC'])
      expect(row?.textContent).toContain(text);
    const preview = within(row ?? document.body).getByRole('link', { name: 'Preview invoice INV-1042' });
    expect(preview.getAttribute('href')).toBe('/invoice/90412');
  });

  it('sorts by a column in both directions and announces the direction', async () => {
    const { server, person } = await openList();
    const head = screen.getByRole('columnheader', { name: 'Amount Billed' });
    expect(screen.getByRole('columnheader', { name: 'Created Date' }).getAttribute('aria-sort')).toBe('descending');
    expect(head.getAttribute('aria-sort')).toBe('none');
    await person.click(within(head).getByRole('button'));
    expect(head.getAttribute('aria-sort')).toBe('descending');
    await waitFor(() => expect(titlesOf()[0]).toBe('INV-1041'));
    within(head).getByRole('button').focus();
    await person.keyboard('{Enter}');
    await waitFor(() => expect(titlesOf()[0]).toBe('INV-1042'));
    expect(head.getAttribute('aria-sort')).toBe('ascending');
    expect(search()).toBe('?sort=hs_amount_billed');
    expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('hs_amount_billed');
  });

  it('sorts with a select box when there are no column headers', async () => {
    const { server, person } = await openList('/invoices', 30);
    await person.selectOptions(screen.getByLabelText('Sort'), 'Balance Due, descending');
    expect(search()).toBe('?sort=-hs_balance_due');
    await waitFor(() => expect(server.calls.at(-1)?.searchParams.get('sort')).toBe('-hs_balance_due'));
  });

  it('moves through the pages with every button and stops at both ends', async () => {
    const { server, person } = await openList();
    const step = (name: string) => screen.getByRole('button', { name: `${name} page` });
    const isOff = (name: string) => step(name).getAttribute('aria-disabled') === 'true';
    const cursor = () => server.calls.at(-1)?.searchParams.get('cursor');
    await seesRange('1-10 of 137');
    expect([isOff('First'), isOff('Previous'), isOff('Next')]).toEqual([true, true, false]);
    await person.click(step('Next'));
    await seesRange('11-20 of 137');
    expect(cursor()).toBe('after-1');
    expect(document.activeElement).toBe(step('Next'));
    await person.click(step('Last'));
    await seesRange('131-137 of 137');
    expect(cursor()).toBeNull();
    expect([isOff('Next'), isOff('Last')]).toEqual([true, true]);
    const asked = server.calls.length;
    await person.click(step('Next'));
    expect(server.calls).toHaveLength(asked);
    await person.click(step('Previous'));
    await seesRange('121-130 of 137');
    expect(cursor()).toBe('before-14');
    await person.click(step('First'));
    await seesRange('1-10 of 137');
    expect(search()).toBe('');
  });

  it('jumps to a page by number, to the first for an empty box and to the last for a number too high', async () => {
    const { person } = await openList();
    const box = screen.getByLabelText<HTMLInputElement>('Go to page');
    await person.clear(box);
    await person.type(box, '3{Enter}');
    await seesRange('21-30 of 137');
    await person.clear(box);
    await person.type(box, '{Enter}');
    await seesRange('1-10 of 137');
    await person.type(box, '99');
    await seesRange('131-137 of 137');
    expect(box.value).toBe('14');
  });

  it('changes the number of rows per page', async () => {
    const { person } = await openList('/invoices?page=3');
    const select = screen.getByLabelText('Rows per page');
    const choices = within(select).getAllByRole('option');
    expect(choices.map((choice) => choice.textContent)).toEqual([10, 20, 30, 40, 50].map((size) => `Show ${size}`));
    await person.selectOptions(select, '50');
    await seesRange('1-50 of 137');
    expect(titlesOf()).toHaveLength(50);
    expect(search()).toBe('?size=50');
  });

  it('searches when typing pauses, not on every key, and reports when nothing matches', async () => {
    const { server, person } = await openList('/invoices?page=2');
    const box = screen.getByRole<HTMLInputElement>('searchbox');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    for (const typed of ['o', 'ok', 'oka', 'okafor']) {
      fireEvent.change(box, { target: { value: typed } });
      vi.advanceTimersByTime(249);
    }
    vi.advanceTimersByTime(1);
    vi.useRealTimers();
    await seesRange('1-10 of');
    const typed = server.calls.map((url) => url.searchParams.get('q'));
    expect(typed.filter((words) => words?.startsWith('o'))).toEqual(['okafor']);
    expect(search()).toBe('?q=okafor');
    await person.clear(box);
    await person.type(box, '1042x{Enter}');
    await screen.findByText('No invoice matches "1042x".');
    await person.click(await button('Clear search'));
    await seesRange('1-10 of 137');
    expect(box.value).toBe('');
  });

  it('filters by status, due date and amount, keeps the filters on reload and exports the same rows', async () => {
    const { server, person } = await openList();
    const files = savedFiles();
    await person.click(await button(/^Filter by status/));
    await person.click(screen.getByRole('checkbox', { name: 'Open' }));
    await person.click(screen.getByRole('checkbox', { name: 'Paid' }));
    await person.keyboard('{Escape}');
    await person.click(await button(/^Filter by due date/));
    fireEvent.change(screen.getByLabelText('Due from'), { target: { value: '2026-01-01' } });
    await person.click(await button('Apply'));
    await person.click(await button(/^Filter by amount/));
    await person.type(screen.getByLabelText('Billed from'), 'ten');
    await person.click(await button('Apply'));
    await screen.findByText('Enter an amount like 10 or 10.50.');
    await person.clear(screen.getByLabelText('Billed from'));
    await person.type(screen.getByLabelText('Billed from'), '$1,000');
    await person.click(await button('Apply'));
    const wanted = Array.from({ length: 137 }, (_, at) => makeInvoice(at)).filter(
      ({ properties: { hs_invoice_status: status, hs_due_date: due, hs_amount_billed: billed } }) =>
        (status === 'open' || status === 'paid') && (due ?? '') >= '2026-01-01' && Number(billed) >= 1000,
    );
    await seesRange(`of ${wanted.length}`);
    for (const label of ['Status: Open, Paid', 'Due from Jan 1, 2026', 'From $1,000.00'])
      await screen.findByText(label);

    const again = await openApp(`/invoices${search()}`);
    await seesRange(`of ${wanted.length}`);
    await again.click(await button('Export CSV'));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(files[0]?.name).toMatch(/^invoices-\d{4}-\d\d-\d\d\.csv$/);
    expect((await files[0]?.file.text())?.split('\r\n')).toHaveLength(wanted.length);
    const asked = server.calls.at(-1)?.searchParams;
    expect([asked?.get('format'), asked?.get('hs_invoice_status'), asked?.get('page')]).toEqual([
      'csv',
      'open,paid',
      null,
    ]);
    await again.click(await button('Clear'));
    await seesRange('1-10 of 137');
    expect(search()).toBe('');
  });

  it('shows one button on a phone that counts the filters and opens them', async () => {
    const { person } = await openList('/invoices?hs_invoice_status=paid');
    const filter = screen.getByRole('button', { name: 'Filter 1' });
    expect(filter.getAttribute('aria-expanded')).toBe('false');
    await person.click(filter);
    expect(filter.getAttribute('aria-expanded')).toBe('true');
    await person.click(await button(/^Filter by status/));
    await person.click(screen.getByRole('checkbox', { name: 'Paid' }));
    await seesRange('1-10 of 137');
    expect(filter.textContent).toBe('Filter');
  });
});

describe('text too long for its cell', () => {
  const whole = 'INV-1040-a-number-that-somebody-has-made-far-too-long-for-any-cell';

  it('is cut after 50 characters and expands on hover', async () => {
    const { person } = await openList('/invoices', 10);
    const cut = screen.getByRole('button', { name: whole });
    expect(cut.querySelector('[aria-hidden]')?.textContent).toBe(`${whole.slice(0, 50)}…`);
    await person.hover(cut);
    await waitFor(() => expect(cut.getAttribute('aria-expanded')).toBe('true'));
    expect(document.getElementById(cut.getAttribute('aria-controls') ?? '')?.textContent).toBe(whole);
    await person.keyboard('{Escape}');
    expect(cut.getAttribute('aria-expanded')).toBe('false');
  });

  it('expands on tap and collapses on a tap elsewhere', async () => {
    const { person } = await openList('/invoices', 10);
    const cut = screen.getByRole('button', { name: whole });
    await person.pointer([{ keys: '[TouchA]', target: cut }]);
    expect(cut.getAttribute('aria-expanded')).toBe('true');
    await person.pointer([{ keys: '[TouchA]', target: screen.getByRole('heading', { name: 'Invoices' }) }]);
    expect(cut.getAttribute('aria-expanded')).toBe('false');
  });
});
