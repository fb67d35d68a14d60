import { beforeEach, describe, expect, it } from 'vitest';
import { ACCOUNT, add, addClinic, addPayment, db, rowsOf } from '#tests/support/unit/rows';
import { depsWithGateway, NOW } from '#tests/support/unit/shown-gateway';
import type { ReversalLimit } from '#worker/data/refunds/allowance';
import { findApproval } from '#worker/data/refunds/approvals';
import { findReversiblePayment } from '#worker/data/refunds/reversals';
import { askSecondPerson, notifyApprovalUndone } from './second-person.ts';

const WEEK = 7 * 86_400_000;
const [ANA, BEN] = [3, 4];
const merchant = { sessionId: '', accountId: ACCOUNT, userId: ANA, role: 'admin' } as const;

beforeEach(async () => {
  await addClinic({ second_person_cents: 1_000 });
  await add('users', { user_id: ANA, role: 'admin', email: 'ana@x.example', name: 'Ana' });
  await addPayment('p1', { refunded_cents: 300 });
  await addPayment('p2');
});
const addBen = () => add('users', { user_id: BEN, role: 'manager', email: 'ben@x.example' });

async function requestApproval(
  amountCents: number,
  mode: 'as-set' | 'ask' = 'as-set',
  requestKey = 'form-1',
  attemptId = 'p1',
  limit: ReversalLimit | null = null,
) {
  const reversible = await findReversiblePayment(db, ACCOUNT, attemptId);
  if (!reversible) throw new Error('not stored');
  const request = { kind: 'refund', reason: 'Cancelled', requestKey } as const;
  const { attempt } = reversible;
  return askSecondPerson(depsWithGateway([]).deps, { merchant, attempt, request, amountCents, mode, limit });
}
const mails = () =>
  rowsOf<{ id: string; details: string }>('SELECT id, kind, recipient, details FROM outbox ORDER BY recipient');

describe('approval by a second person', () => {
  it.each<[string, number, 'as-set' | 'ask', boolean]>([
    ['up to the account’s limit, including earlier refunds', 700, 'as-set', false],
    ['above the account’s limit', 701, 'as-set', true],
    ['any amount, on request', 1, 'ask', true],
  ])('is required only above the limit or on request: %s', async (_title, cents, mode, isRequired) => {
    await addBen();
    expect(await requestApproval(cents, mode)).toEqual(
      isRequired ? expect.objectContaining({ kind: 'waiting' }) : null,
    );
  });

  it('is not required when the account sets no amount', async () => {
    await addBen();
    await rowsOf('UPDATE accounts SET second_person_cents = NULL');
    expect(await requestApproval(9_700)).toBeNull();
  });

  it('is not required when there is no second person, unless the requester wants it', async () => {
    expect(await requestApproval(9_000)).toBeNull();
    const explanation = 'No one else in this account could approve it.';
    expect(await requestApproval(9_000, 'ask')).toEqual({ kind: 'not-offered', why: explanation });
  });

  it('lasts a week, and its email names the requester and the kind of reversal', async () => {
    await addBen();
    const outcome = await requestApproval(701);
    if (outcome?.kind !== 'waiting') throw new Error(outcome?.kind);
    const expected = {
      state: 'waiting',
      requestedBy: ANA,
      requestedAt: NOW,
      endsAt: NOW + WEEK,
      amountCents: 701,
      attemptId: 'p1',
    };
    expect(await findApproval(db, ACCOUNT, outcome.id)).toMatchObject(expected);
    const [mail] = await mails();
    expect(mail).toMatchObject({ kind: 'approval-asked', recipient: 'ben@x.example' });
    expect(JSON.parse(mail?.details ?? '')).toEqual({ what: 'refund', requestedBy: 'Ana', endsAt: String(NOW + WEEK) });
    expect(outcome.mailIds).toEqual([mail?.id]);
    const after = { kind: 'refund', amountCents: 701, reason: 'Cancelled', state: 'waiting' };
    const events = [{ action: 'approval.asked', subject_id: 'p1', after: JSON.stringify(after) }];
    expect(await rowsOf('SELECT action, subject_id, after FROM audit_events')).toEqual(events);
  });

  it('is requested once when the same form arrives twice', async () => {
    await addBen();
    const [first, repeatedOutcome] = [await requestApproval(701), await requestApproval(701)];
    expect(repeatedOutcome).toEqual({ ...first, mailIds: [] });
  });

  it.each<[string, string, string, string]>([
    ['another request for the payment is waiting', 'form-2', 'p1', 'It was already requested'],
    ['the same form was for another payment', 'form-1', 'p2', 'A second person did not approve it.'],
  ])('is not requested again when %s', async (_title, requestKey, attemptId, explanation) => {
    await addBen();
    await requestApproval(701);
    const answer = await requestApproval(1_001, 'as-set', requestKey, attemptId);
    expect(answer).toEqual({ kind: 'not-offered', why: expect.stringContaining(explanation) });
  });

  it('is not requested above the requester’s limit, which an earlier request has partly used', async () => {
    await addBen();
    await rowsOf('UPDATE accounts SET refund_limit_cents = 2000');
    await requestApproval(1_500);
    const limit = {
      accountId: ACCOUNT,
      userId: ANA,
      since: 0,
      now: NOW,
      request: { attemptId: 'p2', requestKey: 'form-2' },
    };
    expect(await requestApproval(501, 'ask', 'form-2', 'p2', limit)).toEqual({
      kind: 'above-allowance',
      allowedCents: 500,
    });
    expect(await requestApproval(500, 'ask', 'form-2', 'p2', limit)).toMatchObject({ kind: 'waiting' });
  });

  it('is not requested again when it was refused', async () => {
    await addBen();
    await requestApproval(701);
    await rowsOf("UPDATE approvals SET state = 'refused'");
    expect(await requestApproval(701)).toEqual({ kind: 'not-offered', why: 'A second person did not approve it.' });
  });
});

describe('the email about an approval', () => {
  it.each<['waiting' | 'ended', string, string[]]>([
    ['waiting', 'approval-asked', ['ben@x.example']],
    ['ended', 'approval-ended', ['ana@x.example', 'ben@x.example']],
  ])('goes to the right people when the approval is %s', async (state, kind, recipients) => {
    await addBen();
    const row = { id: 'x1', accountId: ACCOUNT, kind: 'refund', requestedBy: ANA, endsAt: 9, decidedAt: 5 };
    await notifyApprovalUndone(depsWithGateway([]).deps, row as Parameters<typeof notifyApprovalUndone>[1], state);
    const sentMails = await mails();
    expect(sentMails).toMatchObject(recipients.map((recipient) => ({ kind, recipient })));
    const prefix = state === 'waiting' ? 'approval-asked-x1-5-' : 'approval-ended-x1-';
    expect(sentMails.every(({ id }) => id.startsWith(prefix))).toBe(true);
    expect(JSON.parse(sentMails[0]?.details ?? '')).toEqual({ what: 'refund', requestedBy: 'Ana', endsAt: '9' });
  });

  it('leaves out the name of a requester who left the team', async () => {
    await addBen();
    const row = { id: 'x1', accountId: ACCOUNT, kind: 'void', requestedBy: 9, endsAt: 9, decidedAt: 5 };
    await notifyApprovalUndone(depsWithGateway([]).deps, row as Parameters<typeof notifyApprovalUndone>[1], 'ended');
    expect(JSON.parse((await mails())[0]?.details ?? '')).toMatchObject({ what: 'void', requestedBy: '' });
  });
});
