import { describe, expect, it } from 'vitest';
import { NOW } from '#tests/support/unit/bare-books';
import { bareClinic, type GatewayAnswer, gatewayCharge } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import type { Attempt } from '#worker/data/schema/schema';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';
import { resolveAutomatically } from './resolve-automatically.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Row = Partial<Attempt>;
type Txn = Partial<GatewayTransaction>;

const inReview: Row = { state: 'needs_human', needsHumanFrom: 'unknown', createdAt: NOW - HOUR, checks: 2 };
const debitInReview: Row = { ...inReview, needsHumanFrom: 'pending', method: 'ach', providerTxnId: 't1' };

/** Checks an attempt in manual review once. `otherResponse`: transactions under its key by the other method. */
async function resolve(row: Row, response: GatewayAnswer, otherResponse: GatewayAnswer = []) {
  const clinic = await bareClinic(row);
  clinic.show(response);
  const { find } = clinic.deps.gateway;
  const method = row.method ?? 'card';
  clinic.deps.gateway.find = async (...args) =>
    args[1] === method
      ? find(...args)
      : otherResponse === 'unavailable'
        ? otherResponse
        : otherResponse.map(gatewayCharge);
  const answer = await resolveAutomatically(clinic.deps, await clinic.read());
  return { ...clinic, answer, row: await clinic.read() };
}

describe('automatic resolution of an attempt in manual review', () => {
  it.each<[string, Row, Txn[]]>([
    ['its one charge', inReview, [{}]],
    ['its charge beside a decline', inReview, [{ id: 't0', state: 'declined' }, {}]],
    [
      'its charge beside a voided one of another order',
      inReview,
      [{}, { id: 't2', attemptId: 'else', isVoided: true }],
    ],
    [
      'its charge beside a refund of another charge',
      inReview,
      [{}, { id: 't2', attemptId: 'else', kind: 'REFUND', parentId: 't9' }],
    ],
    [
      'its charge beside a decline without a parent',
      inReview,
      [{}, { id: 't2', attemptId: '', kind: 'VOID', state: 'declined' }],
    ],
    ['its bank debit', debitInReview, [{ kind: 'DEBIT' }]],
  ])('approves the attempt when the gateway shows %s', async (_title, row, response) => {
    const result = await resolve(row, response);
    expect(result.row).toMatchObject({ state: 'approved', settledAt: NOW });
    expect(result.answer).toEqual(result.row);
    expect(result).toMatchObject({
      logs: ['payment-status-found'],
      fields: [{ attemptId: 'a1', from: 'needs_human', to: 'approved' }],
    });
  });

  it.each<[string, Row, GatewayAnswer, GatewayAnswer?]>([
    ['nothing', inReview, []],
    ['no answer', inReview, 'unavailable'],
    ['a charge that is on its way', inReview, [{ state: 'pending' }]],
    ['a charge without an id', inReview, [{ id: '' }]],
    ['another amount', inReview, [{ amountCents: 9_999 }]],
    ['a voided charge', inReview, [{ isVoided: true }]],
    ['two charges', inReview, [{}, { id: 't2' }]],
    ['a refund under its order', inReview, [{ kind: 'REFUND' }]],
    [
      'a refund of it under another order',
      inReview,
      [{}, { id: 't2', attemptId: 'else', kind: 'REFUND', parentId: 't1' }],
    ],
    ['a void without a parent', inReview, [{}, { id: 't2', attemptId: '', kind: 'void', parentId: '' }]],
    ['a refund without a parent', inReview, [{}, { id: 't2', attemptId: '', kind: 'REFUND', parentId: '' }]],
    ['a credit without a parent', inReview, [{}, { id: 't2', attemptId: '', kind: 'CREDIT', parentId: '' }]],
    ['money of another order', inReview, [{}, { id: 't2', attemptId: 'else' }]],
    ['another order in an unknown state', inReview, [{}, { id: 't2', attemptId: 'else', state: 'other' }]],
    ['money by the other payment method', inReview, [{}], [{ id: 't2', attemptId: 'else' }]],
    ['no answer for the other payment method', inReview, [{}], 'unavailable'],
    ['a debit that is on its way', debitInReview, [{ kind: 'DEBIT', state: 'pending' }]],
    ['another debit', debitInReview, [{ kind: 'DEBIT', id: 't2' }]],
    ['the return of another debit', debitInReview, [{ kind: 'DEBIT', id: 't2', state: 'returned' }]],
    ['a returned charge', inReview, [{ state: 'returned' }]],
  ])('leaves the attempt in review when the gateway returns %s', async (_title, row, response, otherResponse) => {
    const result = await resolve(row, response, otherResponse);
    expect(result.row.state).toBe('needs_human');
    expect(result.answer).toEqual(result.row);
    expect(result.logs).toEqual([]);
  });

  it('marks the attempt returned when its bank debit was returned, even if another attempt is approved', async () => {
    const clinic = await bareClinic({ ...debitInReview });
    await clinic.addAttempt('1', { collection: 2, state: 'approved' });
    clinic.show([{ kind: 'DEBIT', state: 'returned', message: 'R01' }]);
    expect(await resolveAutomatically(clinic.deps, await clinic.read())).toMatchObject({
      state: 'returned',
      message: 'R01',
    });
    expect(clinic.fields).toEqual([{ attemptId: 'a1', from: 'needs_human', to: 'returned' }]);
  });

  it('leaves the attempt in review when our books contradict the charge', async () => {
    const clinic = await bareClinic(inReview);
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
    ['every four hours, as a bank debit', debitInReview, 4 * HOUR],
    ['every four hours within 90 days, as a bank debit', { ...debitInReview, createdAt: NOW - 90 * DAY }, 4 * HOUR],
    ['never after 90 days, as a bank debit', { ...debitInReview, createdAt: NOW - 90 * DAY - 1 }, null],
  ])('checks the attempt again %s', async (_title, overrides, pauseMs) => {
    const { row } = await resolve({ ...inReview, ...overrides }, 'unavailable');
    expect(row).toMatchObject({ nextCheckAt: pauseMs && NOW + pauseMs, checkedAt: NOW });
  });

  it('makes no inquiry when another run has already checked the attempt', async () => {
    const { requests, deps, read } = await bareClinic(inReview);
    expect(await resolveAutomatically(deps, { ...(await read()), checks: 1 })).toMatchObject({ checks: 2 });
    expect(requests).toEqual([]);
  });

  it('returns the attempt to review when its charge is seen while a person releases it', async () => {
    const { db, deps, fields, logs, read, show } = await bareClinic(inReview);
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
