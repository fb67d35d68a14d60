import type { CrmWrite } from '#worker/data/schema/write-back';
import { learnEffect } from '#worker/data/write-back/accounts';
import { moveWrite } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import type { CrmBalance } from '#worker/vendors/hubspot/payment-records-port';
import type { Line, Next } from './line.ts';

/** The CRM may take a while to count a record. Pauses before the balance is read again (ms); then it has not moved. */
const READ_AGAIN_MS = [60_000, 600_000];

/** The balance that was read back shows a record. */
export const isSeen = ({ effect }: { effect: CrmWrite['effect'] | null }): boolean =>
  effect === 'paid' || effect === 'balance_moved';

/** Read the balance back: only it says what a record has done. */
export async function readEffect(deps: Deps, line: Line, row: CrmWrite): Promise<Next> {
  const { db, now } = deps;
  const balance = await line.ask((records, token) => records.readBalance(token, row.invoiceId));
  const effect = effectOf(row, balance);
  const pause = READ_AGAIN_MS[row.looks];
  if (effect === 'nothing_moved' && pause !== undefined) {
    await moveWrite(db, row, { looks: row.looks + 1, nextTryAt: now() + pause });
    return 'go-on';
  }
  await moveWrite(db, row, { effect, nextTryAt: null });
  // Without the balance from before a paid invoice says nothing: somebody else may have paid it there.
  // Neither does one that cannot be read now: then a person looks, and nothing is learnt.
  if (row.kind === 'payment' && row.balanceCents !== null && isReadable(balance)) {
    await learnEffect(db, line.accountId, effect !== 'nothing_moved');
    line.movesBalance = effect !== 'nothing_moved';
  }
  return 'go-on';
}

const isReadable = (balance: CrmBalance | null) =>
  balance !== null && (balance.isPaid || balance.balanceCents !== null);

/** A payment lowers what is owed; what was given back may raise it again. */
function effectOf({ kind, balanceCents: before }: CrmWrite, balance: CrmBalance | null): CrmWrite['effect'] {
  if (!balance) return 'nothing_moved';
  const { isPaid, balanceCents: owed } = balance;
  if (kind === 'payment' && isPaid) return 'paid';
  if (owed === null) return 'nothing_moved';
  if (kind === 'reversal') return before !== null && owed > before ? 'balance_moved' : 'nothing_moved';
  if (owed === 0) return 'paid';
  const was = before ?? balance.billedCents;
  return was !== null && owed < was ? 'balance_moved' : 'nothing_moved';
}
