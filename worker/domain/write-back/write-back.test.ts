import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld } from '#tests/support/unit/world';
import { readInvoiceHistory } from '#worker/data/invoices/merchant-invoice';
import type { CrmWrite } from '#worker/data/schema/crm';
import { loadMerchantInvoice } from '#worker/domain/invoices/merchant-invoice';
import { takePayment } from '#worker/domain/payments/take-payment';
import { presentHistory } from '#worker/domain/preview/view-invoice';
import type { CrmPaymentRecords, CrmWriteResult } from '#worker/vendors/hubspot/payment-records-port';
import { saveWriteBack, viewWriteBack, WRITE_SCOPE } from './settings.ts';
import { exportUnrecorded, parsePosition, recordByHand } from './unrecorded.ts';
import { writeBack } from './write.ts';

const MINUTE = 60_000;

/** A clinic with write-back on, and a CRM whose answers the test sets. */
async function makeClinic(scopes = WRITE_SCOPE) {
  const world = await makeWorld({ HUBSPOT_OPTIONAL_SCOPES: WRITE_SCOPE });
  const you = { sessionId: 's', accountId: world.accountId, userId: 1, role: 'admin' } as const;
  await env.DB.prepare('UPDATE crm_tokens SET scopes = ?2 WHERE account_id = ?1').bind(world.accountId, scopes).run();
  const crm = {
    calls: [] as string[],
    created: [] as { id: string; reference: string; givenBackCents: number }[],
    balance: 18_400,
    isReadable: true,
    answer: null as CrmWriteResult | null,
    movesBalance: true,
  };
  const records: CrmPaymentRecords = {
    listRecords: async () => {
      crm.calls.push('list');
      return crm.created;
    },
    readBalance: async () => {
      crm.calls.push('balance');
      return {
        isPaid: crm.isReadable && crm.balance === 0,
        balanceCents: crm.isReadable ? crm.balance : null,
        billedCents: 18_400,
      };
    },
    createRecord: async (_token, { reference, amountCents, givenBackCents }) => {
      crm.calls.push('create');
      if (crm.answer) return crm.answer;
      crm.created.push({ id: 'r1', reference, givenBackCents });
      if (crm.movesBalance) crm.balance -= amountCents - givenBackCents;
      return { kind: 'written', id: 'r1' };
    },
    changeRecord: async (_token, id, { givenBackCents }) => {
      crm.calls.push('change');
      if (crm.answer) return crm.answer;
      for (const record of crm.created) if (record.id === id) record.givenBackCents = givenBackCents;
      return { kind: 'written', id };
    },
  };
  world.deps.crm = { ...world.deps.crm, paymentRecords: records };
  await saveWriteBack(world.deps, you, true);
  const pay = async () => {
    const outcome = await takePayment(world.deps, world.payId, paymentForm(), { clientIp: null });
    if (outcome.kind !== 'approved') throw new Error(outcome.kind);
    return outcome.attempt.id;
  };
  const rows = async () =>
    (await env.DB.prepare('SELECT * FROM crm_writes WHERE account_id = ?1').bind(world.accountId).all<CrmWrite>())
      .results;
  /** Runs the schedule `turns` times, `minutes` apart. */
  const pass = async (turns: number, minutes = 1) => {
    for (let turn = 0; turn < turns; turn++) {
      world.clock.now += minutes * MINUTE;
      await writeBack(world.deps);
    }
  };
  const learn = (moves: 0 | 1) =>
    env.DB.prepare('UPDATE crm_write_settings SET moves_balance = ?2 WHERE account_id = ?1')
      .bind(world.accountId, moves)
      .run();
  const creates = () => crm.calls.filter((call) => call === 'create').length;
  return { ...world, you, crm, pay, rows, pass, learn, creates };
}

describe('write-back', () => {
  it('makes no CRM call while a payer pays, and later records the payment and reads the balance back', async () => {
    const { deps, crm, pay, rows, pass, you } = await makeClinic();
    const id = await pay();
    expect(crm.calls).toEqual([]);
    expect(await rows()).toMatchObject([{ id: `pay-${id}`, state: 'due', amount_cents: 18_400 }]);
    expect((await viewWriteBack(deps, you)).unrecorded).toMatchObject([{ id, state: 'due', is_yours: false }]);
    await pass(1);
    expect(crm.calls).toEqual(['list', 'balance', 'create', 'balance']);
    expect(await rows()).toMatchObject([{ state: 'written', object_id: 'r1', effect: 'paid', next_try_at: null }]);
    expect(await viewWriteBack(deps, you)).toMatchObject({ recorded: 1, unrecorded: [] });
  });

  it('queues nothing while it is off', async () => {
    const { deps, pay, rows, you } = await makeClinic();
    await saveWriteBack(deps, you, false);
    const id = await pay();
    expect(await rows()).toEqual([]);
    expect((await viewWriteBack(deps, you)).unrecorded).toMatchObject([{ id, state: 'not-told', is_yours: true }]);
  });

  it('retries after two empty lookups if records move the balance and it is unchanged', async () => {
    const { crm, pay, rows, pass, learn, creates } = await makeClinic();
    await learn(1);
    await pay();
    crm.answer = { kind: 'unanswered' };
    await pass(3);
    expect(creates()).toBe(1);
    crm.answer = null;
    await pass(2);
    expect(creates()).toBe(2);
    expect(await rows()).toMatchObject([{ state: 'written', tries: 2, effect: 'paid' }]);
  });

  it('leaves a record to manual review when the balance moved, and adopts a record that appears late', async () => {
    const { deps, crm, pay, rows, pass, learn, creates, you } = await makeClinic();
    await learn(1);
    const id = await pay();
    crm.answer = { kind: 'unanswered' };
    await pass(1);
    crm.balance = 0;
    await pass(10);
    expect(creates()).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'unknown' }]);
    expect((await viewWriteBack(deps, you)).unrecorded).toMatchObject([{ id, state: 'unknown', is_yours: true }]);
    crm.created.push({ id: 'late', reference: 'txn-late', givenBackCents: 0 });
    const [entry] = (
      await env.DB.prepare('SELECT provider_txn_id AS t FROM ledger WHERE attempt_id = ?1')
        .bind(id)
        .all<{ t: string }>()
    ).results;
    for (const record of crm.created) record.reference = entry?.t ?? '';
    await pass(2, 361);
    expect(await rows()).toMatchObject([{ state: 'written', object_id: 'late', effect: 'paid' }]);
    expect(creates()).toBe(1);
  });

  it('keeps a record as sent while the CRM is too busy for the retry', async () => {
    const { crm, pay, rows, pass, learn, creates } = await makeClinic();
    await learn(1);
    await pay();
    crm.answer = { kind: 'unanswered' };
    await pass(1);
    crm.answer = { kind: 'later', waitMs: null };
    await pass(4);
    expect(creates()).toBeGreaterThan(1);
    expect(await rows()).toMatchObject([{ state: 'sent', tries: 1 }]);
    crm.answer = null;
    await pass(4);
    expect(await rows()).toMatchObject([{ state: 'written', tries: 2, effect: 'paid' }]);
  });

  it('does not retry when an installment was entered in the CRM, even if the CRM was busy in between', async () => {
    const { crm, pay, rows, pass, learn, creates } = await makeClinic();
    await learn(1);
    crm.balance = 60_000;
    await pay();
    crm.answer = { kind: 'unanswered' };
    await pass(2);
    crm.answer = { kind: 'later', waitMs: 30_000 };
    await pass(1, 2);
    expect([creates(), (await rows())[0]?.state]).toEqual([2, 'sent']);
    crm.answer = null;
    crm.balance = 41_600;
    await pass(5, 5);
    expect(creates()).toBe(2);
    expect(await rows()).toMatchObject([{ state: 'unknown' }]);
  });

  it('writes at most twice a second, and pauses for as long as the CRM requests', async () => {
    const { deps, accountId, clock, crm, pay, rows, pass, creates } = await makeClinic();
    const id = await pay();
    for (let n = 0; n < 7; n++)
      await env.DB.prepare(
        `INSERT INTO crm_writes (id, account_id, invoice_id, attempt_id, kind, amount_cents, state, next_try_at, created_at)
          SELECT id || ?2, account_id, invoice_id || ?2, attempt_id, kind, amount_cents, state, next_try_at, created_at
          FROM crm_writes WHERE id = 'pay-' || ?1`,
      )
        .bind(id, `-${n}`)
        .run();
    crm.answer = { kind: 'later', waitMs: 42_000 };
    await pass(1);
    clock.now += 41_000;
    await writeBack(deps);
    expect(creates()).toBe(1);
    clock.now += 2000;
    crm.answer = null;
    crm.balance = 1_000_000;
    crm.movesBalance = false;
    const pauses: number[] = [];
    await writeBack({ ...deps, pause: async (ms) => void pauses.push(ms) });
    expect(pauses).toEqual([500, 500, 500, 500]);
    expect(crm.calls.length).toBeGreaterThan(10);
    const { wait: waitUntil } = (await env.DB.prepare(
      'SELECT wait_until AS wait FROM crm_write_settings WHERE account_id = ?1',
    )
      .bind(accountId)
      .first<{ wait: number }>()) ?? { wait: 0 };
    expect(waitUntil).toBeGreaterThan(clock.now + 5000);
    // Reads from the CRM take precedence.
    await env.DB.prepare('UPDATE crm_sync_states SET wait_until = ?2 WHERE account_id = ?1')
      .bind(accountId, clock.now + 10 * MINUTE)
      .run();
    const callsBefore = crm.calls.length;
    await pass(5);
    expect(crm.calls.length).toBe(callsBefore);
    await pass(6);
    expect(crm.calls.length).toBeGreaterThan(callsBefore);
    expect((await rows()).length).toBe(8);
  });

  it.each([
    ['a record moves no balance here', 0],
    ['the effect of a record is unknown here', null],
  ] as const)('never retries when %s', async (_, moves) => {
    const { crm, pay, rows, pass, learn, creates } = await makeClinic();
    if (moves !== null) await learn(moves);
    await pay();
    crm.answer = { kind: 'unanswered' };
    await pass(1);
    crm.answer = null;
    await pass(10);
    await pass(4, 500);
    expect(creates()).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'unknown' }]);
  });

  it('marks a record that moves no balance as written, and does not repeat it', async () => {
    const { deps, crm, pay, rows, pass, creates, you } = await makeClinic();
    crm.movesBalance = false;
    await pay();
    await pass(15);
    expect(creates()).toBe(1);
    expect(await rows()).toMatchObject([{ state: 'written', effect: 'nothing_moved' }]);
    expect((await viewWriteBack(deps, you)).unrecorded).toMatchObject([{ state: 'nothing_moved' }]);
  });

  it('concludes nothing from an unreadable balance, and lists the payment for staff', async () => {
    const { deps, crm, pay, rows, pass, you } = await makeClinic();
    await pay();
    const create = crm.created.push.bind(crm.created);
    crm.created.push = (...created) => {
      crm.isReadable = false;
      return create(...created);
    };
    await pass(15);
    expect(await rows()).toMatchObject([{ state: 'written', effect: 'nothing_moved' }]);
    expect((await viewWriteBack(deps, you)).unrecorded).toMatchObject([{ state: 'nothing_moved' }]);
    expect(await env.DB.prepare('SELECT moves_balance FROM crm_write_settings').first('moves_balance')).toBeNull();
  });

  it('pauses when the CRM refuses a record, shows the CRM’s message, and retries when switched on again', async () => {
    const { deps, crm, pay, rows, pass, creates, you } = await makeClinic();
    crm.answer = { kind: 'refused', said: 'Set up payments first.' };
    await pay();
    await pass(5);
    expect(creates()).toBe(1);
    expect(await viewWriteBack(deps, you)).toMatchObject({ trouble: 'cannot', said: 'Set up payments first.' });
    crm.answer = null;
    await saveWriteBack(deps, you, true);
    await pass(1);
    expect(await rows()).toMatchObject([{ state: 'written', effect: 'paid' }]);
  });

  it('makes no call without the scope, and continues with a new grant that has it', async () => {
    const { deps, accountId, crm, pay, rows, pass, you } = await makeClinic('oauth');
    await pay();
    await pass(2);
    expect([crm.calls, (await viewWriteBack(deps, you)).trouble]).toEqual([[], 'not_allowed']);
    await env.DB.prepare('UPDATE crm_tokens SET scopes = ?2 WHERE account_id = ?1').bind(accountId, WRITE_SCOPE).run();
    await pass(1);
    expect(await rows()).toMatchObject([{ state: 'written' }]);
  });

  it('does not record payments that staff entered in the CRM or marked as recorded by hand', async () => {
    const { deps, crm, pay, rows, pass, creates, you } = await makeClinic();
    crm.balance = 0;
    const id = await pay();
    await pass(3);
    expect(creates()).toBe(0);
    expect(await rows()).toMatchObject([{ state: 'unknown', said: expect.stringContaining('$0.00 open') }]);
    expect(await recordByHand(deps, { ...you, accountId: you.accountId + 1 }, id, 'Not mine')).toBe(false);
    expect(await recordByHand(deps, you, id, 'Entered by Marta')).toBe(true);
    expect(await rows()).toMatchObject([{ state: 'by_hand', note: 'Entered by Marta', decided_by: 1 }]);
    expect((await viewWriteBack(deps, you)).unrecorded).toEqual([]);
  });
});

describe('the CRM status of a payment on its invoice', () => {
  const crmStatusOf = async ({ deps, you, invoiceId }: Awaited<ReturnType<typeof makeClinic>>) => {
    const loaded = await loadMerchantInvoice(deps, you, invoiceId);
    if (!loaded) throw new Error('there is no such invoice');
    const { payments } = presentHistory(loaded, await readInvoiceHistory(deps.db, you.accountId, invoiceId));
    expect(payments).toHaveLength(1);
    return payments[0]?.in_crm;
  };

  it('is waiting until the balance is read back, then recorded', async () => {
    const world = await makeClinic();
    await world.pay();
    expect(await crmStatusOf(world)).toEqual({ state: 'waiting', at: null, why: '' });
    world.crm.movesBalance = false;
    await world.pass(1);
    expect(await crmStatusOf(world)).toEqual({ state: 'waiting', at: null, why: '' });
    const recordedAt = new Date(world.clock.now).toISOString();
    world.crm.balance = 0;
    await world.pass(2);
    expect(await crmStatusOf(world)).toEqual({ state: 'recorded', at: recordedAt, why: '' });
  });

  it('is unmoved when the balance still has not changed after the last check', async () => {
    const world = await makeClinic();
    await world.pay();
    world.crm.movesBalance = false;
    await world.pass(3, 11);
    expect(await crmStatusOf(world)).toEqual({ state: 'unmoved', at: null, why: '' });
  });

  it('is missing, with the CRM’s reason, until staff record it by hand', async () => {
    const world = await makeClinic();
    const id = await world.pay();
    world.crm.answer = { kind: 'refused', said: 'This account must be set up.' };
    await world.pass(1);
    expect(await crmStatusOf(world)).toEqual({ state: 'missing', at: null, why: 'This account must be set up.' });
    await recordByHand(world.deps, world.you, id, 'By Marta');
    const at = new Date(world.clock.now).toISOString();
    expect(await crmStatusOf(world)).toEqual({ state: 'by-hand', at, why: 'By Marta' });
  });

  it('is empty while write-back is off, and missing if it was off at the time of payment', async () => {
    const world = await makeClinic();
    await saveWriteBack(world.deps, world.you, false);
    await world.pay();
    expect(await crmStatusOf(world)).toBeNull();
    await saveWriteBack(world.deps, world.you, true);
    expect(await crmStatusOf(world)).toEqual({ state: 'missing', at: null, why: '' });
  });
});

describe('write-back of a refund', () => {
  const addRefund = (accountId: number, attemptId: string, at: number) =>
    env.DB.prepare(
      `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at)
        SELECT account_id, provider_txn_id || '-back', attempt_id, invoice_id, 'refund', -400, currency, channel, method, brand, ?3
        FROM ledger WHERE account_id = ?1 AND attempt_id = ?2`,
    )
      .bind(accountId, attemptId, at)
      .run();

  it('updates the record of its payment', async () => {
    const { accountId, clock, crm, pay, rows, pass } = await makeClinic();
    const id = await pay();
    await pass(1);
    await addRefund(accountId, id, clock.now);
    await pass(15);
    expect(crm.created).toMatchObject([{ id: 'r1', givenBackCents: 400 }]);
    expect((await rows()).map(({ kind, state }) => [kind, state])).toEqual([
      ['payment', 'written'],
      ['reversal', 'written'],
    ]);
  });

  it('goes to manual review when the CRM does not answer, until staff mark it as entered', async () => {
    const { accountId, clock, crm, deps, pay, rows, pass, you } = await makeClinic();
    const id = await pay();
    await pass(1);
    await addRefund(accountId, id, clock.now);
    crm.answer = { kind: 'unanswered' };
    await pass(15, 2);
    const { unrecorded } = await viewWriteBack(deps, you);
    expect(unrecorded).toMatchObject([{ kind: 'refund', amount: '4.00', state: 'unknown', is_yours: true }]);
    const entry = unrecorded[0]?.id ?? '';
    expect(await recordByHand(deps, { ...you, accountId: you.accountId + 1 }, entry, 'Not mine')).toBe(false);
    expect(await recordByHand(deps, you, entry, 'Entered by Marta')).toBe(true);
    expect(await recordByHand(deps, you, entry, 'Again')).toBe(false);
    expect((await rows()).map(({ kind, state }) => [kind, state])).toEqual([
      ['payment', 'written'],
      ['reversal', 'by_hand'],
    ]);
    expect((await viewWriteBack(deps, you)).unrecorded).toEqual([]);
  });

  it('does nothing for a payment without a CRM record', async () => {
    const { accountId, clock, deps, pay, rows, you } = await makeClinic();
    await saveWriteBack(deps, you, false);
    const id = await pay();
    await saveWriteBack(deps, you, true);
    await addRefund(accountId, id, clock.now);
    expect(await rows()).toEqual([]);
  });
});

describe('the list of payments missing in the CRM', () => {
  it('pages back to the first payment, and the exported file has all payments', async () => {
    const { accountId, deps, pay, you } = await makeClinic();
    await saveWriteBack(deps, you, false);
    await pay();
    const OLDER = 1200;
    // Pages are divided by position, not by time, because many of these entries have the same time.
    await env.DB.prepare(
      `WITH g(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM g WHERE n < ?2)
        INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at)
        SELECT account_id, 'older-' || n, attempt_id, invoice_id, 'payment', amount_cents, currency, channel, method, brand, at - 1000 * (n / 700)
        FROM ledger JOIN g WHERE account_id = ?1`,
    )
      .bind(accountId, OLDER)
      .run();
    const transactionIds: string[] = [];
    let next: string | undefined;
    for (let pages = 0; pages < 3; pages++) {
      const page = await viewWriteBack(deps, you, parsePosition(next));
      transactionIds.push(...page.unrecorded.map(({ transaction_id }) => transaction_id));
      next = page.next ?? undefined;
      expect(next === undefined).toBe(pages === 2);
    }
    expect(transactionIds).toHaveLength(OLDER + 1);
    expect(new Set(transactionIds).size).toBe(OLDER + 1);
    const file = (await Array.fromAsync(exportUnrecorded(deps, accountId))).join('');
    expect(file.trim().split('\r\n')).toHaveLength(OLDER + 2);
  });
});
