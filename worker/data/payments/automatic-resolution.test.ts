import { describe, expect, it } from 'vitest';
import { type BareBooks, bareBooks, NOW } from '#tests/support/unit/bare-books';
import { ACCOUNT } from '#tests/support/unit/rows';
import { type gatewayTransactions, resolutions } from '#worker/data/schema/reconciliation';
import { type Attempt, paymentAttempts } from '#worker/data/schema/schema';
import { mayResolveAutomatically } from './attempt-checks.ts';

type Row = Partial<Attempt>;
type Txn = Partial<typeof gatewayTransactions.$inferInsert>;
type Prepare = (fixture: BareBooks) => Promise<unknown>;

const withTransaction =
  (row: Txn) =>
  ({ addTransaction }: BareBooks) =>
    addTransaction(row);
const withAttempt =
  (row: Row, invoiceId = '1') =>
  ({ addAttempt }: BareBooks) =>
    addAttempt(invoiceId, { part: 2, ...row });
const withResolution = (attemptId: string) => async (fixture: BareBooks) => {
  await fixture.addAttempt('9', { id: 'else', state: 'declined' });
  const row = { accountId: ACCOUNT, verdict: 'charged', note: '', resolvedBy: 1, at: NOW } as const;
  await fixture.db.insert(resolutions).values({ ...row, id: 'r', attemptId });
};
const withLedgerEntry =
  (row: object) =>
  async ({ addAttempt, addLedger }: BareBooks) =>
    addLedger(await addAttempt('9'), '9', { providerTxnId: 't1', ...row });

/** True if an attempt in `needs_human` may be approved for the charge `txnId` without a person. */
async function mayResolve(row: Row, prepare: Prepare, txnId = 't1') {
  const fixture = await bareBooks();
  await fixture.addAttempt('1', { id: 'a1', state: 'needs_human', needsHumanFrom: 'unknown', ...row });
  await prepare(fixture);
  const attempt = await fixture.db.query.paymentAttempts.findFirst({
    where: (attempts, { eq }) => eq(attempts.id, 'a1'),
  });
  if (!attempt) throw new Error('there is no attempt');
  const rows = await fixture.db.select().from(paymentAttempts).where(mayResolveAutomatically(attempt, txnId));
  return rows.some(({ id }) => id === 'a1');
}
const withoutOthers: Prepare = async () => undefined;

describe('an attempt in manual review', () => {
  it.each<[string, Row, Prepare, string?]>([
    ['with an unknown outcome', {}, withoutOthers],
    ['that was submitted', { needsHumanFrom: 'pending' }, withoutOthers],
    ['beside a declined attempt', {}, withAttempt({ state: 'declined' })],
    ['beside an attempt of another invoice', {}, withAttempt({}, '2')],
    ['beside a refunded attempt in another collection', {}, withAttempt({ state: 'refunded', collection: 2 })],
    ['beside an attempt that a person has decided on', {}, withResolution('else')],
    [
      'whose charge has a failed refund',
      {},
      withTransaction({ providerTxnId: 'x', parentId: 't1', state: 'declined' }),
    ],
    ['beside the refund of another charge', {}, withTransaction({ providerTxnId: 'x', parentId: 't2' })],
    ['beside the refund of a debit', {}, withTransaction({ providerTxnId: 'x', parentId: 't1', method: 'ach' })],
    ['whose charge is valid', {}, withTransaction({})],
    ['beside another charge that was voided', {}, withTransaction({ providerTxnId: 't2', isVoided: true })],
    ['beside a debit that was returned', {}, withTransaction({ method: 'ach', state: 'returned' })],
    ['beside another charge in the ledger', {}, withLedgerEntry({ providerTxnId: 't2' })],
    ['beside a debit in the ledger', {}, withLedgerEntry({ method: 'ach' })],
    ['whose charge has no id, beside a charge that is not a refund', {}, withTransaction({ providerTxnId: 'x' }), ''],
  ])('may be approved automatically: %s', async (_title, row, prepare, txnId) => {
    expect(await mayResolve(row, prepare, txnId)).toBe(true);
  });

  it.each<[string, Row, Prepare]>([
    ['that was released', { needsHumanFrom: 'not_charged' }, withoutOthers],
    ...(['unknown', 'pending', 'approved', 'needs_human'] as const).map(
      (state) =>
        [`beside an attempt that is ${state}`, {}, withAttempt({ state, collection: 2 })] as [string, Row, Prepare],
    ),
    ['beside an attempt that was sent', { collection: 2 }, withAttempt({ state: 'sent', collection: 1, part: 1 })],
    ['beside a refunded attempt in its collection', {}, withAttempt({ state: 'refunded' })],
    ['that a person has decided on', {}, withResolution('a1')],
    ['whose charge was refunded', {}, withTransaction({ providerTxnId: 'x', parentId: 't1' })],
    ['whose charge was voided', {}, withTransaction({ isVoided: true })],
    ['whose charge was declined', {}, withTransaction({ state: 'declined' })],
    ['whose charge was returned', {}, withTransaction({ state: 'returned' })],
    ['whose charge is in the ledger', {}, withLedgerEntry({})],
  ])('may not be approved automatically: %s', async (_title, row, prepare) => {
    expect(await mayResolve(row, prepare)).toBe(false);
  });
});
