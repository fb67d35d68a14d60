import { beforeEach, describe, expect, it } from 'vitest';
import {
  ACCOUNT,
  add,
  addClinic,
  addEntry,
  addPayment,
  db,
  eventOf,
  readAuditActions,
  rowsOf,
} from '#tests/support/unit/rows';
import {
  cannotSucceed,
  decideApproval,
  findApproval,
  findSecondPerson,
  findWaitingApproval,
  insertApproval,
  listApprovals,
} from './approvals.ts';

const [ANA, BEN, EVA] = [1, 2, 3];

beforeEach(async () => {
  await addClinic({ second_person_cents: 500 });
  await add('users', { user_id: ANA, role: 'admin', email: 'ana@x.example', name: 'Ana' });
  await addPayment('p1', { invoice_number: 'INV-1', payer_first_name: 'Marta', payer_last_name: 'Núñez' });
});
const addBen = () => add('users', { user_id: BEN, role: 'manager', email: 'ben@x.example' });

const addApproval = (id: string, overrides: Record<string, unknown> = {}) =>
  add('approvals', {
    id,
    attempt_id: 'p1',
    kind: 'refund',
    amount_cents: 700,
    request_key: id,
    requested_by: ANA,
    requested_at: 100,
    ends_at: 1000,
    next_try_at: 1000,
    ...overrides,
  });
const readStored = () => rowsOf('SELECT id, state, decided_by, decided_at, next_try_at FROM approvals ORDER BY id');

describe('the second person for a refund', () => {
  it('is required above an amount, and available when another person may refund', async () => {
    expect(await findSecondPerson(db, { accountId: ACCOUNT, userId: ANA })).toEqual({ cents: 500, isThere: false });
    await addBen();
    expect(await findSecondPerson(db, { accountId: ACCOUNT, userId: ANA })).toEqual({ cents: 500, isThere: true });
  });

  it('is not required when the account sets no amount, and not available without an account', async () => {
    await add('accounts', { account_id: ACCOUNT + 1 });
    expect(await findSecondPerson(db, { accountId: ACCOUNT + 1, userId: ANA })).toEqual({
      cents: null,
      isThere: false,
    });
    expect(await findSecondPerson(db, { accountId: ACCOUNT + 2, userId: ANA })).toEqual({
      cents: null,
      isThere: false,
    });
  });
});

describe('requesting an approval', () => {
  const request = (id: string, overrides: { requestKey?: string; attemptId?: string; requestedAt?: number } = {}) =>
    insertApproval(
      db,
      {
        id,
        accountId: ACCOUNT,
        attemptId: 'p1',
        kind: 'refund',
        amountCents: 700,
        reason: 'Cancelled',
        requestKey: id,
        requestedBy: ANA,
        requestedAt: 100,
        endsAt: 1000,
        ...overrides,
      },
      { id: `mail-${id}`, kind: 'approval-asked', attemptId: 'p1' },
      eventOf('approval.asked'),
      null,
    );

  it('is saved until it ends, and queues an email to every other person who may decide on it', async () => {
    await addBen();
    await add('users', { user_id: EVA, role: 'admin', email: 'eva@x.example' });
    const { storedApproval: approval, mailIds } = await request('x1');
    expect(approval).toMatchObject({ id: 'x1', state: 'waiting', requestedBy: ANA, nextTryAt: 1000, amountCents: 700 });
    expect(mailIds).toEqual([`mail-x1-${BEN}`, `mail-x1-${EVA}`]);
    expect(await readAuditActions()).toEqual(['approval.asked']);
  });

  it('returns the earlier approval of the same request, and queues no further email', async () => {
    await addBen();
    await request('x1');
    const { storedApproval: approval, mailIds } = await request('x2', { requestKey: 'x1' });
    expect([approval?.id, mailIds]).toEqual(['x1', []]);
    expect(await readAuditActions()).toEqual(['approval.asked']);
  });

  it('does nothing while another approval of the payment waits', async () => {
    await request('x1');
    expect(await request('x2', { requestedAt: 999 })).toEqual({ storedApproval: undefined, mailIds: [] });
    expect(await readStored()).toMatchObject([{ id: 'x1', state: 'waiting' }]);
  });

  it('ends an expired approval of the payment, and no other', async () => {
    await addPayment('p2');
    await addApproval('x0', { state: 'approved', decided_by: BEN });
    await addApproval('x1');
    await addApproval('x2', { attempt_id: 'p2' });
    expect((await request('x3', { requestedAt: 1000 })).storedApproval?.id).toBe('x3');
    expect(await readStored()).toMatchObject([
      { id: 'x0', state: 'approved', next_try_at: 1000 },
      { id: 'x1', state: 'ended', next_try_at: null },
      { id: 'x2', state: 'waiting', next_try_at: 1000 },
      { id: 'x3', state: 'waiting' },
    ]);
  });
});

it.each([
  ['waits', {}, { kind: 'refund', amountCents: 700, askedBy: 'Ana' }],
  ['was approved', { state: 'approved', decided_by: BEN }, undefined],
  ['was refused', { state: 'refused', decided_by: BEN, next_try_at: null }, undefined],
  ['has expired', { ends_at: 500 }, undefined],
  ['is of another payment', { attempt_id: 'p2' }, undefined],
])('finds the waiting request of a payment: a request that %s', async (_title, overrides, expected) => {
  await addPayment('p2');
  await addApproval('x1', overrides);
  expect(await findWaitingApproval(db, ACCOUNT, 'p1', 500)).toEqual(expected);
});

describe('deciding an approval', () => {
  const decide = (
    to: 'approved' | 'refused',
    userId = BEN,
    overrides: { id?: string; now?: number; note?: string } = {},
  ) =>
    decideApproval(
      db,
      { id: 'x1', decider: { accountId: ACCOUNT, userId }, to, note: '', now: 500, ...overrides },
      eventOf('approval.decided'),
    );
  beforeEach(async () => {
    await addBen();
    await addPayment('p2');
    await addApproval('x1');
    await addApproval('x2', { attempt_id: 'p2' });
  });

  it.each([
    ['approved', 60_500],
    ['refused', null],
  ] as const)('makes it %s once, and leaves the others unchanged', async (to, nextTryAt) => {
    expect(await decide(to)).toMatchObject({ id: 'x1', state: to, decidedBy: BEN, decidedAt: 500, nextTryAt });
    expect(await decide(to)).toBeUndefined();
    expect(await readStored()).toMatchObject([{ state: to }, { id: 'x2', state: 'waiting', decided_by: null }]);
    expect(await readAuditActions()).toHaveLength(1);
  });

  it('stores the reason for a refusal', async () => {
    expect(await decide('refused', BEN, { note: 'Ask the insurer first' })).toMatchObject({
      state: 'refused',
      decisionNote: 'Ask the insurer first',
    });
  });

  it('lets others approve it, and the requester withdraw it', async () => {
    expect(await decide('approved', ANA)).toBeUndefined();
    expect(await decide('refused', ANA)).toMatchObject({ state: 'refused', decidedBy: ANA });
  });

  it('fails for a person who may not refund', async () => {
    await add('users', { user_id: EVA, role: 'desk' });
    expect(await decide('approved', EVA)).toBeUndefined();
    expect(await decide('refused', EVA)).toBeUndefined();
  });

  it.each([
    ['was refunded after it', { at: 100 }, true],
    ['was refunded before it', { at: 99 }, false],
    ['was received after it', { at: 100, kind: 'payment' }, false],
    ['of another payment was refunded', { at: 100, attempt_id: 'p2' }, false],
  ])('refuses to approve only if there was a refund after the request: money %s', async (_title, entry, isOver) => {
    await addEntry('p1', { kind: 'refund', ...entry });
    expect(await cannotSucceed(db, 'x1')).toBe(isOver);
    expect((await decide('approved')) === undefined).toBe(isOver);
    expect(await cannotSucceed(db, 'x1')).toBe(isOver);
    if (isOver) expect(await decide('refused')).toMatchObject({ state: 'refused' });
    expect(await cannotSucceed(db, 'x1')).toBe(false);
  });

  it('fails once the approval has expired', async () => {
    expect(await decide('approved', BEN, { now: 1000 })).toBeUndefined();
    expect(await decide('approved', BEN, { now: 999 })).toMatchObject({ state: 'approved' });
  });
});

describe('the list of approvals', () => {
  it('shows those after a given time newest first, with payment, requester and decider', async () => {
    await addBen();
    await addPayment('p2', { invoice_number: 'INV-2' });
    await addApproval('x1', { requested_at: 99, state: 'ended' });
    await addApproval('x2', { requested_at: 101 });
    await addApproval('x3', {
      requested_at: 102,
      attempt_id: 'p2',
      requested_by: BEN,
      state: 'approved',
      decided_by: ANA,
    });
    await addApproval('x4', {
      requested_at: 103,
      attempt_id: 'p2',
      requested_by: EVA,
      state: 'refused',
      decided_by: BEN,
    });
    const expected = { askedByName: 'Ana', decidedByName: null, payer: 'Marta Núñez', invoiceNumber: 'INV-1' };
    const all = await listApprovals(db, ACCOUNT, { from: 100 });
    expect(all).toMatchObject([
      { id: 'x4', askedByName: '', decidedByName: 'ben@x.example', invoiceId: 'p2' },
      { id: 'x3', askedByName: 'ben@x.example', decidedByName: 'Ana', invoiceNumber: 'INV-2', payer: '' },
      { id: 'x2', ...expected, currency: 'USD', amountCents: 700 },
    ]);
    expect(await listApprovals(db, ACCOUNT, { from: 101 })).toHaveLength(2);
    expect(await listApprovals(db, ACCOUNT, { from: 999, id: 'x1' })).toMatchObject([{ id: 'x1' }]);
    expect(await findApproval(db, ACCOUNT, 'x3')).toMatchObject({ id: 'x3', requestedBy: BEN });
    expect(await findApproval(db, ACCOUNT, 'x9')).toBeUndefined();
  });

  it('shows at most 200', async () => {
    await rowsOf(
      `WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 201)
        INSERT INTO approvals (id, account_id, attempt_id, kind, amount_cents, reason, request_key, requested_by, requested_at,
          ends_at, state) SELECT 'x' || n, ?, 'p1', 'refund', 1, '', n, 1, n, 1, 'ended' FROM n`,
      ACCOUNT,
    );
    expect(await listApprovals(db, ACCOUNT, { from: 0 })).toHaveLength(200);
  });
});
