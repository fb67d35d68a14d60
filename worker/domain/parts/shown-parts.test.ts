import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { inParts } from '#tests/support/unit/in-parts';
import { lost } from '#tests/support/unit/world';
import { readReceipt } from '#worker/domain/mail/receipt';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { viewPayment } from '#worker/domain/pay-page/view-payment';
import { runSchedule } from '#worker/domain/run-schedule';

describe('what is shown of an invoice in parts', () => {
  it('answers a page that waits by its own press, and never by a part that was paid before', async () => {
    const world = await inParts();
    await world.pay('50.00', { attemptId: 'press-number-1' });
    const asked = (key?: string) => viewPayment(world.deps, world.payId, key);
    expect(await asked('press-number-1')).toMatchObject({
      status: { state: 'paid', transaction: { amount: '50.00' } },
    });
    expect(await asked('press-number-2')).toMatchObject({ status: { state: 'none' } });
    world.gateway.script.charge = () => lost;
    await world.pay('60.00', { attemptId: 'press-number-2' });
    for (const key of ['press-number-2', 'press-of-others', undefined])
      expect(await asked(key)).toMatchObject({ status: { state: 'pending' } });
    expect(await asked('press-number-1')).toMatchObject({ status: { state: 'paid' } });
  });

  it('offers the payer what may be paid now, and only that', async () => {
    const world = await inParts();
    const parts = async () => {
      const shown = await viewLink(world.deps, world.payId);
      return 'view' in shown ? shown.view.parts : shown.kind;
    };
    expect(await parts()).toEqual({
      ...{ base: '184.00', paid: '0.00', deposit: null, only: null },
      range: { least: '20.00', most: '164.00' },
    });
    await world.pay('160.00');
    expect(await parts()).toMatchObject({ paid: '160.00', range: null });
    await env.DB.prepare("UPDATE collections SET state = 'frozen', frozen_at = 1 WHERE invoice_id = ?")
      .bind(world.invoiceId)
      .run();
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'changed' });
  });

  it('has a receipt for each part, which says what was left then', async () => {
    const world = await inParts();
    await world.pay('50.00');
    await world.pay('100.00');
    const said = async (part: number) => {
      const attempt = (await world.attempts()).find((one) => one.part === part);
      return (await readReceipt(world.deps, attempt?.receiptId ?? ''))?.part;
    };
    expect(await said(1)).toBe('Part 1. Paid so far $50.00 USD; $134.00 USD left of $184.00 USD.');
    expect(await said(2)).toBe('Part 2. Paid so far $150.00 USD; $34.00 USD left of $184.00 USD.');
    await runSchedule(world.deps);
    expect(world.mails.map(({ text }) => /^Part: (.*)$/m.exec(text)?.[1])).toContain(await said(2));
  });

  it('is owed with what is left of it, in sums and in lists', async () => {
    const world = await inParts();
    const owed = () =>
      env.DB.prepare('SELECT sum(n) AS n, sum(cents) AS cents FROM owed_totals WHERE hub_id = ?')
        .bind(world.accountId)
        .first();
    const before = await owed();
    expect(before).toEqual({ n: 1, cents: 18_400 });
    await world.pay('50.00');
    expect(await owed()).toEqual({ n: 1, cents: 13_400 });
    expect(await world.invoiceRow()).toMatchObject({ listBalanceCents: 13_400, shownStatus: 'open' });
    await world.pay(null);
    expect(await owed()).toEqual({ n: null, cents: null });
    expect(await world.invoiceRow()).toMatchObject({ listBalanceCents: 0, shownStatus: 'paid' });
  });
});
