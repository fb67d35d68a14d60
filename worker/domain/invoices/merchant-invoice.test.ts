import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareDesk } from '#tests/support/unit/bare-desk';
import { ACCOUNT } from '#tests/support/unit/rows';
import { payLinks } from '#worker/data/schema/schema';
import { loadMerchantInvoice, readMerchantInvoice } from './merchant-invoice.ts';

const PAY_ID = 'pay-id-of-invoice-one';
const lines = [{ name: 'Filling', quantity: '1', totalCents: 500 }] as never;

async function makeDesk(...setup: Parameters<typeof bareDesk>) {
  const world = await bareDesk(...setup);
  const link = { payId: PAY_ID, accountId: ACCOUNT, invoiceId: '1', issuedAt: 1, endsAt: NOW };
  await world.db.insert(payLinks).values(link);
  const load = (id: string) => loadMerchantInvoice(world.deps, world.manager, id);
  return { ...world, load };
}

describe('loading a merchant’s invoice', () => {
  it.each(['1', PAY_ID])('loads it by %s with its CRM id and the user’s role', async (id) => {
    const { load } = await makeDesk();
    expect(await load(id)).toMatchObject({ invoiceId: '1', role: 'manager', invoice: { invoiceId: '1' } });
  });

  it('loads an id that has never been read, without an invoice row', async () => {
    const { load } = await makeDesk();
    expect(await load('5')).toMatchObject({ invoiceId: '5', role: 'manager', invoice: undefined });
  });

  it.each(['!', 'pay-id-of-nothing-at-all'])('returns nothing for the id %s', async (id) => {
    const { load } = await makeDesk();
    expect(await load(id)).toBeNull();
  });

  it('does not query the database for an invalid id', async () => {
    const { deps, load } = await makeDesk();
    deps.db = {} as never;
    expect(await load('!')).toBeNull();
  });
});

describe('reading a merchant’s invoice in the CRM', () => {
  it('saves the invoice without its lines', async () => {
    const { deps, invoiceRow, load, manager } = await makeDesk({ balanceCents: 9_000, lines });
    const loaded = await load('1');
    if (!loaded) throw new Error('there is no invoice');
    expect(await readMerchantInvoice(deps, manager, loaded)).toMatchObject({ balanceCents: 9_000, lines });
    expect(await invoiceRow()).toMatchObject({ balanceCents: 9_000, billLines: '' });
  });

  it('returns null when the CRM no longer has it, and throws without a connection', async () => {
    const { deps, load, manager } = await makeDesk(null);
    const loaded = await load('1');
    if (!loaded) throw new Error('there is no invoice');
    expect(await readMerchantInvoice(deps, manager, loaded)).toBeNull();
    await expect(readMerchantInvoice(deps, manager, { ...loaded, tokens: undefined })).rejects.toThrow(/no connection/);
  });
});
