import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld } from '#tests/support/unit/world';
import { type CrmWriteState, crmWriteStates } from '#worker/data/schema/crm';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { CrmPaymentRecords } from '#worker/vendors/hubspot/payment-records-port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { saveWriteBack, viewWriteBack, WRITE_SCOPE } from './settings.ts';
import { recordByHand } from './unrecorded.ts';
import { recordStates, writeBack } from './write.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A clinic that records payments, with one payment whose record is in this state, and a CRM that may be silent. */
async function makeRecordIn(state: CrmWriteState, crm: 'answers' | 'silent' = 'answers') {
  const world = await makeWorld({ HUBSPOT_OPTIONAL_SCOPES: WRITE_SCOPE });
  const { accountId, deps, clock } = world;
  const you = { sessionId: '', accountId, userId: 1, role: 'admin' } as const;
  await env.DB.prepare('UPDATE crm_tokens SET scopes = ?2 WHERE account_id = ?1').bind(accountId, WRITE_SCOPE).run();
  const crmRecords: { id: string; reference: string; givenBackCents: number }[] = [];
  const answerUnlessSilent = async <T>(value: T) => {
    if (crm === 'silent') throw new CrmError('unavailable', 'no answer');
    return value;
  };
  const records: CrmPaymentRecords = {
    listRecords: () => answerUnlessSilent(crmRecords),
    readBalance: () => answerUnlessSilent({ isPaid: false, balanceCents: 18_400, billedCents: 18_400 }),
    createRecord: async () => answerUnlessSilent({ kind: 'unanswered' as const }),
    changeRecord: async (_token, id) => answerUnlessSilent({ kind: 'written' as const, id }),
  };
  deps.crm = { ...deps.crm, paymentRecords: records };
  await saveWriteBack(deps, you, true);
  const outcome = await takePayment(deps, world.payId, paymentForm(), { clientIp: null });
  if (outcome.kind !== 'approved') throw new Error(outcome.kind);
  const { id } = outcome.attempt;
  const sql = (text: string, ...values: (string | number | null)[]) =>
    env.DB.prepare(text)
      .bind(...values)
      .run();
  await sql(
    `UPDATE crm_writes SET state = ?2, sent_at = iif(?2 = 'due', NULL, ?3), balance_cents = 18400, next_try_at = ?3 WHERE attempt_id = ?1`,
    ...[id, state, clock.now],
  );
  const currentState = () =>
    env.DB.prepare('SELECT state FROM crm_writes WHERE attempt_id = ?1').bind(id).first<string>('state');
  /** Runs the schedule, at first each minute. */
  const pass = async (ms: number) => {
    const end = clock.now + ms;
    for (let turn = 0; clock.now < end; turn++) {
      clock.now += turn < 20 ? MINUTE : 6 * HOUR;
      await writeBack(deps);
    }
  };
  const listed = async () => (await viewWriteBack(deps, you)).unrecorded;
  return { ...world, you, id, sql, currentState, pass, listed, crmRecords };
}

const openStates = crmWriteStates.filter((state) => recordStates[state].limitMs !== null);

describe('the record state table', () => {
  it('has a row for each state, and an exit, a limit and a list for each open one', () => {
    expect(Object.keys(recordStates).sort()).toEqual([...crmWriteStates].sort());
    for (const [state, { exits, limitMs, alert }] of Object.entries(recordStates)) {
      expect(limitMs === null, state).toBe(alert === null);
      if (limitMs !== null) expect(exits.length, state).toBeGreaterThan(0);
    }
  });

  it('defines exactly these moves', () => {
    const moves = Object.entries(recordStates).map(([state, { exits }]) => [state, [...exits].sort().join(' ')]);
    expect(Object.fromEntries(moves)).toEqual({
      due: 'by_hand not_wanted refused sent unknown written',
      sent: 'by_hand due not_wanted refused unknown written',
      refused: 'by_hand not_wanted sent unknown written',
      unknown: 'by_hand not_wanted written',
      written: 'by_hand',
      not_wanted: 'by_hand',
      by_hand: '',
    });
  });

  it.each(openStates)(
    'leads a record in %s to one of its exits within its limit while the CRM answers',
    async (state) => {
      const { currentState, pass, listed, id, deps, you } = await makeRecordIn(state);
      const { limitMs, exits } = recordStates[state];
      await pass((limitMs ?? 0) + HOUR);
      if (limitMs === 0) {
        expect(await listed()).toMatchObject([{ id, is_yours: true }]);
        expect(await recordByHand(deps, you, id, 'By Marta')).toBe(true);
      }
      expect(exits).toContain(await currentState());
    },
  );

  it.each(openStates)('lists a record in %s while the CRM is silent, however long', async (state) => {
    const { pass, listed, id } = await makeRecordIn(state, 'silent');
    await pass((recordStates[state].limitMs ?? 0) + HOUR);
    expect(await listed()).toMatchObject([{ id }]);
  });
});

describe('a record begun in an account that then stopped recording payments', () => {
  it.each(openStates)('can be ended by hand in state %s a quarter of an hour later', async (state) => {
    const { deps, you, id, currentState, pass, listed } = await makeRecordIn(state);
    await saveWriteBack(deps, you, false);
    await pass(15 * MINUTE);
    expect(await listed()).toMatchObject([{ id, is_yours: true }]);
    expect(await recordByHand(deps, you, id, 'By Marta')).toBe(true);
    expect(await currentState()).toBe('by_hand');
    expect(await listed()).toEqual([]);
  });

  it('cannot be ended by hand while its call may be under way or the account records payments', async () => {
    const { deps, you, id, clock, listed } = await makeRecordIn('sent');
    clock.now += 15 * MINUTE;
    expect(await recordByHand(deps, you, id, 'By Marta')).toBe(false);
    clock.now -= 1;
    await saveWriteBack(deps, you, false);
    expect(await listed()).toMatchObject([{ id, state: 'sent', is_yours: false }]);
    expect(await recordByHand(deps, you, id, 'By Marta')).toBe(false);
    clock.now += 1;
    expect(await recordByHand(deps, you, id, 'By Marta')).toBe(true);
  });

  it('is listed when it was written and its effect was never read', async () => {
    const { deps, you, id, sql, clock, listed } = await makeRecordIn('written');
    await sql("UPDATE crm_writes SET effect = '', done_at = ?2 WHERE attempt_id = ?1", id, clock.now);
    await saveWriteBack(deps, you, false);
    expect(await listed()).toEqual([]);
    clock.now += 15 * MINUTE;
    expect(await listed()).toMatchObject([{ id, state: 'unknown', why: expect.stringContaining('was not read') }]);
    expect(await recordByHand(deps, you, id, 'By Marta')).toBe(true);
  });
});

describe('a refund of a payment whose record is unknown', () => {
  const makeRefunded = async (state: CrmWriteState) => {
    const world = await makeRecordIn(state);
    const { accountId, clock, id, invoiceId, sql } = world;
    await sql('UPDATE crm_writes SET next_try_at = NULL WHERE attempt_id = ?1', id);
    await sql(
      `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at, day)
        VALUES (?1, ?2, ?3, ?4, 'refund', -18400, 'USD', 'link', 'card', '', ?5, '2026-03-01')`,
      ...[accountId, `back-${id}`, id, invoiceId, clock.now],
    );
    await sql("UPDATE payment_attempts SET state = 'refunded', refunded_cents = 18400 WHERE id = ?1", id);
    const reversal = `rev-${id}-back-${id}`;
    const reversalState = () =>
      env.DB.prepare('SELECT state FROM crm_writes WHERE id = ?1').bind(reversal).first<string>('state');
    return { ...world, reversal, reversalState };
  };

  it('goes to manual review once the record is no longer looked up', async () => {
    const { reversalState, pass, listed, reversal, deps, you } = await makeRefunded('unknown');
    await pass(10 * DAY);
    expect(await reversalState()).toBe('due');
    await pass(2 * DAY);
    expect(await reversalState()).toBe('unknown');
    expect(await listed()).toMatchObject([{ id: reversal, kind: 'refund', is_yours: true }]);
    expect(await recordByHand(deps, you, reversal, 'By Marta')).toBe(true);
    expect(await listed()).toEqual([]);
  });

  it('is listed and can be ended by hand when the account stopped recording payments', async () => {
    const { listed, reversal, deps, you, reversalState } = await makeRefunded('unknown');
    expect(await listed()).toEqual([]);
    await saveWriteBack(deps, you, false);
    expect(await listed()).toMatchObject([{ id: reversal, kind: 'refund', state: 'due', is_yours: true }]);
    expect(await recordByHand(deps, you, reversal, 'By Marta')).toBe(true);
    expect(await reversalState()).toBe('by_hand');
  });
});
