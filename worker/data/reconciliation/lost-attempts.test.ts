import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db, eventOf, readAuditActions, rowsOf } from '#tests/support/unit/rows';
import { type FoundAttempt, findChargeOwners, insertFoundAttempts } from './lost-attempts.ts';

beforeEach(async () => {
  await addClinic({ time_zone: 'America/New_York' });
  await add('terminals', { terminal_id: 'web', channel: 'ecommerce' }, { terminal_id: 'desk', channel: 'counter' });
});

describe('the owners of charges', () => {
  beforeEach(async () => {
    await add('invoices', { invoice_id: '1', number: 'INV-1' }, { invoice_id: '2', number: 'INV-2' });
    await add('invoices', { invoice_id: '3', number: 'INV-3', deleted_at: 1 });
  });
  const listOwners = async (...names: string[]) =>
    (await findChargeOwners(db, ACCOUNT, names)).owners.map(({ invoiceId }) => invoiceId).sort();

  it.each([
    ['by their number, in any case', ['inv-1'], ['1']],
    ['by the CRM’s id', ['2'], ['2']],
    ['by both, each once', ['INV-1', '1', '2', '2'], ['1', '2']],
    ['by the number of a deleted invoice, without a result', ['INV-3'], []],
    ['by the id of a deleted invoice', ['3'], ['3']],
    ['by an unknown name, without a result', ['INV-9'], []],
  ])('are searched %s', async (_title, names, expectedIds) => {
    expect(await listOwners(...names)).toEqual(expectedIds);
  });

  it('come with the channels of the terminals and the account’s time zone', async () => {
    const { channels, timeZone } = await findChargeOwners(db, ACCOUNT, []);
    expect([...channels].sort()).toEqual([
      ['desk', 'terminal'],
      ['web', 'link'],
    ]);
    expect(timeZone).toBe('America/New_York');
  });
});

describe('lost attempts', () => {
  const makeLostAttempt = (id: string): { attempt: FoundAttempt; event: ReturnType<typeof eventOf> } => ({
    attempt: {
      id,
      accountId: ACCOUNT,
      invoiceId: id,
      collection: 2,
      part: 1,
      terminalId: 'web',
      channel: 'link',
      method: 'card',
      amountCents: 500,
      currency: 'USD',
      invoiceNumber: 'INV-1',
      dedupeKey: `${id}-2`,
      receiptId: `r${id}`,
      receiptTo: 'a@x.example',
      createdAt: 9,
      timeZone: 'UTC',
      day: '1970-01-01',
      payer: 'N',
    },
    event: eventOf('payment.found'),
  });

  it('go to manual review, and existing ones stay unchanged', async () => {
    await addPayment('b');
    expect(await insertFoundAttempts(db, ['a', 'b', 'c'].map(makeLostAttempt))).toEqual(['a', 'c']);
    expect(await readAuditActions()).toEqual(['payment.found', 'payment.found']);
    expect(await rowsOf('SELECT * FROM payment_attempts ORDER BY id')).toMatchObject([
      {
        id: 'a',
        account_id: ACCOUNT,
        invoice_id: 'a',
        collection: 2,
        state: 'needs_human',
        needs_human_from: '',
        amount_cents: 500,
        payer_last_name: 'N',
        created_at: 9,
        hold_until: 9,
        day: '1970-01-01',
      },
      { id: 'b', state: 'approved', amount_cents: 10_000 },
      { id: 'c', state: 'needs_human' },
    ]);
  });

  it('are all written, regardless of their number', async () => {
    const ids = Array.from({ length: 101 }, (_, at) => `a${at}`);
    expect(await insertFoundAttempts(db, ids.map(makeLostAttempt))).toEqual(ids);
    expect(await readAuditActions()).toHaveLength(101);
  });

  it('need no query when there are none', async () => {
    expect(await insertFoundAttempts({} as typeof db, [])).toEqual([]);
  });
});
