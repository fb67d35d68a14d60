import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '#tests/support/hostile-texts';
import { type InvoiceSeed, type ListAccount, listView, makeListAccount } from '#tests/support/unit/lists';
import { customerList } from './customers.ts';
import type { ListDescription, ListView } from './description.ts';
import { invoiceList, openInvoiceList } from './invoices.ts';
import { readListPage } from './read-page.ts';

async function listIds(account: ListAccount, list: ListDescription, view: Partial<ListView>): Promise<string[]> {
  const sort = list === customerList ? 'name' : list === openInvoiceList ? 'due_date' : 'id';
  const page = await readListPage(account.db, list, account.claim, account.now, listView({ sort, size: 100, ...view }));
  expect(page?.total).toBe(page?.rows.length);
  return (page?.rows ?? []).map((row) => String(row.invoice_id ?? row.contact_id));
}

const rangeFilter = (field: string, from: string | number | null, to: string | number | null) => [{ field, from, to }];

describe('filters', () => {
  async function makeAccount() {
    const account = await makeListAccount();
    await account.addInvoices([
      { invoiceId: '1', number: 'A-1', dueDate: '2026-01-31', balanceCents: 1000, billedCents: 5000, contactId: '7' },
      { invoiceId: '2', number: 'A-2', dueDate: '2026-02-01', balanceCents: 1001, status: 'paid', contactId: '8' },
      { invoiceId: '3', number: 'A-3', dueDate: null, balanceCents: null, status: 'draft', contactId: '7' },
      {
        invoiceId: '4',
        number: 'A-4',
        dueDate: '2026-03-01',
        balanceCents: -5,
        localStatus: 'refunded',
        contactId: '7',
      },
      { invoiceId: '5', number: 'A-5', dueDate: '2026-03-02', balanceCents: 900, localStatus: 'paid' },
      { invoiceId: '6', number: 'A-6', dueDate: '2026-03-02', balanceCents: 900, deletedAt: 1, contactId: '8' },
    ]);
    await account.addContacts([
      { contactId: '7', firstName: 'Ann' },
      { contactId: '8', firstName: 'Bob' },
      { contactId: '9', firstName: 'Cy' },
    ]);
    return account;
  }

  it('match our local status, not the CRM’s', async () => {
    const account = await makeAccount();
    expect(await listIds(account, invoiceList, { statuses: ['paid'] })).toEqual(['2', '5']);
    expect(await listIds(account, invoiceList, { statuses: ['draft', 'refunded'] })).toEqual(['3', '4']);
    expect(await listIds(account, invoiceList, { statuses: ['open'], sort: 'hs_invoice_status' })).toEqual(['1']);
    expect(await listIds(account, openInvoiceList, { statuses: ['open', 'draft'] })).toEqual(['1']);
  });

  it('match overdue, due, partly paid and partly refunded invoices in every order and with other filters', async () => {
    const account = await makeAccount();
    await account.addInvoices([
      { invoiceId: '11', dueDate: '2026-03-03', balanceCents: 1 },
      { invoiceId: '12', dueDate: '2026-03-04', balanceCents: 1 },
      // Open with nothing left to pay, so neither due nor overdue.
      { invoiceId: '15', dueDate: '2026-03-03', balanceCents: 0 },
      { invoiceId: '16', dueDate: '2026-03-05', balanceCents: null },
      { invoiceId: '13', localStatus: 'paid', givenBackCents: 500, dueDate: '2026-01-05' },
      { invoiceId: '17', dueDate: '2026-03-05', balanceCents: 900, partBaseCents: 900, partPaidCents: 300 },
      { invoiceId: '14', localStatus: 'refunded', givenBackCents: 900, dueDate: '2026-01-05' },
    ]);
    const today = '2026-03-04';
    for (const list of [invoiceList, openInvoiceList]) {
      for (const sort of Object.keys(list.sorts)) {
        const ids = async (...statuses: string[]) => (await listIds(account, list, { sort, today, statuses })).sort();
        expect(await ids('overdue')).toEqual(['1', '11']);
        expect(await ids('due')).toEqual(['12', '17']);
        expect(await ids('partly_paid')).toEqual(['17']);
        expect(await ids('partly_refunded')).toEqual(['13']);
        expect(await ids('overdue', 'partly_refunded', 'refunded')).toEqual(['1', '11', '13', '14', '4']);
        expect(await ids('open', 'overdue')).toEqual(['1', '11', '12', '15', '16', '17']);
        expect(await ids('paid', 'partly_refunded')).toEqual(['13', '2', '5']);
      }
    }
    expect(await listIds(account, invoiceList, { statuses: ['overdue'], today, q: 'a' })).toEqual(['1']);
    expect(await listIds(account, openInvoiceList, { statuses: ['overdue'], today, contactId: '7' })).toEqual(['1']);
  });

  it('include both ends of a range, omit missing values, and work in every order', async () => {
    const account = await makeAccount();
    for (const sort of Object.keys(invoiceList.sorts)) {
      for (const isDescending of [false, true]) {
        const ids = async (ranges: ListView['ranges']) =>
          (await listIds(account, invoiceList, { sort, isDescending, ranges })).sort();
        expect(await ids(rangeFilter('hs_due_date', '2026-02-01', '2026-03-01'))).toEqual(['2', '4']);
        expect(await ids(rangeFilter('hs_due_date', null, '2026-02-01'))).toEqual(['1', '2']);
        expect(await ids(rangeFilter('hs_due_date', '2026-03-02', null))).toEqual(['5']);
        expect(await ids(rangeFilter('hs_balance_due', 0, 1000))).toEqual(['1', '5']);
        expect(await ids(rangeFilter('hs_balance_due', null, 0))).toEqual(['4', '5']);
        expect(await ids(rangeFilter('hs_amount_billed', 1, null))).toEqual(['1']);
        expect(
          await ids([...rangeFilter('hs_balance_due', 0, null), ...rangeFilter('hs_due_date', '2026-02-01', null)]),
        ).toEqual(['2', '5']);
      }
    }
  });

  it('return only rows that match all of them', async () => {
    const account = await makeAccount();
    const all = { statuses: ['open', 'refunded'], contactId: '7', q: 'a' };
    expect(await listIds(account, openInvoiceList, { ...all, isDescending: true })).toEqual(['4', '1']);
    expect(
      await listIds(account, openInvoiceList, { ...all, ranges: rangeFilter('due_date', '2026-02-15', null) }),
    ).toEqual(['4']);
  });

  it('find customers with an invoice to pay', async () => {
    const account = await makeAccount();
    expect(await listIds(account, customerList, {})).toEqual(['7', '8', '9']);
    expect(await listIds(account, customerList, { hasOpenInvoice: true })).toEqual(['7']);
    expect(await listIds(account, customerList, { hasOpenInvoice: true, q: 'bob' })).toEqual([]);
  });

  it('find customers who owe money and those who are overdue, in every order', async () => {
    const account = await makeListAccount();
    const today = '2026-03-04';
    await account.addContacts(
      ['1', '2', '3', '4', '5'].map((contactId) => ({ contactId, firstName: `C${contactId}` })),
    );
    const owed = { balanceCents: 500, currency: 'USD' };
    await account.addInvoices([
      { ...owed, invoiceId: '1', contactId: '1', dueDate: '2026-03-03' },
      { ...owed, invoiceId: '2', contactId: '1', dueDate: '2026-05-01' },
      { ...owed, invoiceId: '3', contactId: '2', dueDate: today },
      { ...owed, invoiceId: '4', contactId: '3', dueDate: null },
      { ...owed, invoiceId: '5', contactId: '4', dueDate: '2026-03-01', localStatus: 'paid' },
      { ...owed, invoiceId: '6', contactId: '5', dueDate: '2026-03-01', balanceCents: 0 },
    ]);
    for (const sort of Object.keys(customerList.sorts)) {
      const ids = async (...statuses: string[]) =>
        (await listIds(account, customerList, { sort, today, statuses })).sort();
      expect(await ids('owes')).toEqual(['1', '2', '3']);
      expect(await ids('overdue')).toEqual(['1']);
      expect(await ids('overdue', 'owes')).toEqual(['1', '2', '3']);
    }
    // The next morning, without any write in between.
    expect(await listIds(account, customerList, { statuses: ['overdue'], today: '2026-03-05' })).toEqual(['1', '2']);
    expect(await listIds(account, customerList, { statuses: ['owes'], today, q: 'c3' })).toEqual(['3']);
    const byAmountOwed = { sort: 'owed', isDescending: true };
    expect(await listIds(account, customerList, byAmountOwed)).toEqual(['1', '3', '2', '5', '4']);
  });

  it('match no row for a status named like a built-in object property', async () => {
    const account = await makeAccount();
    expect(await listIds(account, invoiceList, { statuses: ['constructor'] })).toEqual([]);
  });
});

describe('a search', () => {
  async function makeAccount(accountId?: number) {
    const account = await makeListAccount(accountId);
    await account.addInvoices([
      {
        invoiceId: '1',
        number: 'INV-1001',
        contactFirstName: 'Marta',
        contactLastName: 'Núñez',
        companyName: "O'Neil & Co",
      },
      { invoiceId: '2', number: 'INV-1002', contactFirstName: 'Märta', contactLastName: 'Nilsson-Bö', companyName: '' },
      { invoiceId: '3', number: '2026/77', contactFirstName: '', companyName: '🦷 東京 Dental' },
      { invoiceId: '4', number: 'INV-1001', companyName: 'gone', deletedAt: 1 },
    ]);
    await account.addContacts([
      {
        contactId: '1',
        firstName: 'Marta',
        lastName: 'Núñez',
        email: 'marta.n@maple.example',
        phone: '+1 (317) 555-0142',
      },
      { contactId: '2', firstName: 'Bo', company: 'Maple Street', phone: '030 55' },
    ]);
    return account;
  }

  it('finds invoices by their words, the last of which may be a prefix', async () => {
    const account = await makeAccount();
    const expected: [q: string, ids: string[]][] = [
      ['1001', ['1']],
      ['INV-1001', ['1']],
      ['inv 100', ['1', '2']],
      ['marta', ['1', '2']],
      ['nunez', ['1']],
      ['NÚÑEZ mar', ['1']],
      ['bö', ['2']],
      ['neil co', ['1']],
      ['2026/77', ['3']],
      ['東京', ['3']],
      ['🦷', ['3']],
      ['dental 77', ['3']],
      ['arta', []],
      ['mart nunez', []],
      ['gone', []],
      ['marta dental', []],
    ];
    for (const [q, ids] of expected) {
      expect(await listIds(account, invoiceList, { q }), q).toEqual(ids);
      expect(await listIds(account, openInvoiceList, { q, sort: 'invoice_number' }), q).toHaveLength(ids.length);
    }
  });

  it('finds customers by name, address, phone and company', async () => {
    const account = await makeAccount();
    const expected: [q: string, ids: string[]][] = [
      ['mar', ['1']],
      ['marta.n@maple', ['1']],
      ['maple', ['2', '1']],
      ['317 555', ['1']],
      ['3175550142', ['1']],
      ['13175550142', ['1']],
      ['(317) 555-0142', ['1']],
      ['555-9', []],
    ];
    for (const [q, ids] of expected) expect(await listIds(account, customerList, { q }), q).toEqual(ids);
  });

  it('finds a row by its new words after every change', async () => {
    const account = await makeAccount();
    const change = (assignment: string) =>
      account.db.$client
        .prepare(`UPDATE invoices SET ${assignment} WHERE account_id = ? AND invoice_id = '1'`)
        .bind(account.accountId)
        .run();
    await change("number = 'X-9', company_name = 'Fresh'");
    expect(await listIds(account, invoiceList, { q: '1001' })).toEqual([]);
    expect(await listIds(account, invoiceList, { q: 'x 9 fresh' })).toEqual(['1']);
    await change('deleted_at = 1');
    expect(await listIds(account, invoiceList, { q: 'fresh' })).toEqual([]);
    await change('deleted_at = NULL');
    expect(await listIds(account, invoiceList, { q: 'fresh' })).toEqual(['1']);
    await account.db.$client.prepare('DELETE FROM invoices WHERE account_id = ?').bind(account.accountId).run();
    expect(await listIds(account, invoiceList, { q: 'fresh' })).toEqual([]);
  });

  it.each([
    ['ragnheidur', ['1']],
    ['Ragnheiður', ['1']],
    ['RAGNHEIÐUR thors', ['1']],
    ['soren', ['2']],
    ['strauss', ['2']],
    ['+1 317 555 0242', ['1', '3']],
    ['1 (317) 555-0242', ['1', '3']],
    ['3175550242', ['1', '3']],
    ['+1 317 555 02', ['1', '3']],
    ['+1 317 555 0243', []],
    ['555 0242', ['1']],
  ])('finds customers by letters and phone numbers as people type them: %s', async (q, foundIds) => {
    const account = await makeListAccount();
    await account.addContacts([
      { contactId: '1', firstName: 'Ragnheiður', lastName: 'Þórsdóttir', company: 'Thors', phone: '(317) 555-0242' },
      { contactId: '2', firstName: 'Søren', lastName: 'Strauß', phone: '+49 30 1234567' },
      { contactId: '3', firstName: 'Ann', phone: '13175550242' },
    ]);
    expect((await listIds(account, customerList, { q })).sort()).toEqual(foundIds);
    await account.addInvoices([{ invoiceId: '9', number: 'INV-9', contactFirstName: 'Ragnheiður' }]);
    if (q === 'ragnheidur') expect(await listIds(account, invoiceList, { q })).toEqual(['9']);
  });

  it('treats typed text only as words, never as query syntax', async () => {
    const account = await makeAccount();
    for (const q of HOSTILE_TEXTS) {
      const foundIds = await listIds(account, invoiceList, { q });
      const isMarta = /^\W*marta\W*$/.test(q);
      expect(foundIds, q).toEqual(isMarta ? ['1', '2'] : []);
      await listIds(account, customerList, { q });
    }
    expect(await listIds(account, invoiceList, {})).toHaveLength(3);
  });

  it('never finds rows of another account, even if they imitate its search key', async () => {
    const account = await makeAccount(4);
    const other = await makeAccount(42);
    const third = await makeListAccount(43);
    await third.addInvoices([
      { invoiceId: '8', number: 'h4_marta', companyName: '"h4_marta" h42_marta' },
      { invoiceId: '9', number: 'x', companyName: 'h4\u00a0_marta' },
    ]);
    expect(await listIds(account, invoiceList, { q: 'marta' })).toEqual(['1', '2']);
    expect(await listIds(other, invoiceList, { q: 'marta' })).toEqual(['1', '2']);
    expect(await listIds(third, invoiceList, { q: 'h4_marta' })).toEqual(['8', '9']);
    const { results } = await account.db.$client
      .prepare(`SELECT count(*) AS n FROM invoice_search WHERE invoice_search MATCH '"h4_marta"'`)
      .all<{ n: number }>();
    expect(results).toEqual([{ n: 2 }]);
  });
});

describe('a filter with more matches than can be sorted', () => {
  it('pages through all rows forwards, backwards and to any page number', async () => {
    const account = await makeListAccount();
    const rows: InvoiceSeed[] = Array.from({ length: 1400 }, (_, index) => ({
      invoiceId: String(5000 + index),
      number: `INV-${index}`,
      status: index % 20 === 0 ? 'paid' : 'open',
      dueDate: `2026-0${1 + (index % 9)}-01`,
      companyName: 'Acme',
    }));
    await account.addInvoices(rows);
    const expected = rows
      .filter(({ status }) => status === 'open')
      .sort((a, b) => (a.dueDate ?? '').localeCompare(b.dueDate ?? '') || Number(a.invoiceId) - Number(b.invoiceId))
      .map(({ invoiceId }) => invoiceId);
    for (const filter of [
      { statuses: ['open'] },
      { statuses: ['open'], q: 'acme' },
      { statuses: ['open'], ranges: rangeFilter('hs_due_date', '2026-01-01', null) },
    ]) {
      const view = listView({ sort: 'hs_due_date', size: 100, ...filter });
      const readIds: string[] = [];
      let page = await readListPage(account.db, invoiceList, account.claim, account.now, view);
      expect(page?.total).toBe(1330);
      for (; page; ) {
        readIds.push(...page.rows.map((row) => String(row.invoice_id)));
        const cursor = page.next;
        page =
          cursor &&
          (await readListPage(account.db, invoiceList, account.claim, account.now, {
            ...view,
            page: cursor.page,
            cursor,
          }));
      }
      expect(readIds).toEqual(expected);
      for (const number of [2, 7, 13, 14]) {
        const byNumber = await readListPage(account.db, invoiceList, account.claim, account.now, {
          ...view,
          page: number,
        });
        expect(byNumber?.rows.map((row) => row.invoice_id)).toEqual(expected.slice((number - 1) * 100, number * 100));
        const cursor = byNumber?.previous ?? null;
        const previousPage = await readListPage(account.db, invoiceList, account.claim, account.now, {
          ...view,
          page: number - 1,
          cursor,
        });
        expect(previousPage?.rows.map((row) => row.invoice_id)).toEqual(
          expected.slice((number - 2) * 100, (number - 1) * 100),
        );
      }
    }
  });
});

describe('row counts of a filtered list', () => {
  const MAX_COUNT = 10_000;
  const size = 100;
  const filters: Partial<ListView>[] = [{ ranges: rangeFilter('hs_due_date', '2000-01-01', null) }, { q: 'inv' }];

  async function makeAccount(count: number) {
    const account = await makeListAccount();
    await account.addAlike(count);
    const read = (view: Partial<ListView>) =>
      readListPage(account.db, invoiceList, account.claim, account.now, listView({ sort: 'id', size, ...view }));
    return { ...account, read };
  }

  it('are exact up to 10,000, and marked as incomplete above that', async () => {
    const account = await makeAccount(MAX_COUNT);
    for (const filter of filters) expect(await account.read(filter)).toMatchObject({ total: MAX_COUNT, isMore: false });
    await account.addInvoices([{ invoiceId: '9', number: 'INV-9', dueDate: '2026-01-01' }]);
    for (const filter of filters) expect(await account.read(filter)).toMatchObject({ total: MAX_COUNT, isMore: true });
    // Triggers maintain these numbers, so they are exact.
    for (const filter of [{}, { statuses: ['open'] }])
      expect(await account.read(filter)).toMatchObject({ total: MAX_COUNT + 1, isMore: false });
  });

  it('allow paging by number up to the count, and by cursor after that', async () => {
    const account = await makeAccount(MAX_COUNT + 150);
    const pages = MAX_COUNT / size;
    for (const filter of filters) {
      const last = await account.read({ ...filter, page: pages });
      expect(last?.rows[0]?.number).toBe(`INV-${MAX_COUNT - size}`);
      const cursor = last?.next ?? null;
      const beyond = await account.read({ ...filter, page: pages + 1, cursor });
      expect(beyond?.rows[0]?.number).toBe(`INV-${MAX_COUNT}`);
      expect(beyond).toMatchObject({ total: MAX_COUNT, isMore: true });
      expect(await account.read({ ...filter, page: pages + 1 })).toMatchObject({
        rows: [],
        total: MAX_COUNT,
        isMore: true,
      });
    }
  });

  it('are correct for a page beyond the last one, which has no rows', async () => {
    const account = await makeAccount(1500);
    for (const filter of filters) {
      expect(await account.read({ ...filter, page: 15 })).toMatchObject({
        rows: { length: size },
        total: 1500,
        next: null,
      });
      expect(await account.read({ ...filter, page: 16 })).toMatchObject({ rows: [], total: 1500, isMore: false });
    }
  });
});
