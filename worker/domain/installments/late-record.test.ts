import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { saveWriteBack, WRITE_SCOPE } from '#worker/domain/write-back/settings';
import { writeBack } from '#worker/domain/write-back/write';
import type { CrmPaymentRecords } from '#worker/vendors/hubspot/payment-records-port';
import { decideParts } from './decide-installments.ts';
import { viewParts } from './view-installments.ts';
import { watchAmounts } from './watch-amounts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** An invoice in parts. The call that recorded its first part got no answer, and the CRM lists the record late. */
async function makeUnseenRecord() {
  const world = await makePartWorld({ HUBSPOT_OPTIONAL_SCOPES: WRITE_SCOPE });
  const { deps, accountId, clock, invoiceId } = world;
  await env.DB.prepare('UPDATE crm_tokens SET scopes = ?2 WHERE account_id = ?1').bind(accountId, WRITE_SCOPE).run();
  const created: { id: string; reference: string; givenBackCents: number }[] = [];
  const crm = { listsRecords: false };
  const balance = () => world.world.crm.invoice?.balanceCents ?? 0;
  const records: CrmPaymentRecords = {
    listRecords: async () => (crm.listsRecords ? created : []),
    readBalance: async () => ({ isPaid: false, balanceCents: balance(), billedCents: 18_400 }),
    createRecord: async (_token, { reference, amountCents, givenBackCents }) => {
      created.push({ id: `r${created.length + 1}`, reference, givenBackCents });
      world.edit(balance() - amountCents);
      return { kind: 'unanswered' };
    },
    changeRecord: async (_token, id) => ({ kind: 'written', id }),
  };
  deps.crm = { ...deps.crm, paymentRecords: records };
  await saveWriteBack(deps, { ...world.manager, role: 'admin' }, true);
  await env.DB.prepare('UPDATE crm_write_settings SET moves_balance = 1 WHERE account_id = ?1').bind(accountId).run();
  expect((await world.pay('50.00')).kind).toBe('approved');
  const pass = async (turns: number, pause: number) => {
    for (let turn = 0; turn < turns; turn++) {
      clock.now += pause;
      await writeBack(deps);
      await watchAmounts(deps);
    }
  };
  await pass(20, MINUTE);
  const record = () =>
    env.DB.prepare('SELECT state, effect FROM crm_writes WHERE account_id = ?1 AND invoice_id = ?2 ORDER BY created_at')
      .bind(accountId, invoiceId)
      .first<{ state: string; effect: string }>();
  return { ...world, crm, balance, pass, record };
}

describe('an installment record that the CRM lists only after staff decided what is owed', () => {
  it('is not counted again after the decision, so the invoice is not frozen again', async () => {
    const world = await makeUnseenRecord();
    const { deps, manager, invoiceId, crm } = world;
    expect((await world.pay('20.00')).kind).toBe('frozen');
    const decision = { verdict: 'contains', owedShown: 13_400 } as const;
    expect(await decideParts(deps, manager, invoiceId, decision)).toMatchObject({ kind: 'decided' });
    expect((await world.record())?.state).toBe('unknown');
    crm.listsRecords = true;
    await world.pass(3, 6 * HOUR);
    expect(await world.record()).toEqual({ state: 'written', effect: 'balance_moved' });
    expect((await world.pay('20.00')).kind).toBe('approved');
    expect(await viewParts(deps, manager, invoiceId)).toMatchObject({ state: 'open', paid: '70.00', left: '114.00' });
  });
});
