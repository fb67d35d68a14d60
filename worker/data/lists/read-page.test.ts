import { describe, expect, it } from 'vitest';
import {
  type ContactSeed,
  type InvoiceSeed,
  type ListAccount,
  listView,
  makeListAccount,
} from '#tests/support/unit/lists';
import { customerList } from './customers.ts';
import type { ListDescription, ListRow, ListView } from './description.ts';
import { invoiceList, openInvoiceList } from './invoices.ts';
import { type ListPage, MAX_SORTED, readListPage } from './read-page.ts';

async function readPage(account: ListAccount, list: ListDescription, view: ListView): Promise<ListPage> {
  const page = await readListPage(account.db, list, account.claim, account.now, view);
  if (!page) throw new Error('no session');
  return page;
}

const idOf = (row: Record<string, unknown>) => String(row.invoice_id ?? row.contact_id);
const idsOn = ({ rows }: ListPage) => rows.map(idOf);

/** All ids of a list, read forwards by each page's `next`. */
async function walkForward(account: ListAccount, list: ListDescription, view: ListView): Promise<string[]> {
  const allIds: string[] = [];
  for (let next: ListView | null = { ...view, page: 1, cursor: null }; next; ) {
    const page: ListPage = await readPage(account, list, next);
    allIds.push(...idsOn(page));
    next = page.next && { ...view, page: page.next.page, cursor: page.next };
  }
  return allIds;
}

/** All ids of a list, read from the last page back to the first. */
async function walkBackward(
  account: ListAccount,
  list: ListDescription,
  view: ListView,
  pages: number,
): Promise<string[]> {
  const allIds: string[] = [];
  for (let next: ListView | null = { ...view, page: pages, cursor: null }; next; ) {
    const page: ListPage = await readPage(account, list, next);
    allIds.unshift(...idsOn(page));
    next = page.previous && { ...view, page: page.previous.page, cursor: page.previous };
  }
  return allIds;
}

// Values repeat, are missing or differ only in case, ids differ in length, and two records were deleted in the CRM.
const pick = <T>(values: readonly T[], index: number): T => values[index % values.length] as T;
const STATUSES = ['open', 'paid', 'draft', 'voided', 'open', 'open'] as const;
const LOCAL_STATUSES = ['none', 'none', 'none', 'none', 'paid', 'none', 'submitted'] as const;
const invoiceRows = (count: number): InvoiceSeed[] =>
  Array.from({ length: count }, (_, index) => ({
    invoiceId: String(95 + index * 7),
    number: pick(['INV-2', 'inv-10', 'INV-1', '', 'Ünal 7'], index * 3),
    status: pick(STATUSES, index),
    localStatus: pick(LOCAL_STATUSES, index),
    balanceCents: pick([null, 0, 1250, 1250, -300, 99_999_999], index),
    billedCents: pick([null, 1250, 0, 700], index),
    dueDate: pick([null, '2026-01-31', '2026-01-31', '2025-12-01', '2027-05-05'], index),
    createdAt: pick([0, 5, 5, 9], index),
    modifiedAt: pick([0, 7, 7, 3], index),
    contactId: String(pick([1, 2, 3], index)),
    contactFirstName: pick(['Zoe', 'adam', 'Adam', ''], index),
    contactLastName: pick(['', 'Núñez', 'núñez', 'Abel'], index + 1),
    companyName: pick(['', 'acme', 'ACME', 'Borg'], index),
    deletedAt: index === 4 || index === 11 ? 1 : null,
  }));
const isListed = (list: ListDescription, { deletedAt, localStatus, status = '' }: InvoiceSeed) =>
  deletedAt === null && (list === invoiceList || localStatus !== 'none' || ['open', 'paid'].includes(status));
const contactRows = (count: number): ContactSeed[] =>
  Array.from({ length: count }, (_, index) => ({
    contactId: String(95 + index * 7),
    firstName: pick(['Zoe', 'adam', 'Adam', ''], index),
    lastName: pick(['', 'Núñez', 'núñez'], index),
    email: pick(['', 'a@b.example', 'A@b.example'], index),
    phone: pick(['', '+1 317', '555'], index),
    company: pick(['', 'acme', 'ACME'], index),
    deletedAt: index === 4 ? 1 : null,
  }));

const orders = [invoiceList, openInvoiceList, customerList].flatMap((list) =>
  Object.keys(list.sorts).flatMap((sort) =>
    [false, true].map((isDescending) => ({
      list,
      sort,
      isDescending,
      named: `${list.name} ${isDescending ? '-' : ''}${sort}`,
    })),
  ),
);

async function makeSmallAccount() {
  const account = await makeListAccount();
  await account.addInvoices(invoiceRows(37));
  await account.addContacts(contactRows(37));
  return account;
}

/** The order of the indexes. Case is ignored, missing values come first, and equal values are ordered by id. */
function isBefore(low: ListRow, high: ListRow): boolean {
  const fold = ({ sort_key: key }: ListRow) =>
    typeof key === 'string' ? key.replace(/[A-Z]/g, (char) => char.toLowerCase()) : key;
  return fold(low) < fold(high) || (fold(low) === fold(high) && low.id_number < high.id_number);
}

describe('every list in every order', () => {
  it.each(orders)(
    'shows each row once and in order, forwards, backwards and by page number: $named',
    async ({ list, sort, isDescending }) => {
      const account = await makeSmallAccount();
      // Rows of another account with the same ids are never returned.
      const other = await makeListAccount();
      await other.addInvoices(invoiceRows(20).map((row) => ({ ...row, number: 'foreign' })));
      await other.addContacts(contactRows(20).map((row) => ({ ...row, email: 'foreign' })));
      const view = listView({ sort, isDescending, size: 5 });
      const { rows, total } = await readPage(account, list, { ...view, size: 100 });
      const ids = rows.map(idOf);
      expect(new Set(ids).size).toBe(total);
      expect(total).toBe(list === customerList ? 36 : invoiceRows(37).filter((row) => isListed(list, row)).length);
      expect(JSON.stringify(rows)).not.toContain('foreign');
      for (const [index, row] of rows.entries()) {
        const previousRow = rows[index - 1];
        if (previousRow) expect(isDescending ? isBefore(row, previousRow) : isBefore(previousRow, row)).toBe(true);
      }

      expect(await walkForward(account, list, view)).toEqual(ids);
      const pages = Math.ceil(total / view.size);
      expect(await walkBackward(account, list, view, pages)).toEqual(ids);
      for (let page = 1; page <= pages; page++) {
        const byNumber = await readPage(account, list, { ...view, page });
        expect(idsOn(byNumber)).toEqual(ids.slice((page - 1) * 5, page * 5));
      }
      expect(idsOn(await readPage(account, list, { ...view, page: pages + 1 }))).toEqual([]);
    },
  );
});

describe('the list counts', () => {
  it('follow every change of the rows', async () => {
    const account = await makeSmallAccount();
    const counts = async () => {
      const { results } = await account.db.$client
        .prepare('SELECT list, status, n FROM list_counts WHERE account_id = ?')
        .bind(account.accountId)
        .all<{ list: string; status: string; n: number }>();
      return Object.fromEntries(
        results.filter(({ n }) => n !== 0).map(({ list, status, n }) => [`${list} ${status}`, n]),
      );
    };
    const recount = async () => {
      const { results } = await account.db.$client
        .prepare(
          `SELECT list || ' ' || status AS name, count(*) AS n FROM invoice_tallies WHERE account_id = ?1 GROUP BY 1
           UNION ALL SELECT 'customers *', count(*) FROM contacts WHERE account_id = ?1 AND deleted_at IS NULL`,
        )
        .bind(account.accountId)
        .all<{ name: string; n: number }>();
      return Object.fromEntries(results.filter(({ n }) => n !== 0).map(({ name, n }) => [name, n]));
    };
    const changes = [
      "UPDATE invoices SET local_status = 'paid' WHERE status = 'open' AND id_number % 2 = 0",
      "UPDATE invoices SET local_status = 'none'",
      'UPDATE invoices SET deleted_at = 5 WHERE id_number % 3 = 0',
      'UPDATE invoices SET deleted_at = NULL',
      "UPDATE invoices SET status = 'paid' WHERE status = 'draft'",
      `INSERT INTO invoices (account_id, invoice_id, number, status, currency, read_at) SELECT account_id, invoice_id, number, 'voided', 'USD', 1
       FROM invoices WHERE id_number < 130 ON CONFLICT (account_id, invoice_id) DO UPDATE SET status = excluded.status`,
      'DELETE FROM invoices WHERE id_number % 5 = 0',
      'UPDATE contacts SET deleted_at = 5 WHERE id_number % 3 = 0',
      'UPDATE contacts SET deleted_at = 6',
      'UPDATE contacts SET deleted_at = NULL WHERE id_number % 2 = 0',
      'DELETE FROM contacts WHERE id_number % 5 = 0',
    ];
    expect(await counts()).toEqual(await recount());
    for (const change of changes) {
      await account.db.$client.prepare(change).run();
      expect(await counts(), change).toEqual(await recount());
    }
  });
});

describe('a list', () => {
  it('returns nothing once the session has ended, was revoked or belongs to another account', async () => {
    const account = await makeSmallAccount();
    const view = listView({ sort: 'id' });
    const end = account.now + 3_600_000;
    expect(await readListPage(account.db, invoiceList, account.claim, end - 1, view)).not.toBeNull();
    expect(await readListPage(account.db, invoiceList, account.claim, end, view)).toBeNull();
    const other = await makeListAccount();
    expect(
      await readListPage(account.db, invoiceList, { ...other.claim, accountId: account.accountId }, account.now, view),
    ).toBeNull();
    await account.db.$client.prepare('UPDATE sessions SET revoked_at = 1').run();
    expect(await readListPage(account.db, invoiceList, account.claim, account.now, view)).toBeNull();
  });
});

describe('a search for customers by name', () => {
  const people = (...names: [first: string, last: string, company?: string][]) =>
    names.map(([firstName, lastName, company = ''], index) => ({
      contactId: String(index + 1),
      firstName,
      lastName,
      company,
    }));

  it('lists matches by name before matches by company, on every page', async () => {
    const account = await makeListAccount();
    await account.addContacts(
      people(
        ['Ivy', 'Abel', 'Hartley Books'],
        ['Tom', 'Hártley'],
        ['Ivy', 'Cole', 'Hartley Books'],
        ['Zoe', 'Hartley'],
      ),
    );
    const search = listView({ sort: 'name', q: 'hartley', size: 3 });
    const first = await readPage(account, customerList, search);
    expect(idsOn(first)).toEqual(['2', '4', '1']);
    expect(first.total).toBe(4);
    expect(idsOn(await readPage(account, customerList, { ...search, page: 2 }))).toEqual(['3']);
    expect(idsOn(await readPage(account, customerList, { ...search, page: 3 }))).toEqual([]);
    expect(idsOn(await readPage(account, customerList, { ...search, sort: 'company', size: 10 }))).toEqual([
      '2',
      '4',
      '1',
      '3',
    ]);
    expect(idsOn(await readPage(account, customerList, { ...search, isDescending: true, size: 10 }))).toEqual([
      '4',
      '2',
      '3',
      '1',
    ]);
  });

  it('lists a full match by name first, even if companies contain one of its words', async () => {
    const account = await makeListAccount();
    await account.addContacts(
      people(['Marta', 'Kowalski', 'Nunez Studio LLC'], ['Marta', 'Núñez'], ['Marta', 'Osei', 'Nunez Studio LLC']),
    );
    expect(idsOn(await readPage(account, customerList, listView({ sort: 'name', q: 'marta nunez' })))).toEqual([
      '2',
      '1',
      '3',
    ]);
  });

  it('lists more matches than can be sorted in alphabetical order, each row once', async () => {
    const account = await makeListAccount();
    const count = MAX_SORTED + 5;
    await account.addContacts(
      Array.from({ length: count }, (_, index) => ({
        contactId: String(index + 1),
        firstName: 'Ann',
        company: 'Acme',
      })),
    );
    const view = listView({ sort: 'name', q: 'acme', size: 50 });
    expect((await readPage(account, customerList, view)).total).toBe(count);
    expect(new Set(await walkForward(account, customerList, view)).size).toBe(count);
  });
});

describe('open invoices sorted by status', () => {
  it('begin with owed invoices, earliest due date first; other statuses list the latest due date first', async () => {
    const account = await makeListAccount();
    const owed = { status: 'open', balanceCents: 100 };
    await account.addInvoices([
      { invoiceId: '1', status: 'paid', balanceCents: 0, dueDate: '2026-01-01' },
      { invoiceId: '2', ...owed, dueDate: '2026-03-01' },
      { invoiceId: '3', status: 'paid', balanceCents: 0, dueDate: '2026-02-01' },
      { invoiceId: '4', ...owed, dueDate: '2026-01-15' },
      { invoiceId: '5', ...owed, dueDate: null },
      { invoiceId: '6', status: 'open', balanceCents: 0, dueDate: '2025-01-01' },
      { invoiceId: '7', ...owed, localStatus: 'submitted', dueDate: '2025-01-01' },
    ]);
    const order = async (overrides: Partial<ListView> = {}) =>
      idsOn(await readPage(account, openInvoiceList, { ...listView({ sort: 'status', size: 10 }), ...overrides }));
    expect(await order()).toEqual(['4', '2', '5', '6', '3', '1', '7']);
    expect(await order({ statuses: ['open'] })).toEqual(['4', '2', '5', '6']);
    expect(await order({ statuses: ['paid'] })).toEqual(['3', '1']);
  });

  it('keep this order in both directions when a status has more rows than can be sorted', async () => {
    const account = await makeListAccount();
    const count = MAX_SORTED + 5;
    await account.addInvoices(
      Array.from({ length: count }, (_, index) => ({
        invoiceId: String(index + 1),
        status: 'open',
        balanceCents: index === 0 ? 0 : 100,
        dueDate: `2026-01-${String(28 - (index % 28)).padStart(2, '0')}`,
      })),
    );
    await account.addInvoices([{ invoiceId: '9999', status: 'paid', balanceCents: 0, dueDate: '2026-01-01' }]);
    const page = async (isDescending: boolean) =>
      idsOn(
        await readPage(account, openInvoiceList, {
          ...listView({ sort: 'status', isDescending, size: 2 }),
          statuses: ['open'],
        }),
      );
    expect(await page(false)).toEqual(['28', '56']);
    // The first invoice has nothing left to pay.
    expect((await page(true))[0]).toBe('1');
  });
});
