import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic, type Shown, shownCharge } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { Attempt } from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolveAutomatically } from './resolve-automatically.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Row = Partial<Attempt>;
type Txn = Partial<GatewayTransaction>;

const before: Row = { state: 'needs_human', needsHumanFrom: 'unknown', createdAt: NOW - HOUR, checks: 2 };
const debit: Row = { ...before, needsHumanFrom: 'pending', method: 'ach', providerTxnId: 't1' };

/** Checks an attempt in manual review once; `elsewhere`: transactions by the other payment method under its key. */
async function resolve(row: Row, shown: Shown, elsewhere: Shown = []) {
  const clinic = await bareClinic(row);
  clinic.show(shown);
  const { find } = clinic.deps.gateway;
  const own = row.method ?? 'card';
  clinic.deps.gateway.find = async (...args) =>
    args[1] === own ? find(...args) : elsewhere === 'unavailable' ? elsewhere : elsewhere.map(shownCharge);
  const answer = await resolveAutomatically(clinic.deps, await clinic.read());
  return { ...clinic, answer, row: await clinic.read() };
}

describe('automatic resolution of an attempt in manual review', () => {
  it.each<[string, Row, Txn[]]>([
    ['its one charge', before, [{}]],
    ['its charge beside a decline', before, [{ id: 't0', state: 'declined' }, {}]],
    ['its charge beside a voided one of another order', before, [{}, { id: 't2', attemptId: 'else', isVoided: true }]],
    [
      'its charge beside a refund of another one',
      before,
      [{}, { id: 't2', attemptId: 'else', kind: 'REFUND', parentId: 't9' }],
    ],
    [
      'its charge beside a decline without a parent',
      before,
      [{}, { id: 't2', attemptId: '', kind: 'VOID', state: 'declined' }],
    ],
    ['its bank debit', debit, [{ kind: 'DEBIT' }]],
  ])('approves the attempt given %s', async (_what, row, shown) => {
    const found = await resolve(row, shown);
    expect(found.row).toMatchObject({ state: 'approved', settledAt: NOW });
    expect(found.answer).toEqual(found.row);
    expect(found).toMatchObject({
      logs: ['payment-status-found'],
      fields: [{ attemptId: 'a1', from: 'needs_human', to: 'approved' }],
    });
  });

  it.each<[string, Row, Shown, Shown?]>([
    ['nothing', before, []],
    ['no answer', before, 'unavailable'],
    ['a charge that is on its way', before, [{ state: 'pending' }]],
    ['a charge without an id', before, [{ id: '' }]],
    ['another amount', before, [{ amountCents: 9_999 }]],
    ['a voided charge', before, [{ isVoided: true }]],
    ['two charges', before, [{}, { id: 't2' }]],
    ['a refund under its order', before, [{ kind: 'REFUND' }]],
    [
      'a refund of it under another order',
      before,
      [{}, { id: 't2', attemptId: 'else', kind: 'REFUND', parentId: 't1' }],
    ],
    ['a void without a parent', before, [{}, { id: 't2', attemptId: '', kind: 'void', parentId: '' }]],
    ['a refund without a parent', before, [{}, { id: 't2', attemptId: '', kind: 'REFUND', parentId: '' }]],
    ['a credit without a parent', before, [{}, { id: 't2', attemptId: '', kind: 'CREDIT', parentId: '' }]],
    ['money of another order', before, [{}, { id: 't2', attemptId: 'else' }]],
    ['another order in an unknown state', before, [{}, { id: 't2', attemptId: 'else', state: 'other' }]],
    ['money by the other payment method', before, [{}], [{ id: 't2', attemptId: 'else' }]],
    ['no answer for the other payment method', before, [{}], 'unavailable'],
    ['a debit that is on its way', debit, [{ kind: 'DEBIT', state: 'pending' }]],
    ['another debit', debit, [{ kind: 'DEBIT', id: 't2' }]],
    ['the return of another debit', debit, [{ kind: 'DEBIT', id: 't2', state: 'returned' }]],
    ['a returned charge', before, [{ state: 'returned' }]],
  ])('leaves the attempt in review given %s', async (_what, row, shown, elsewhere) => {
    const found = await resolve(row, shown, elsewhere);
    expect(found.row.state).toBe('needs_human');
    expect(found.answer).toEqual(found.row);
    expect(found.logs).toEqual([]);
  });

  it('marks the attempt returned when its bank debit was returned, even if another attempt is approved', async () => {
    const clinic = await bareClinic({ ...debit });
    await clinic.addAttempt('1', { collection: 2, state: 'approved' });
    clinic.show([{ kind: 'DEBIT', state: 'returned', message: 'R01' }]);
    expect(await resolveAutomatically(clinic.deps, await clinic.read())).toMatchObject({
      state: 'returned',
      message: 'R01',
    });
    expect(clinic.fields).toEqual([{ attemptId: 'a1', from: 'needs_human', to: 'returned' }]);
  });

  it('leaves the attempt in review when our books contradict the charge', async () => {
    const clinic = await bareClinic(before);
    await clinic.addAttempt('1', { collection: 2, state: 'approved' });
    clinic.show([{}]);
    expect((await resolveAutomatically(clinic.deps, await clinic.read())).state).toBe('needs_human');
    expect(clinic.logs).toEqual([]);
  });

  it.each<[string, Row, number | null]>([
    ['soon at first', { checks: 3 }, 30_000],
    ['soon within a day', { checks: 3, createdAt: NOW - DAY }, 30_000],
    ['every hour after a day', { checks: 3, createdAt: NOW - DAY - 1 }, HOUR],
    ['every hour within 60 days', { createdAt: NOW - 60 * DAY }, HOUR],
    ['never after 60 days', { createdAt: NOW - 60 * DAY - 1 }, null],
    ['every four hours, as a bank debit', debit, 4 * HOUR],
    ['every four hours within 90 days, as a bank debit', { ...debit, createdAt: NOW - 90 * DAY }, 4 * HOUR],
    ['never after 90 days, as a bank debit', { ...debit, createdAt: NOW - 90 * DAY - 1 }, null],
  ])('checks the attempt again %s', async (_what, more, pauseMs) => {
    const { row } = await resolve({ ...before, ...more }, 'unavailable');
    expect(row).toMatchObject({ nextCheckAt: pauseMs && NOW + pauseMs, checkedAt: NOW });
  });

  it('makes no inquiry when another run has already checked the attempt', async () => {
    const { asked, deps, read } = await bareClinic(before);
    expect(await resolveAutomatically(deps, { ...(await read()), checks: 1 })).toMatchObject({ checks: 2 });
    expect(asked).toEqual([]);
  });

  it('returns the attempt to review when its charge is seen while a person releases it', async () => {
    const { db, deps, fields, logs, read, show } = await bareClinic(before);
    show([{}]);
    const { find } = deps.gateway;
    deps.gateway.find = async (...args) => {
      await db.$client.prepare("UPDATE payment_attempts SET state = 'not_charged'").run();
      return find(...args);
    };
    expect(await resolveAutomatically(deps, await read())).toMatchObject({
      state: 'needs_human',
      needsHumanFrom: 'not_charged',
    });
    expect(logs).toEqual(['ALERT payment-needs-a-person']);
    expect(fields).toEqual([{ accountId: ACCOUNT, attemptId: 'a1', from: 'not_charged', to: 'needs_human' }]);
  });
});
