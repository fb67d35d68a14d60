import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld, type World } from '#tests/support/unit/world';
import { readReceipt } from '#worker/domain/mail/receipt';
import { receiptMail } from '#worker/domain/mail/receipt-mail';
import type { Merchant } from '#worker/domain/merchants/session';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { CrmLine } from '#worker/vendors/hubspot/port';
import { setSwitch, viewSwitch } from './settings.ts';
import { publicInvoice, viewLink } from './view-payable.ts';

const billLine = (name: string, totalCents: number, quantity: string | null = '1'): CrmLine => ({
  id: name,
  name,
  quantity,
  totalCents,
  unitPrice: null,
});
const LINES = [billLine('Porcelain crown', 10_800), billLine('Local anaesthetic', 7600, '3')];

/** A clinic whose CRM returns line items only if they are requested. */
async function makeClinic(lines: CrmLine[] = LINES) {
  const world = await makeWorld();
  const requested: boolean[] = [];
  world.deps.crm.getInvoice = async (_token, _id, options) => {
    requested.push(options?.lines === true);
    return world.crm.invoice && { ...world.crm.invoice, ...(options?.lines && { lines }) };
  };
  const merchant: Merchant = { sessionId: '', accountId: world.accountId, userId: 1, role: 'manager' };
  return { world, requested, set: (isOn: boolean) => setSwitch(world.deps, merchant, 'bill-lines', isOn), merchant };
}
const expireSnapshot = ({ clock, deps }: World) => {
  clock.now += deps.settings.SNAPSHOT_MS + 1;
};
const readViews = async (world: World) => {
  const linkView = await viewLink(world.deps, world.payId);
  if (!('view' in linkView)) throw new Error(linkView.kind);
  return { view: linkView.view, reply: publicInvoice(linkView.view, linkView.invoice) };
};
const pay = async (world: World) => {
  await takePayment(world.deps, world.payId, paymentForm(), { clientIp: `ip-${world.accountId}` });
  const [attempt] = await world.attempts();
  return attempt?.receiptId ?? '';
};

describe('bill lines', () => {
  it('are not read or shown on the page, in the public reply or on the receipt by default', async () => {
    const { world, requested, merchant } = await makeClinic();
    expect(await viewSwitch(world.deps, merchant, 'bill-lines')).toEqual({ is_on: false });
    expireSnapshot(world);
    const { view, reply } = await readViews(world);
    for (const output of [view, reply]) expect(JSON.stringify(output)).not.toMatch(/lines|line_item|crown/i);
    expect(JSON.stringify(await readReceipt(world.deps, await pay(world)))).toContain('"lines":null');
    expect(requested).not.toContain(true);
    expect((await world.invoiceRow())?.billLines).toBe('');
  });

  it('are shown once a manager allows it, with an event for each change', async () => {
    const { world, set, merchant } = await makeClinic();
    await set(true);
    expect(await viewSwitch(world.deps, merchant, 'bill-lines')).toEqual({ is_on: true });
    const { view, reply } = await readViews(world);
    const items = [
      { name: 'Porcelain crown', quantity: '1', total: '108.00' },
      { name: 'Local anaesthetic', quantity: '3', total: '76.00' },
    ];
    expect(view.lines).toEqual({ count: 2, total: '184.00', items });
    expect(reply).toMatchObject({ line_items: items, line_item_count: 2 });
    await set(false);
    const events = (await eventsOf(world.accountId)).filter(({ action }) => action === 'bill-lines.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      ['{"on":false}', '{"on":true}'],
      ['{"on":true}', '{"on":false}'],
    ]);
  });

  it('are read again after a minute, and deleted when switched off', async () => {
    const { world, requested, set } = await makeClinic();
    await set(true);
    await readViews(world);
    await readViews(world);
    expect(requested).toEqual([true]);
    expireSnapshot(world);
    await readViews(world);
    expect(requested).toEqual([true, true]);
    await set(false);
    expect((await world.invoiceRow())?.billLines).toBe('');
    expect((await readViews(world)).view).not.toHaveProperty('lines');
  });

  it('are on the receipt as they were paid, at most twelve, and disappear when switched off', async () => {
    const manyLines = Array.from({ length: 19 }, (_, n) => billLine(`Item ${n + 1}`, 100));
    const { world, set } = await makeClinic(manyLines);
    await set(true);
    const receiptId = await pay(world);
    // The CRM's line items change after the payment.
    world.deps.crm.getInvoice = async () => world.crm.invoice && { ...world.crm.invoice, lines: LINES };
    expireSnapshot(world);
    const receipt = await readReceipt(world.deps, receiptId);
    expect(receipt?.lines?.lines.map(({ name }) => name)).toEqual(manyLines.slice(0, 12).map(({ name }) => name));
    expect(receipt?.lines).toMatchObject({ more: 'and 7 more on the invoice', total: '$184.00' });
    expect(receipt && receiptMail(receipt).text).toContain('Item 12: $1.00\nTotal: $184.00\nInvoice: and 7 more');
    await set(false);
    const hiddenReceipt = await readReceipt(world.deps, receiptId);
    expect(hiddenReceipt?.lines).toBeNull();
    expect(hiddenReceipt && receiptMail(hiddenReceipt).text).not.toContain('Item 1');
  });

  it('are limited to the first fifty items, with the total count', async () => {
    const { world, set } = await makeClinic(Array.from({ length: 60 }, (_, n) => billLine(`Item ${n}`, 100)));
    await set(true);
    const { view } = await readViews(world);
    expect([view.lines?.items.length, view.lines?.count]).toEqual([50, 60]);
  });

  type Case = [string, number, number, { paidBefore?: string }, string[]];
  it.each<Case>([
    ['tax', 19_000, 19_000, {}, ['Tax, fees, discounts: $6.00', 'Total: $190.00']],
    ['a discount', 17_000, 17_000, {}, ['Tax, fees, discounts: −$14.00', 'Total: $170.00']],
    [
      'tax and an earlier payment at the desk',
      19_000,
      12_000,
      { paidBefore: '70.00' },
      ['Tax, fees, discounts: $6.00', 'Total: $190.00', 'Paid before: −$70.00'],
    ],
    [
      'an earlier payment at the desk',
      18_400,
      10_400,
      { paidBefore: '80.00' },
      ['Total: $184.00', 'Paid before: −$80.00'],
    ],
  ])('add up with %s to the amount due, on the page and the receipt', async (_title, ...columns) => {
    const [billedCents, balanceCents, sums, rows] = columns;
    const { world, set } = await makeClinic();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, billedCents, balanceCents };
    expireSnapshot(world);
    await set(true);
    const { view } = await readViews(world);
    expect(view.lines).toEqual({ count: 2, total: expect.any(String), items: expect.any(Array), ...sums });
    const receipt = await readReceipt(world.deps, await pay(world));
    expect(receipt && receiptMail(receipt).text).toContain(rows.join('\n'));
  });

  it('leave out an earlier payment that would not add up to the amount due', async () => {
    const { world, set } = await makeClinic();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, billedCents: 18_400, balanceCents: 10_400 };
    expireSnapshot(world);
    await set(true);
    await readViews(world);
    // Our copy has a new balance, but its lines have not been read again yet.
    await world.deps.db.run(`UPDATE invoices SET balance_cents = 5000 WHERE account_id = ${world.accountId}`);
    const { view } = await readViews(world);
    expect(view.invoice.amountDue).toBe('50.00');
    expect(view.lines).not.toHaveProperty('paidBefore');
  });
});
