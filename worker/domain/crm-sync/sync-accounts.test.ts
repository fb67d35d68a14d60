import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { type CopyWorld, makeCopyWorld } from '#tests/support/unit/sync-world';
import { clearFaults, control, newInvoice, writeCrm } from '#tests/support/wire';
import { invoices, syncCursors } from '#worker/data/schema/schema';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { readSyncState } from './state.ts';
import { syncAccount } from './sync-accounts.ts';

afterEach(clearFaults);

/** Facts on which a row and the CRM's record must agree. */
const facts = (invoice: {
  balanceCents: number | null;
  billedCents: number | null;
  status: string;
  contactId: string;
}) => [invoice.balanceCents, invoice.billedCents, invoice.status, invoice.contactId];

async function expectWholeCopy(world: CopyWorld) {
  const rows = await world.invoices();
  const contactOf = new Map(rows.map(({ invoiceId, contactId }) => [invoiceId, contactId]));
  // Of several contacts, one with an email address is stored.
  const crmInvoices = (await world.invoicesInCrm()).map((invoice) => ({
    ...invoice,
    contactId: invoice.otherContactIds.find((id) => id === contactOf.get(invoice.id)) ?? invoice.contactId,
  }));
  expect(Object.fromEntries(rows.map((row) => [row.invoiceId, facts(row)]))).toEqual(
    Object.fromEntries(crmInvoices.map((invoice) => [invoice.id, facts(invoice)])),
  );
  const counts = await world.inCrm();
  expect(rows).toHaveLength(counts.invoices);
  expect(await world.contacts()).toHaveLength(counts.contacts);
  expect(await world.companies()).toHaveLength(counts.companies);
}

describe('the first sync of an account', () => {
  it('imports every CRM record once and reports that it is complete', async () => {
    const world = await makeCopyWorld();
    expect(await readSyncState(world.deps, world.accountId)).toMatchObject({
      asOf: null,
      isEmpty: true,
      isDue: true,
      progress: { copied: 0 },
    });
    const startedAt = world.deps.now();
    expect(await world.sync()).toBe('finished');
    await expectWholeCopy(world);
    const state = await readSyncState(world.deps, world.accountId);
    // isDue is omitted, because it depends on the time since the last run.
    expect(state).toMatchObject({ asOf: expect.any(Number), isStale: false, progress: null, isEmpty: false });
    expect(state.asOf).toBeGreaterThanOrEqual(startedAt);
  });

  it('leaves table statistics in the database', async () => {
    const world = await makeCopyWorld();
    const tablesWithStatistics = async () => {
      const { results } = await world.db.$client
        .prepare("SELECT name FROM sqlite_master WHERE name = 'sqlite_stat1'")
        .all();
      if (results.length === 0) return [];
      const tables = await world.db.$client.prepare('SELECT DISTINCT tbl FROM sqlite_stat1').all<{ tbl: string }>();
      return tables.results.map(({ tbl }) => tbl);
    };
    expect(await tablesWithStatistics()).toEqual([]);
    expect(await world.sync()).toBe('finished');
    expect(await tablesWithStatistics()).toEqual(expect.arrayContaining(['invoices', 'contacts', 'companies']));
  });

  it('joins names and addresses, and leaves them empty when there are none', async () => {
    const world = await makeCopyWorld();
    const [completeId, bareId] = [
      await newInvoice(
        {
          contact: { firstname: 'Marta', lastname: 'Núñez', email: 'marta@example.test' },
          company: { name: 'Núñez Studio LLC', city: 'Carmel' },
          properties: { hs_recipient_company_address: '9 Oak Ave', hs_recipient_company_city: 'Elsewhere' },
        },
        world.accountId,
      ),
      await newInvoice({ contact: null, company: null, balance: null }, world.accountId),
    ];
    await world.sync();
    expect(await world.invoice(completeId)).toMatchObject({
      contactFirstName: 'Marta',
      contactLastName: 'Núñez',
      contactEmail: 'marta@example.test',
      companyName: 'Núñez Studio LLC',
      companyAddress: '9 Oak Ave',
      companyCity: 'Carmel',
    });
    expect(await world.invoice(bareId)).toMatchObject({
      contactId: '',
      contactEmail: '',
      companyName: '',
      balanceCents: null,
    });
  });

  it('stores an invoice exactly as a single read does', async () => {
    const world = await makeCopyWorld();
    // 19:30 on March 4 in Los Angeles.
    const properties = { hs_recipient_company_zip: '46033', hs_due_date: '2026-03-05T03:30:00Z' };
    const contact = { firstname: 'Ada', lastname: 'Moss', email: '' };
    const id = await newInvoice({ properties, contact }, world.accountId);
    const second = { properties: { firstname: 'Ben', lastname: 'Moss', email: 'ben@example.test' } };
    const ben = await writeCrm<{ id: string }>('POST', '/crm/v3/objects/contacts', second, world.account);
    const link = `/crm/v4/objects/invoices/${id}/associations/default/contacts/${ben.id}`;
    await writeCrm('PUT', link, undefined, world.account);
    await world.sync();
    const copied = await world.invoice(id);
    expect(copied).toMatchObject({ contactFirstName: 'Ben', contactEmail: 'ben@example.test', dueDate: '2026-03-04' });
    await issuePayLink(world.deps, world.accountId, id);
    const readInvoice = await world.invoice(id);
    expect(copied).toEqual({ ...readInvoice, readAt: expect.any(Number) });
  });

  it('begins with the newest invoices and customers', async () => {
    const world = await makeCopyWorld();
    const id = await newInvoice({}, world.accountId);
    const { countRecords } = world.deps.crm;
    world.deps.crm.countRecords = () => Promise.reject(new Error('the lights went out'));
    expect(await world.sync()).toBe('failed');
    const row = await world.invoice(id);
    expect(row?.contactEmail).not.toBe('');
    expect((await world.contacts()).length).toBeGreaterThan(0);
    expect(await readSyncState(world.deps, world.accountId)).toMatchObject({ isEmpty: false });
    world.deps.crm.countRecords = countRecords;
    expect(await world.sync()).toBe('finished');
    await expectWholeCopy(world);
  });

  it('keeps two accounts with the same record ids apart', async () => {
    const [harbor, maple] = [await makeCopyWorld(1), await makeCopyWorld(0)];
    await harbor.sync();
    const harborInvoices = await harbor.invoices();
    await maple.sync();
    expect(await harbor.invoices()).toEqual(harborInvoices);
    await expectWholeCopy(harbor);
    await expectWholeCopy(maple);
    const sharedInvoices = (await maple.invoices()).filter((row) =>
      harborInvoices.some(({ invoiceId }) => invoiceId === row.invoiceId),
    );
    expect(sharedInvoices.length).toBeGreaterThan(40);
    expect(
      sharedInvoices.every((row) =>
        harborInvoices.every((other) => other.number === '' || other.number !== row.number),
      ),
    ).toBe(true);
  });
});

describe('an interrupted sync', () => {
  /** Starts a run that hangs after `pages` pages, as if its Worker were killed. */
  async function hangAfter(world: CopyWorld, pages: number) {
    const { listRecords } = world.deps.crm;
    let requests = 0;
    world.deps.crm.listRecords = (async (...values: Parameters<typeof listRecords>) => {
      if (++requests > pages) return new Promise(() => undefined);
      return listRecords(...values);
    }) as typeof listRecords;
    void syncAccount(world.deps, world.accountId);
    await expect.poll(() => requests, { timeout: 20_000 }).toBe(pages + 1);
    world.deps.crm.listRecords = listRecords;
  }

  it.each([0, 1, 3])(
    'resumes after %i pages once its lease ends, not before, and imports everything',
    async (pages) => {
      const world = await makeCopyWorld();
      await control(`hubs/${world.accountId}/invoices`, { count: 60 });
      await hangAfter(world, pages);
      const { copied: done } = await world.copy();
      await world.makeSyncDue();
      expect(await syncAccount(world.deps, world.accountId)).toBe('busy');
      world.clock.ahead += 46_000;
      world.calls.splice(0);
      expect(await syncAccount(world.deps, world.accountId)).toBe('finished');
      await expectWholeCopy(world);
      const { copied, expected } = await world.copy();
      expect(copied).toBe(expected);
      const pagesLeft = world.calls.filter((call) => call.startsWith('listRecords')).length;
      if (pages > 0) expect(done).toBeGreaterThan(0);
      expect(pagesLeft).toBeLessThanOrEqual(Math.ceil((copied - done) / 100) + 3);
    },
  );

  it('does not move the cursors of a run that took over', async () => {
    const world = await makeCopyWorld();
    const { listRecords } = world.deps.crm;
    let wake: (() => void) | undefined;
    world.deps.crm.listRecords = (async (...values: Parameters<typeof listRecords>) => {
      const page = await listRecords(...values);
      if (!wake) await new Promise<void>((resolve) => (wake = resolve));
      return page;
    }) as typeof listRecords;
    const stalledRun = syncAccount(world.deps, world.accountId);
    await expect.poll(() => wake !== undefined, { timeout: 10_000 }).toBe(true);
    await world.makeSyncDue();
    world.clock.ahead += 46_000;
    expect(await syncAccount(world.deps, world.accountId)).toBe('finished');
    const cursors = await world.db.select().from(syncCursors).where(eq(syncCursors.accountId, world.accountId));
    wake?.();
    expect(await stalledRun).toBe('busy');
    expect(await world.db.select().from(syncCursors).where(eq(syncCursors.accountId, world.accountId))).toEqual(
      cursors,
    );
    await expectWholeCopy(world);
  });

  it('takes one step per run when time is short, and still finishes', async () => {
    const world = await makeCopyWorld();
    let turns = 0;
    for (; turns < 40 && (await world.copy()).completeAt === null; turns++) {
      await world.makeSyncDue();
      expect(
        await syncAccount(world.deps, world.accountId, {
          limits: { endsAt: world.deps.now(), calls: { remaining: 250 } },
        }),
      ).toBe('to-be-continued');
      expect((await world.copy()).dueAt).toBeLessThanOrEqual(world.deps.now());
    }
    expect(turns).toBeGreaterThan(6);
    expect(await world.sync()).toBe('finished');
    expect((await world.copy()).dueAt).toBeGreaterThan(world.deps.now());
    await expectWholeCopy(world);
  });
});

describe('syncing an existing invoice', () => {
  it('keeps our own columns and a newer version of the invoice', async () => {
    const world = await makeCopyWorld();
    const [paidId, newerId] = [await newInvoice({}, world.accountId), await newInvoice({}, world.accountId)];
    await world.sync();
    await world.db.update(invoices).set({ localStatus: 'paid', collection: 3 }).where(eq(invoices.invoiceId, paidId));
    await world.db
      .update(invoices)
      .set({ balanceCents: 1, modifiedAt: Date.now() + 60_000 })
      .where(eq(invoices.invoiceId, newerId));
    for (const kind of ['companies', 'contacts', 'invoices'] as const) await world.makePassDue(kind);
    expect(await world.sync()).toBe('finished');
    expect(await world.invoice(paidId)).toMatchObject({ localStatus: 'paid', collection: 3, shownBalanceCents: 0 });
    expect(await world.invoice(newerId)).toMatchObject({ balanceCents: 1 });
  });
});
