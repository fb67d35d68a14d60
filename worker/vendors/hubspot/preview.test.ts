import { afterEach, describe, expect, it, vi } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { clearFaults, control, newInvoice, sandboxUrl } from '#tests/support/wire';
import { createHubSpot } from './hubspot.ts';
import { lineOf } from './lines.ts';

const crm = () =>
  createHubSpot({
    baseUrl: sandboxUrl(),
    authorizeBase: sandboxUrl(),
    redirectUri: 'http://localhost:8787/oauth',
    clientId: crmApp.clientId,
    clientSecret: crmApp.clientSecret,
    timeoutMs: 5000,
  });
const token = async () => (await crm().refreshTokens(hubs[0].refreshToken)).accessToken;
const readSheet = async (fields: Record<string, unknown>) => {
  const sheet = await crm().getInvoiceSheet(await token(), await newInvoice(fields), 'UTC');
  if (!sheet) throw new Error('the invoice is not there');
  return sheet;
};

afterEach(async () => {
  vi.unstubAllGlobals();
  await clearFaults();
});

describe('a printed invoice', () => {
  it('has its lines in order, its recipient and the same fields as a plain read', async () => {
    const address = { address: '7 Pine Rd', city: 'Fishers', state: 'IN', zip: '46037' };
    const id = await newInvoice({
      contact: { firstname: 'Marta', lastname: 'Núñez', email: 'marta@example.test', ...address },
      line_items: [
        { name: 'Exam', price: '64.00', quantity: '1' },
        { name: 'X-ray', price: '60.00', quantity: '2' },
      ],
    });
    const access = await token();
    const sheet = await crm().getInvoiceSheet(access, id, 'UTC');
    expect(sheet?.invoice).toEqual(await crm().getInvoice(access, id, { timeZone: 'UTC' }));
    expect(sheet?.customerAddress).toEqual(address);
    expect(sheet?.lines).toEqual([
      { id: expect.stringMatching(/^\d+$/), name: 'Exam', unitPrice: '64.00', quantity: '1', totalCents: 6400 },
      { id: expect.stringMatching(/^\d+$/), name: 'X-ray', unitPrice: '60.00', quantity: '2', totalCents: 12_000 },
    ]);
    expect(new Set(Object.values(sheet?.own ?? {}))).toEqual(new Set(['']));
  });

  it('has all its lines, even if there are more than a batch read returns', async () => {
    const line_items = Array.from({ length: 120 }, (_, n) => ({ name: `Tray ${n + 1}`, price: '9.75', quantity: '1' }));
    const { lines } = await readSheet({ line_items });
    expect(lines.map(({ name }) => name)).toEqual(line_items.map(({ name }) => name));
  });

  it('has no lines and no contact when the CRM has none', async () => {
    const sheet = await readSheet({ line_items: [], contact: null, company: null });
    expect(sheet.lines).toEqual([]);
    expect(sheet.customerAddress).toEqual({ address: '', city: '', state: '', zip: '' });
  });

  it('uses the address and names stored on the invoice itself', async () => {
    const sheet = await readSheet({
      contact: { firstname: 'Marta', city: 'Fishers' },
      properties: { hs_recipient_shipping_address: '9 Oak Ave', clinic_name: 'Maple Street Dental, North' },
    });
    expect(sheet.customerAddress).toEqual({ address: '9 Oak Ave', city: '', state: '', zip: '' });
    expect(sheet.own.clinic_name).toBe('Maple Street Dental, North');
  });

  it.each([
    ['true', true],
    ['false', false],
    ['', null],
  ])('reports whether the account allows installments: %j', async (value, allowsParts) => {
    expect(await readSheet({ properties: value ? { hs_allow_partial_payments: value } : {} })).toMatchObject({
      allowsParts,
    });
  });

  it('is null when the account has no such invoice', async () => {
    expect(await crm().getInvoiceSheet(await token(), '999999999999', 'UTC')).toBeNull();
  });

  it('is read over several pages of line links', async () => {
    const id = await newInvoice({ line_items: [{ name: 'One', price: '1.00' }] });
    const access = await token();
    const realFetch = fetch;
    const cursors: unknown[] = [];
    const linkTo = (n: number) => ({ toObjectId: n, associationTypes: [] });
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      if (url.includes('/line_items/batch/read') && url.includes('/associations/')) {
        const { inputs } = JSON.parse(String(init.body)) as { inputs: { after?: string }[] };
        cursors.push(inputs[0]?.after);
        const paging = inputs[0]?.after ? {} : { paging: { next: { after: '2' } } };
        return Response.json({
          results: [
            { from: { id }, to: inputs[0]?.after ? [linkTo(2), linkTo(3)] : [linkTo(1), linkTo(2)], ...paging },
          ],
        });
      }
      if (url.includes('/line_items/batch/read')) {
        const { inputs } = JSON.parse(String(init.body)) as { inputs: { id: string }[] };
        return Response.json({
          results: inputs.map((input) => ({ ...input, properties: { name: input.id } })).reverse(),
        });
      }
      return realFetch(url, init);
    });
    const sheet = await crm().getInvoiceSheet(access, id, 'UTC');
    expect(cursors).toEqual([undefined, '2']);
    expect(sheet?.lines.map(({ name }) => name)).toEqual(['1', '2', '3']);
  });

  it.each(['500', 'html-502', 'drop-before', 'bad-json'])(
    'is unavailable while the CRM fails with %s',
    async (kind) => {
      const [id, access] = [await newInvoice(), await token()];
      await control('faults', { on: '/crm/associations/2026-09/invoices/line_items', do: kind, times: 20 });
      await expect(crm().getInvoiceSheet(access, id, 'UTC')).rejects.toEqual(
        expect.objectContaining({ reason: 'unavailable' }),
      );
    },
  );
});

describe('a CRM invoice line', () => {
  const line = (properties: Record<string, string | null>) => {
    const { unitPrice, quantity, totalCents } = lineOf({ id: '1', properties });
    return [unitPrice, quantity, totalCents];
  };

  it.each([
    ['the price unchanged', { price: '10', quantity: '3', amount: '30.00' }, ['10.00', '3', 3000]],
    ['the price without a total', { price: '9.5', quantity: '2', amount: null }, ['9.50', '2', 1900]],
    ['a share of the total without a price', { price: null, quantity: '4', amount: '30' }, ['7.50', '4', 3000]],
    ['the unit price after the discount', { price: '60', quantity: '3', amount: '150' }, ['50.00', '3', 15_000]],
    [
      'as many decimals as the total requires',
      { price: null, quantity: '3', amount: '100' },
      ['33.333333', '3', 10_000],
    ],
    ['a price in fractions of a cent', { price: '0.125', quantity: '8', amount: '1.00' }, ['0.125', '8', 100]],
    ['hours with decimals', { price: '80.00', quantity: '1.75', amount: '140.00' }, ['80.00', '1.75', 14_000]],
    ['the price without a quantity', { price: '85', quantity: null, amount: '85' }, ['85.00', null, 8500]],
    ['the total for an empty quantity', { price: null, quantity: '', amount: '85' }, ['85.00', null, 8500]],
    ['a quantity of zero', { price: '20', quantity: '0', amount: '0.00' }, ['20.00', '0', 0]],
    ['a deduction', { price: '-15.00', quantity: '1', amount: '-15.00' }, ['-15.00', '1', -1500]],
    ['nothing for unreadable numbers', { price: 'free', quantity: '1', amount: 'n/a' }, [null, '1', null]],
    ['nothing without values', { price: null, quantity: null, amount: null }, [null, null, null]],
  ])('shows %s', (_case, properties, expected) => expect(line(properties)).toEqual(expected));

  it('has a unit price that multiplied by its quantity equals the total to the cent', () => {
    for (let n = 1; n <= 400; n++) {
      const [cents, quantity] = [n * 7919, (n % 97) + 1];
      const amount = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
      const { unitPrice } = lineOf({ id: '1', properties: { price: '999.00', quantity: String(quantity), amount } });
      expect(Math.round(Number(unitPrice) * quantity * 100), `${amount} / ${quantity}`).toBe(cents);
    }
  });
});
