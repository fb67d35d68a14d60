import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Language } from '#shared/words/language';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { lostOutcome } from '#tests/support/unit/world';
import { ledger } from '#worker/data/schema/schema';
import { readReceipt } from '#worker/domain/mail/receipt';
import { viewLink } from '#worker/domain/pay-page/view-payable';
import { viewPayment } from '#worker/domain/pay-page/view-payment';
import { runSchedule } from '#worker/domain/run-schedule';

describe('the payer’s view of an invoice in installments', () => {
  it('shows a waiting page its own payment, never an earlier installment', async () => {
    const world = await makePartWorld();
    await world.pay('50.00', { attemptId: 'form-number-1' });
    const view = (key?: string) => viewPayment(world.deps, world.payId, key);
    expect(await view('form-number-1')).toMatchObject({
      status: { state: 'paid', transaction: { amount: '50.00' } },
    });
    expect(await view('form-number-2')).toMatchObject({ status: { state: 'none' } });
    world.gateway.script.charge = () => lostOutcome;
    await world.pay('60.00', { attemptId: 'form-number-2' });
    for (const key of ['form-number-2', 'another-form-1', undefined])
      expect(await view(key)).toMatchObject({ status: { state: 'pending' } });
    expect(await view('form-number-1')).toMatchObject({ status: { state: 'paid' } });
  });

  it('offers only the amounts that may be paid now', async () => {
    const world = await makePartWorld();
    const parts = async () => {
      const linkView = await viewLink(world.deps, world.payId);
      return 'view' in linkView ? linkView.view.parts : linkView.kind;
    };
    expect(await parts()).toEqual({
      base: '184.00',
      paid: '0.00',
      taken: [],
      deposit: null,
      only: null,
      range: { least: '20.00', most: '164.00' },
    });
    await world.pay('160.00');
    expect(await parts()).toMatchObject({
      paid: '160.00',
      range: null,
      taken: [{ amount: '160.00', on: '2026-03-04' }],
    });
    await env.DB.prepare("UPDATE collections SET state = 'frozen', frozen_at = 1 WHERE invoice_id = ?")
      .bind(world.invoiceId)
      .run();
    expect(await viewLink(world.deps, world.payId)).toMatchObject({ kind: 'changed' });
  });

  it('has a receipt per installment, with the remaining amount and its due date', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    const receipt = async (part: number, language: Language = 'en') => {
      const attempt = (await world.attempts()).find((candidate) => candidate.part === part);
      return readReceipt(world.deps, attempt?.receiptId ?? '', () => language);
    };
    expect(await receipt(1)).toMatchObject({ said: 'You paid $50.00 of $184.00. $134.00 is left, due Mar 10, 2026.' });
    await world.pay('100.00');
    // Once a later part is paid, the receipt no longer states the remaining amount.
    const second = 'You paid $100.00. In total, $150.00 of $184.00 is paid. $34.00 is left, due Mar 10, 2026.';
    expect(await receipt(1)).toMatchObject({ part: '1', amount: '$50.00 USD', said: 'You paid $50.00 of $184.00.' });
    expect(await receipt(2)).toMatchObject({ part: '2', said: second });
    expect(await receipt(2, 'es')).toMatchObject({
      said: 'Usted pagó $100.00. En total se han pagado $150.00 de $184.00. Faltan $34.00, con vencimiento el 10 mar 2026.',
    });
    await runSchedule(world.deps);
    expect(world.mails.map(({ text }) => text.split('\n'))).toContainEqual(expect.arrayContaining([second, 'Part: 2']));
    await world.pay(null);
    expect(await receipt(3)).toMatchObject({ said: 'You paid $34.00. In total, $184.00 of $184.00 is paid.' });
  });

  it('states on receipts after a refund no remaining amount, only the net amount of that installment', async () => {
    const world = await makePartWorld();
    await world.pay('50.00');
    await world.pay('100.00');
    const [first, second] = (await world.attempts()).sort((a, b) => a.part - b.part);
    const [entry] = await world.db
      .select()
      .from(ledger)
      .where(eq(ledger.attemptId, first?.id ?? ''));
    if (!entry) throw new Error('nothing was paid');
    const refund = {
      kind: 'refund',
      amountCents: -2_000,
      at: entry.at + 60_000,
      providerTxnId: `${first?.id}-r`,
    } as const;
    await world.db.insert(ledger).values({ ...entry, ...refund });
    const statement = async (attempt: typeof first) => (await readReceipt(world.deps, attempt?.receiptId ?? ''))?.said;
    expect(await statement(second)).toBe('You paid $100.00. In total, $150.00 of $184.00 is paid.');
    expect(await statement(first)).toBe('$20.00 was refunded on Mar 4, 2026. You paid $30.00 of this part.');
  });

  it('counts only the remaining amount as owed, in totals and lists', async () => {
    const world = await makePartWorld();
    const readOwedTotals = () =>
      env.DB.prepare('SELECT sum(n) AS n, sum(cents) AS cents FROM owed_totals WHERE account_id = ?')
        .bind(world.accountId)
        .first();
    const owedBefore = await readOwedTotals();
    expect(owedBefore).toEqual({ n: 1, cents: 18_400 });
    await world.pay('50.00');
    expect(await readOwedTotals()).toEqual({ n: 1, cents: 13_400 });
    expect(await world.invoiceRow()).toMatchObject({ listBalanceCents: 13_400, shownStatus: 'open' });
    await world.pay(null);
    expect(await readOwedTotals()).toEqual({ n: null, cents: null });
    expect(await world.invoiceRow()).toMatchObject({ listBalanceCents: 0, shownStatus: 'paid' });
  });
});
