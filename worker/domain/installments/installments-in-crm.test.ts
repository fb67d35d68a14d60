import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { makePartWorld } from '#tests/support/unit/in-parts';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { saveWriteBack, WRITE_SCOPE } from '#worker/domain/write-back/settings';
import { writeBack } from '#worker/domain/write-back/write';
import type { CrmPaymentRecords } from '#worker/vendors/hubspot/payment-records-port';
import { watchAmounts } from './watch-amounts.ts';

const MINUTE = 60_000;

/** An invoice in parts whose payments are recorded in the CRM. `movesBalance`: a record lowers the CRM's balance. */
async function makeRecordedPartWorld(movesBalance: boolean) {
  const world = await makePartWorld({ HUBSPOT_OPTIONAL_SCOPES: WRITE_SCOPE });
  const { deps, accountId, clock } = world;
  await env.DB.prepare('UPDATE crm_tokens SET scopes = ?2 WHERE account_id = ?1').bind(accountId, WRITE_SCOPE).run();
  const created: { id: string; reference: string; givenBackCents: number; amountCents: number }[] = [];
  const balance = () => world.world.crm.invoice?.balanceCents ?? 0;
  const records: CrmPaymentRecords = {
    listRecords: async () => created,
    readBalance: async () => ({ isPaid: balance() === 0, balanceCents: balance(), billedCents: 18_400 }),
    createRecord: async (_token, { reference, amountCents, givenBackCents }) => {
      const id = `r${created.length + 1}`;
      created.push({ id, reference, givenBackCents, amountCents });
      const remainingCents = balance() - amountCents;
      if (movesBalance)
        world.edit(remainingCents, { status: remainingCents === 0 ? 'paid' : 'open', modifiedAt: clock.now });
      return { kind: 'written', id };
    },
    changeRecord: async (_token, id) => ({ kind: 'written', id }),
  };
  deps.crm = { ...deps.crm, paymentRecords: records };
  await saveWriteBack(deps, { ...world.manager, role: 'admin' }, true);
  /** Runs the schedule a few times: it writes records, copies the invoice and checks its amount. */
  const pass = async () => {
    for (let turn = 0; turn < 15; turn++) {
      clock.now += MINUTE;
      await writeBack(deps);
      const { invoice } = world.world.crm;
      if (invoice) await saveInvoice(world.db, accountId, invoice, clock.now);
      await watchAmounts(deps);
    }
  };
  return { ...world, created, balance, pass };
}

describe('installments recorded in the CRM', () => {
  it.each([
    [true, 0],
    [false, 18_400],
  ])(
    'become one record each and freeze nothing, with records that change the balance: %s',
    async (movesBalance, expectedBalance) => {
      const { pay, pass, created, balance, collection, invoiceRow } = await makeRecordedPartWorld(movesBalance);
      for (const amount of ['50.00', '50.00', null]) {
        expect((await pay(amount)).kind).toBe('approved');
        await pass();
        expect((await collection(1))?.state).toBe('open');
      }
      expect(created.map(({ amountCents }) => amountCents)).toEqual([5_000, 5_000, 8_400]);
      expect(balance()).toBe(expectedBalance);
      expect((await invoiceRow())?.localStatus).toBe('paid');
    },
  );

  it('do not hide changes made by others in the CRM', async () => {
    const { pay, pass, edit, collection } = await makeRecordedPartWorld(true);
    await pay('50.00');
    await pass();
    edit(10_000);
    await pass();
    expect((await collection(1))?.state).toBe('frozen');
    expect((await pay('50.00')).kind).toBe('frozen');
  });
});
