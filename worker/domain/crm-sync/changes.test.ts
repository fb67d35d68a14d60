import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { type CopyWorld, makeCopyWorld } from '#tests/support/unit/sync-world';
import { clearFaults, control, newInvoice, writeCrm } from '#tests/support/wire';
import { companies, contacts, invoices, syncCursors } from '#worker/data/schema/schema';

afterEach(clearFaults);

const injectFault = (kind: string, times: number | undefined, ms: number, on = 'crm') =>
  control('faults', { on, do: kind, times, ms });
const changeRecord = (world: CopyWorld, kind: string, id: string, properties: Record<string, string>) =>
  writeCrm('PATCH', `/crm/v3/objects/${kind}/${id}`, { properties }, world.account);
const deleteRecord = (world: CopyWorld, kind: string, id: string) =>
  writeCrm('DELETE', `/crm/v3/objects/${kind}/${id}`, undefined, world.account);

/** A synced account with one more invoice. */
async function makeSyncedInvoice(fields: Record<string, unknown> = {}, accountIndex: 1 | 2 = 1) {
  const world = await makeCopyWorld(accountIndex);
  const id = await newInvoice(fields, world.accountId);
  expect(await world.sync()).toBe('finished');
  const row = await world.invoice(id);
  if (!row) throw new Error('the invoice was not copied');
  return { world, id, row };
}

describe('syncing a change from the CRM', () => {
  it('updates an invoice on the next run with no unnecessary calls', async () => {
    const { world, id } = await makeSyncedInvoice();
    await control(`hubs/${world.accountId}/invoices/${id}`, { properties: { hs_balance_due: '12.34' } }, 'PATCH');
    world.calls.splice(0);
    expect(await world.sync()).toBe('finished');
    expect(await world.invoice(id)).toMatchObject({ balanceCents: 1234, billedCents: 18_400 });
    expect(world.calls.filter((call) => call.startsWith('read'))).toEqual([
      'readRecords invoices',
      'readLinks invoices',
      'readLinks invoices',
    ]);
    world.calls.splice(0);
    await world.sync();
    expect(world.calls).toEqual(['listChanged companies', 'listChanged contacts', 'listChanged invoices']);
  });

  it('imports the customer and company of a new invoice', async () => {
    const { world } = await makeSyncedInvoice();
    const id = await newInvoice(
      { contact: { firstname: 'Ada', lastname: 'First' }, company: { name: 'Ada LLC' } },
      world.accountId,
    );
    await world.sync();
    const row = await world.invoice(id);
    expect(row).toMatchObject({ contactFirstName: 'Ada', companyName: 'Ada LLC', deletedAt: null });
    expect((await world.contacts()).filter(({ contactId }) => contactId === row?.contactId)).toHaveLength(1);
  });

  it('applies a change of a customer or company to their invoices', async () => {
    const { world, id, row } = await makeSyncedInvoice({
      contact: { firstname: 'Ada', lastname: 'First', email: 'ada@example.test' },
      company: { name: 'Ada LLC', city: 'Carmel', zip: '46032' },
    });
    const [other] = (await world.invoices()).filter(({ contactId }) => contactId !== row.contactId);
    await changeRecord(world, 'contacts', row.contactId, { lastname: 'Married', email: 'ada.m@example.test' });
    await changeRecord(world, 'companies', row.companyId, { name: 'Ada & Co', city: '' });
    await world.sync();
    expect(await world.invoice(id)).toMatchObject({
      contactFirstName: 'Ada',
      contactLastName: 'Married',
      contactEmail: 'ada.m@example.test',
      companyName: 'Ada & Co',
      companyCity: 'Carmel',
      companyZip: '46032',
    });
    expect(await world.invoice(other?.invoiceId ?? '')).toMatchObject({ contactLastName: other?.contactLastName });
    expect((await world.contacts()).find(({ contactId }) => contactId === row.contactId)?.lastName).toBe('Married');
  });

  it('truncates texts at 4,000 characters and logs their number', async () => {
    const { world, id, row } = await makeSyncedInvoice({ contact: { firstname: 'Ada' }, company: { name: 'Ada LLC' } });
    const loggedFields: unknown[] = [];
    world.deps.log.info = (event, fields) => void (event === 'crm-texts-truncated' && loggedFields.push(fields));
    const longText = 'é'.repeat(4000);
    await changeRecord(world, 'contacts', row.contactId, {
      firstname: `${longText}!`,
      lastname: longText,
      city: `${longText}${longText}`,
    });
    // A character of two UTF-16 units is never split.
    await changeRecord(world, 'companies', row.companyId, { name: `${'x'.repeat(3999)}\u{1f642}\u{1f642}` });
    await world.sync();
    expect(await world.invoice(id)).toMatchObject({
      contactFirstName: longText,
      contactLastName: longText,
      companyName: 'x'.repeat(3999),
    });
    expect((await world.contacts()).find(({ contactId }) => contactId === row.contactId)?.city).toBe(longText);
    expect(loggedFields).toEqual([{ accountId: world.accountId, count: 3 }]);
    loggedFields.splice(0);
    await world.sync();
    expect(loggedFields).toEqual([]);
  });

  it('picks up a change that the CRM’s search lists late', async () => {
    const { world } = await makeSyncedInvoice();
    await injectFault('search-lag', undefined, 90_000);
    const id = await newInvoice({}, world.accountId);
    await world.sync();
    expect(await world.invoice(id)).toBeUndefined();
    world.clock.ahead += 100_000;
    await world.sync();
    expect(await world.invoice(id)).toBeUndefined();
    await clearFaults();
    await world.sync();
    expect(await world.invoice(id)).toBeDefined();
  });

  it('imports thousands of simultaneous changes, continuing where a turn ended', async () => {
    // This uses a separate account, since other tests would find these records among the recent changes.
    const { world } = await makeSyncedInvoice({}, 2);
    const { ids } = await control<{ ids: string[] }>(`hubs/${world.accountId}/invoices`, { count: 1300 });
    for (let turn = 0; turn < 30; turn++) {
      world.clock.ahead += 5000;
      if ((await world.sync()) === 'finished') break;
    }
    const presentIds = new Set(
      (await world.invoices()).filter(({ deletedAt }) => deletedAt === null).map((invoice) => invoice.invoiceId),
    );
    expect(ids.filter((id) => !presentIds.has(id))).toEqual([]);
    const knownContactIds = new Set((await world.contacts()).map(({ contactId }) => contactId));
    expect(
      (await world.invoices()).filter((invoice) => invoice.contactId !== '' && !knownContactIds.has(invoice.contactId)),
    ).toEqual([]);
  }, 60_000);
});

describe('a record deleted from the CRM', () => {
  it('is marked as deleted soon afterwards, and its row stays', async () => {
    const { world, id, row } = await makeSyncedInvoice();
    await deleteRecord(world, 'invoices', id);
    await deleteRecord(world, 'contacts', row.contactId);
    await world.makeDeletionsDue();
    await world.sync();
    expect((await world.invoice(id))?.deletedAt).not.toBeNull();
    expect((await world.contacts()).find(({ contactId }) => contactId === row.contactId)?.deletedAt).not.toBeNull();
    expect((await world.invoices()).filter(({ deletedAt }) => deletedAt !== null)).toHaveLength(1);
  });

  it('is found by a full scan when the CRM does not list it as deleted, and no other record is marked', async () => {
    const { world } = await makeSyncedInvoice();
    const missingInvoice = { accountId: world.accountId, number: 'GHOST', status: 'open', currency: 'USD', readAt: 1 };
    await world.db.insert(invoices).values([
      { ...missingInvoice, invoiceId: '7777' },
      { ...missingInvoice, invoiceId: '8888', localStatus: 'paid' },
    ]);
    await world.db.insert(contacts).values({ accountId: world.accountId, contactId: '7777', readAt: 1 });
    await world.db.insert(companies).values({ accountId: world.accountId, companyId: '7777', readAt: 1 });
    for (const kind of ['companies', 'contacts', 'invoices'] as const) await world.makePassDue(kind);
    expect(await world.sync()).toBe('finished');
    const deletedRows = <T extends { deletedAt: number | null }>(rows: T[]) =>
      rows.filter(({ deletedAt }) => deletedAt !== null);
    expect(deletedRows(await world.invoices()).map(({ invoiceId }) => invoiceId)).toEqual(['7777', '8888']);
    expect(deletedRows(await world.contacts()).map(({ contactId }) => contactId)).toEqual(['7777']);
    expect(deletedRows(await world.companies()).map(({ companyId }) => companyId)).toEqual(['7777']);
    expect(await world.invoice('8888')).toMatchObject({ localStatus: 'paid' });
  });

  it('is restored when the CRM has it again', async () => {
    const { world, id } = await makeSyncedInvoice();
    await world.db.update(invoices).set({ deletedAt: 1 }).where(eq(invoices.invoiceId, id));
    await changeRecord(world, 'invoices', id, { hs_title: 'restored' });
    await world.sync();
    expect((await world.invoice(id))?.deletedAt).toBeNull();
    await world.db.update(invoices).set({ deletedAt: 1 }).where(eq(invoices.invoiceId, id));
    await world.makePassDue('invoices');
    await world.sync();
    expect((await world.invoice(id))?.deletedAt).toBeNull();
  });

  it('is not marked as deleted when a payer read it after the query', async () => {
    const { world, id } = await makeSyncedInvoice();
    const { listArchived } = world.deps.crm;
    world.deps.crm.listArchived = async (token, kind, after) => {
      const page = await listArchived(token, kind, after);
      await world.db
        .update(invoices)
        .set({ readAt: world.deps.now() + 1 })
        .where(eq(invoices.invoiceId, id));
      return { ...page, ids: [...page.ids, id] };
    };
    await world.makeDeletionsDue();
    await world.sync();
    expect((await world.invoice(id))?.deletedAt).toBeNull();
  });
});

describe('a full scan of the CRM', () => {
  it('runs once a day and updates links that changed without their invoice', async () => {
    const { world, id, row } = await makeSyncedInvoice();
    const other = (await world.contacts()).find(({ contactId }) => contactId < row.contactId);
    await writeCrm(
      'PUT',
      `/crm/v4/objects/invoices/${id}/associations/default/contacts/${other?.contactId}`,
      undefined,
      world.account,
    );
    await world.sync();
    expect((await world.invoice(id))?.contactId).toBe(row.contactId);
    world.calls.splice(0);
    await world.sync();
    expect(world.calls.filter((call) => call.startsWith('listRecords'))).toEqual([]);
    await world.makePassDue('invoices');
    await world.sync();
    expect(await world.invoice(id)).toMatchObject({ contactId: other?.contactId, contactLastName: other?.lastName });
    const cursors = await world.db.select().from(syncCursors).where(eq(syncCursors.accountId, world.accountId));
    expect(cursors.map(({ kind, pass, stage }) => [kind, pass, stage]).sort()).toEqual([
      ['companies', 1, 'ended'],
      ['contacts', 1, 'ended'],
      ['invoices', 2, 'ended'],
    ]);
  });
});
