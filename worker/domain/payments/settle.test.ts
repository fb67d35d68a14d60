import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { makeLedgerPair } from '#tests/support/ledger-pair';
import { bareClinic, gatewayCharge } from '#tests/support/unit/bare-clinic';
import { ACCOUNT } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { transaction } from '#tests/support/unit/world';
import { claimReversal } from '#worker/data/refunds/reversals';
import { type Attempt, type AttemptState, ledger, paymentAttempts } from '#worker/data/schema/schema';
import { reversalEvent, settleReversal } from '../refunds/settle-reversal.ts';
import {
  consequencesOf,
  declineToShow,
  type Move,
  moveFor,
  nextCheckAfter,
  type SettledAttempt,
  settle,
  settleCharge,
} from './settle.ts';

const AT = Date.UTC(2026, 2, 5, 3);

const attempt: SettledAttempt = {
  id: 'a1',
  accountId: 7,
  invoiceId: 'i1',
  collection: 1,
  amountCents: 18_400,
  currency: 'USD',
  channel: 'link',
  method: 'ach',
  timeZone: 'America/Indiana/Indianapolis',
};

const txn = transaction({
  attemptId: 'a1',
  dedupeKey: 'INV-1-1',
  amountCents: 18_400,
  terminal: { accountId: 7, terminalId: 'T7', sealedApiKey: '' },
});

/** The ledger entry and email of a move, in a short form for a table. */
function consequences(from: AttemptState, to: AttemptState, overrides: Partial<Move> = {}) {
  const { ledgerEntry, payerMail, onlyIf, isKeySpent } = consequencesOf(attempt, {
    from: [from],
    to,
    at: AT,
    txn,
    ...overrides,
  });
  const entry = ledgerEntry && `${ledgerEntry.kind} ${ledgerEntry.amountCents} ${ledgerEntry.day}`;
  return [entry ?? '-', payerMail?.id ?? '-', onlyIf ?? '-', ...(isKeySpent ? ['another key'] : [])];
}

/** A sent attempt, with values from before the move. */
const sentAttempt: Partial<Attempt> = {
  state: 'sent',
  message: 'before',
  providerCode: '9',
  exchangeId: 'x0',
  emptyChecks: 3,
  timeZone: 'Pacific/Honolulu',
};
const charge = gatewayCharge({ createdAt: AT });

describe('the attempt row after a move', () => {
  it.each<[string, Partial<Attempt>, Partial<Move>, Partial<Attempt>]>([
    ['a payment by card', {}, { to: 'approved', txn: charge }, { nextCheckAt: null, settledAt: AT, emptyChecks: 3 }],
    ['a bank debit that settled', { method: 'ach' }, { to: 'approved', txn: charge }, { nextCheckAt: AT + 86_400_000 }],
    ['a bank debit that was declined', { method: 'ach' }, { to: 'declined' }, { nextCheckAt: null, settledAt: AT }],
    [
      'a bank debit on its way',
      {},
      { to: 'pending', nextCheckAt: 5 },
      { nextCheckAt: 5, settledAt: null, emptyChecks: 0 },
    ],
    ['an unknown outcome', {}, { to: 'unknown' }, { settledAt: null, emptyChecks: 3 }],
    [
      'no message',
      {},
      {},
      { message: 'before', providerCode: '9', exchangeId: 'x0', refusal: '', providerTxnId: null },
    ],
    [
      'a message',
      {},
      { message: '', providerCode: '', exchangeId: 'x' },
      { message: '', providerCode: '', exchangeId: 'x' },
    ],
    ['no exchange id', {}, { exchangeId: '' }, { exchangeId: 'x0' }],
    ['the reason for a refusal', {}, { to: 'rejected', refusal: 'busy' }, { refusal: 'busy' }],
    [
      'a transaction',
      {},
      { txn: charge },
      {
        providerTxnId: 't1',
        authCode: 'TAS472',
        cardBrand: 'VISA',
        cardLastFour: '1111',
        result: 'APPROVED',
        cardMasked: 'XXXXXXXXXXXX1111',
        avsResult: 'Y',
        cscResult: 'M',
        feeCents: null,
      },
    ],
  ])('stores what the move contains: %s', async (_title, row, move, expected) => {
    const { deps, read } = await bareClinic({ ...sentAttempt, ...row });
    await settle(deps, await read(), { to: 'declined', from: ['sent'], at: AT, ...move });
    expect(await read()).toMatchObject(expected);
  });

  it.each<[AttemptState, Partial<Move>, string, object]>([
    ['sent', { providerCode: '051' }, 'payment.moved', { state: 'declined', amountCents: 10_000, code: '051' }],
    ['sent', { providerCode: '' }, 'payment.moved', { state: 'declined', amountCents: 10_000 }],
    [
      'needs_human',
      { to: 'voided', note: 'Seen' },
      'payment.resolved',
      { state: 'voided', amountCents: 10_000, note: 'Seen' },
    ],
  ])('records an audit event for a move from %s with %j', async (from, move, action, after) => {
    const { deps, read } = await bareClinic({ state: from });
    await settle(deps, await read(), { to: 'declined', from: [from], at: AT, ...move });
    const [event] = await eventsOf(ACCOUNT);
    expect(event).toMatchObject({ action, subjectKind: 'payment', subjectId: 'a1', before: `{"state":"${from}"}` });
    expect(JSON.parse(event?.after ?? '')).toEqual(after);
  });

  it('books a payment in the time zone of its attempt, and its return in the account’s current one', async () => {
    const { db, deps, read } = await bareClinic({ ...sentAttempt, createdAt: AT });
    await settle(deps, await read(), { to: 'approved', from: ['sent'], at: AT, txn: charge });
    await settle(deps, await read(), { to: 'returned', from: ['approved'], at: AT, txn: charge });
    expect((await db.select().from(ledger)).map(({ kind, day }) => [kind, day])).toEqual([
      ['payment', '2026-03-04'],
      ['return', '2026-03-05'],
    ]);
  });
});

describe('saving the answer to a charge', () => {
  /** Saves an approval in a database whose first `failures` writes fail. */
  async function saveApproval(failures: number) {
    const clinic = await bareClinic(sentAttempt);
    let remainingFailures = failures;
    const { $client } = clinic.db;
    const batch: typeof $client.batch = async (statements) => {
      if (remainingFailures-- > 0) throw new Error('D1 is away');
      return $client.batch(statements);
    };
    const client = { prepare: (sql: string) => $client.prepare(sql), batch };
    clinic.deps.db = Object.assign(Object.create(clinic.db), { $client: client });
    const outcome = { kind: 'approved', txn: charge, exchangeId: 'x' } as const;
    return { ...clinic, answer: await settleCharge(clinic.deps, await clinic.read(), outcome) };
  }

  it.each([0, 1])('saves the answer after %i database failures', async (failures) => {
    const { answer, fields, logs, read } = await saveApproval(failures);
    expect(answer).toEqual(await read());
    expect(answer?.state).toBe('approved');
    expect([logs, fields]).toEqual([['payment-settled'], [{ attemptId: 'a1', to: 'approved', exchangeId: 'x' }]]);
  });

  it('leaves the answer to a status inquiry after two database failures', async () => {
    const { answer, fields, logs, read } = await saveApproval(2);
    expect([answer, (await read()).state, logs]).toEqual([null, 'sent', ['settle-failed']]);
    expect(fields).toMatchObject([{ attemptId: 'a1', to: 'approved' }]);
  });

  it('truncates the cause of an unknown outcome to 200 characters', () => {
    const move = moveFor({ kind: 'unknown', cause: 'c'.repeat(201), exchangeId: '' }, AT);
    expect(move.message).toBe('c'.repeat(200));
  });
});

describe('consequences of a new attempt state', () => {
  it.each<[from: AttemptState, to: AttemptState, ...string[]]>([
    ['sent', 'approved', 'payment 18400 2026-03-04', 'receipt-a1', 'in-ledger'],
    ['pending', 'approved', 'payment 18400 2026-03-04', 'receipt-a1', 'in-ledger'],
    ['needs_human', 'approved', 'payment 18400 2026-03-04', 'receipt-a1', 'in-ledger'],
    ['sent', 'pending', '-', '-', '-'],
    ['pending', 'returned', '-', 'returned-a1', '-', 'another key'],
    ['approved', 'returned', 'return -18400 2026-03-04', 'receipt-a1-return', 'in-ledger'],
    ['sent', 'declined', '-', '-', '-'],
    ['sent', 'rejected', '-', '-', '-'],
    ['sent', 'unknown', '-', '-', '-'],
    ['sent', 'cancelled', '-', '-', '-'],
    ['sent', 'timed_out', '-', '-', '-'],
    ['unknown', 'not_charged', '-', '-', '-'],
    ['unknown', 'needs_human', '-', '-', '-'],
    ['pending', 'needs_human', '-', '-', '-'],
    ['needs_human', 'returned', '-', 'returned-a1', '-', 'another key'],
    ['needs_human', 'not_charged', '-', '-', '-', 'another key'],
  ])('%s -> %s', (from, to, ...expected) => {
    expect(consequences(from, to)).toEqual(expected);
  });

  it('include no ledger entry for a payment without a gateway transaction', () => {
    expect(consequences('sent', 'approved', { txn: null })).toEqual(['-', '-', '-']);
  });
});

describe('the move after a failed charge', () => {
  it.each([
    ['by its own code', '047', null],
    ['by its transaction’s code, beside a general one', '073', { ...txn, providerCode: '047' }],
  ])('hides from card testers why an address or security code check failed: %s', (_title, providerCode, txn) => {
    const declineOutcome = { kind: 'declined', message: 'CVV mismatch', providerCode, txn, exchangeId: '' } as const;
    expect(moveFor(declineOutcome, AT)).toMatchObject({ message: 'Your card was declined.', providerCode: '023' });
  });

  it('leaves a lost answer to a status inquiry', () => {
    expect(moveFor({ kind: 'unknown', cause: 'timeout', exchangeId: '' }, AT)).toMatchObject({
      to: 'unknown',
      from: ['sent'],
      nextCheckAt: AT + 2_000,
    });
  });
});

describe('the move after a gateway answer', () => {
  const decline = { message: 'm', providerCode: '9' };
  const exchangeId = 'x';

  it.each<[Parameters<typeof moveFor>[0], Partial<Move>]>([
    [
      { kind: 'approved', txn, exchangeId },
      { to: 'approved', from: ['sent', 'unknown'] },
    ],
    [
      { kind: 'pending', txn, exchangeId },
      { to: 'pending', from: ['sent', 'unknown'], nextCheckAt: AT + 4 * 3_600_000 },
    ],
    [
      { kind: 'declined', ...decline, txn: null, exchangeId },
      { to: 'declined', from: ['sent', 'unknown'], ...decline },
    ],
    [
      { kind: 'cancelled', ...decline, exchangeId },
      { to: 'cancelled', from: ['sent', 'unknown'], nextCheckAt: AT + 24 * 3_600_000 },
    ],
    [
      { kind: 'no-card-in-time', ...decline, exchangeId },
      { to: 'timed_out', from: ['sent', 'unknown'], nextCheckAt: AT + 24 * 3_600_000 },
    ],
    [
      { kind: 'rejected', reason: 'token', ...decline },
      { to: 'rejected', from: ['sent'], refusal: '' },
    ],
    [
      { kind: 'rejected', reason: 'credentials', ...decline },
      { to: 'rejected', from: ['sent'], refusal: 'credentials' },
    ],
    [
      { kind: 'busy', ...decline },
      { to: 'rejected', from: ['sent'], refusal: 'busy' },
    ],
  ])('maps %j to %j', (outcome, move) => {
    expect(moveFor(outcome, AT)).toMatchObject(move);
  });

  it('shows the decline reason unless a check failed, and our own text when there is none', () => {
    expect(declineToShow({ message: 'Insufficient funds', providerCode: '051' }, null)).toEqual({
      message: 'Insufficient funds',
      providerCode: '051',
    });
    expect(declineToShow({ message: '', providerCode: '051' }, txn).message).toBe('Your card was declined.');
    for (const providerCode of ['021', '046', '047', '048'])
      expect(declineToShow({ message: 'm', providerCode }, null).providerCode).toBe('023');
  });

  it('spaces status inquiries further apart, up to ten minutes', () => {
    const seconds = [2, 5, 15, 30, 60, 120, 300, 600, 600, 600];
    expect(seconds.map((_, checks) => nextCheckAfter(checks) / 1_000)).toEqual(seconds);
  });
});

describe('the ledger entry', () => {
  const entry = (from: AttemptState, to: AttemptState, overrides: Partial<SettledAttempt> = {}) =>
    consequencesOf(
      { ...attempt, ...overrides },
      { from: [from], to, at: AT, txn: { ...txn, createdAt: AT - 3_600_000, changedAt: AT - 60_000 } },
    ).ledgerEntry;

  it('has the gateway id and an hour for a payment, and its own id and no hour for a return', () => {
    expect(entry('sent', 'approved')).toMatchObject({ providerTxnId: txn.id, hour: 21 });
    expect(entry('approved', 'returned')).toMatchObject({ providerTxnId: `${txn.id}-return`, hour: null });
  });

  it('has the time at which the card was charged or the bank moved the debit', () => {
    expect(entry('sent', 'approved', { method: 'card' })?.at).toBe(AT - 3_600_000);
    expect(entry('sent', 'approved', { method: 'ach' })?.at).toBe(AT - 60_000);
  });

  it('is absent for a return without a transaction, and a charge needs a new key only if its own is spent', () => {
    expect(consequences('approved', 'returned', { txn: null })).toEqual(['-', '-', '-']);
    const isKeySpentAfter = (from: AttemptState, isKeySpent: boolean) =>
      consequencesOf({ ...attempt, method: 'card' }, { from: [from], to: 'not_charged', at: AT, isKeySpent })
        .isKeySpent;
    expect([
      isKeySpentAfter('needs_human', false),
      isKeySpentAfter('needs_human', true),
      isKeySpentAfter('unknown', true),
    ]).toEqual([...[false, true, false]]);
  });
});

describe('a late settlement', () => {
  it('does not overwrite the local status that a void has set since', async () => {
    const world = await makeLedgerPair();
    const sale = await world.sell();
    const paidAttempt = await world.read(sale.id);
    const { accountId, invoiceId, amountCents } = paidAttempt;
    const at = world.clock.now;
    const reversal = {
      id: `r${sale.id}`,
      accountId,
      attemptId: sale.id,
      invoiceId,
      kind: 'void' as const,
      amountCents,
      dedupeKey: 'k',
      requestKey: sale.id,
      reason: '',
      requestedBy: 0,
      holdUntil: at,
      nextCheckAt: null,
      createdAt: at,
    };
    const { claimed } = await claimReversal(world.db, reversal, paidAttempt, reversalEvent(world.deps, reversal), null);
    if (!claimed) throw new Error('not claimed');
    await settleReversal(world.deps, claimed, paidAttempt, {
      to: 'approved',
      from: ['sent'],
      at,
      txnId: `${sale.txn.id}-void`,
    });
    const lateMove = await settle(world.deps, paidAttempt, {
      to: 'approved',
      from: ['sent', 'unknown'],
      at,
      txn: sale.txn,
    });
    expect(lateMove.moved).toBe(false);
    expect(await world.state()).toMatchObject([
      { state: 'voided', localStatus: 'voided', booked: ['payment 18400', 'void -18400'] },
    ]);
  });

  it('does not overwrite the local status that another payment has set since', async () => {
    const world = await makeLedgerPair();
    const debit = await world.sell({ method: 'ach', state: 'pending' });
    const pendingAttempt = await world.read(debit.id);
    const returnMove: Move = { to: 'returned', from: ['pending'], at: world.clock.now, txn: debit.txn };
    await settle(world.deps, pendingAttempt, returnMove);
    // The debit was returned, so the invoice is in its next collection.
    const secondAttempt = {
      ...pendingAttempt,
      id: `second-${debit.id}`,
      receiptId: `second-${debit.id}`,
      providerTxnId: null,
      collection: 2,
    };
    await world.db.insert(paymentAttempts).values({ ...secondAttempt, state: 'sent' });
    const secondTxn = { ...debit.txn, id: `second-${debit.txn.id}` };
    await settle(world.deps, secondAttempt, { to: 'approved', from: ['sent'], at: world.clock.now, txn: secondTxn });
    expect((await settle(world.deps, pendingAttempt, returnMove)).moved).toBe(false);
    expect(await world.state()).toMatchObject([
      { state: 'returned', localStatus: 'paid' },
      { state: 'approved', localStatus: 'paid' },
    ]);
  });

  it('books no return for a payment that was never booked', async () => {
    const world = await makeLedgerPair();
    const debit = await world.sell({ method: 'ach', state: 'pending' });
    await world.db.update(paymentAttempts).set({ state: 'approved' }).where(eq(paymentAttempts.id, debit.id));
    const approvedAttempt = await world.read(debit.id);
    await settle(world.deps, approvedAttempt, {
      to: 'returned',
      from: ['approved'],
      at: world.clock.now,
      txn: debit.txn,
    });
    expect(await world.state()).toMatchObject([{ state: 'returned', localStatus: 'none', booked: [] }]);
  });
});
