import { describe, expect, it } from 'vitest';
import type { TestApp } from '#tests/support/login';
import { preview } from '#tests/support/preview';
import { makeBill, makeClinic, payBill, payIdOf } from '#tests/support/unit/clinic';

/** Makes HubSpot return these amounts from now on (cents). */
function setAmounts({ deps }: TestApp, billedCents: number | null, balanceCents: number | null): void {
  const readSheet = deps.crm.getInvoiceSheet.bind(deps.crm);
  deps.crm.getInvoiceSheet = async (...args) => {
    const sheet = await readSheet(...args);
    return sheet && { ...sheet, invoice: { ...sheet.invoice, billedCents, balanceCents } };
  };
}

describe('an invoice increased in HubSpot after it was paid here', () => {
  it.each([
    ['card', '92.00', 'paid'],
    ['ach', null, 'submitted'],
  ] as const)('shows the amount paid by %s and the increase as an unpaid change', async (method, paid, status) => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ amount: '92.00' });
    await payBill(app, await payIdOf(app, token, id), method);
    expect((await preview(app, token, id)).properties).toMatchObject({
      hs_invoice_status: status,
      amount_paid: paid,
      unpaid_change: null,
    });
    setAmounts(app, 12_000, 12_000);
    expect((await preview(app, token, id)).properties).toMatchObject({
      hs_invoice_status: status,
      hs_amount_billed: '120.00',
      amount_paid: paid,
      unpaid_change: '28.00',
    });
  });

  it('shows no increase when its new balance is unreadable or while it is open', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ amount: '92.00' });
    const payId = await payIdOf(app, token, id);
    setAmounts(app, 12_000, 12_000);
    const openProperties = { hs_invoice_status: 'open', amount_paid: null, unpaid_change: null };
    expect((await preview(app, token, id)).properties).toMatchObject(openProperties);
    await payBill(app, payId);
    setAmounts(app, 12_000, null);
    expect((await preview(app, token, id)).properties).toMatchObject({ amount_paid: '92.00', unpaid_change: null });
  });
});

describe('an invoice partly paid outside the product', () => {
  it('shows the amount paid elsewhere separately from the amount paid here, before and after payment', async () => {
    const { app, token } = await makeClinic();
    const { id } = await makeBill({ amount: '940.00', properties: { hs_amount_paid: '300.00' }, balance: '640.00' });
    const readPreview = async () => (await preview(app, token, id)).properties;
    expect(await readPreview()).toMatchObject({
      hs_balance_due: '640.00',
      amount_paid: null,
      paid_elsewhere: '300.00',
    });
    expect(await payBill(app, await payIdOf(app, token, id))).toBe(200);
    expect(await readPreview()).toMatchObject({
      hs_balance_due: '0.00',
      amount_paid: '640.00',
      paid_elsewhere: '300.00',
      unpaid_change: null,
    });
  });
});
