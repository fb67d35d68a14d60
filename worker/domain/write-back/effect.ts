import type { CrmRecord } from '#shared/contracts/lists/invoice-preview';
import type { RawRow } from '#worker/data/db';
import type { CrmWrite, CrmWriteSettings } from '#worker/data/schema/crm';
import { learnEffect, letWait, moveWrite } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import type { CrmBalance, CrmPaymentRecords, CrmWriteAnswer } from '#worker/vendors/hubspot/payment-records-port';

const MINUTE_MS = 60_000;
/** After a refusal that is of the account, unless somebody connects it again or presses the button. */
export const REFUSED_MS = 7 * 24 * 60 * MINUTE_MS;
/** While the CRM is busy or silent and does not say how long. */
export const BUSY_MS = MINUTE_MS;

/** The calls of an account with a good token, and whether its records move balances. */
export type Line = {
  accountId: number;
  movesBalance: boolean | null;
  ask<T>(call: (records: CrmPaymentRecords, accessToken: string) => Promise<T>): Promise<T>;
};

/** `wait`: nothing more of this account for now. */
export type Next = 'go-on' | 'wait';

/** What an answer that wrote nothing means for the whole account. */
export async function accountWaits(
  { db, now, log }: Deps,
  { accountId }: Line,
  answer: Exclude<CrmWriteAnswer, { kind: 'written' | 'unanswered' }>,
): Promise<Next> {
  log.info('write-back-refused', { accountId, reason: answer.kind });
  switch (answer.kind) {
    case 'not-allowed':
      await letWait(db, accountId, { state: 'not_allowed', said: '', waitUntil: now() + REFUSED_MS });
      return 'wait';
    case 'refused':
      await letWait(db, accountId, { state: 'cannot', said: answer.said, waitUntil: now() + REFUSED_MS });
      return 'wait';
    case 'later':
      await letWait(db, accountId, { waitUntil: now() + (answer.waitMs ?? BUSY_MS) });
      return 'wait';
  }
}

const MOST_REFUSALS = 5;

/** When what the CRM refused is asked for again (UTC ms), unless somebody connects the account or presses the button. */
export const askAgainAt = ({ tries }: Pick<CrmWrite, 'tries'>, now: number): number | null =>
  tries < MOST_REFUSALS ? now + REFUSED_MS : null;

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

/** A payment; `account` null: nothing is recorded now; `state` null: the CRM was never told of it. */
type Told = {
  account: CrmWriteSettings['state'] | null;
  account_said: string | null;
  state: CrmWrite['state'] | null;
  effect: CrmWrite['effect'] | null;
  said: string | null;
  note: string | null;
  done_at: number | null;
  /** As it was recorded, and what of it the CRM's balance has been given back since (cents). */
  told_cents: number | null;
  back_cents: number;
};

/** What the CRM's balance has of a payment (cents), as far as we know. */
export function toldCents(row: RawRow): number {
  const told = row as Told;
  const isThere = told.state === 'by_hand' || (told.state === 'written' && isSeen(told));
  return isThere ? (told.told_cents ?? 0) - told.back_cents : 0;
}

/** What the CRM shows of a payment, for who looks at its invoice. Null: payments of the account are not recorded there. */
export function recordInCrm(row: RawRow): CrmRecord | null {
  const told = row as Told;
  if (told.account === null) return null;
  const at = told.done_at === null ? null : new Date(told.done_at).toISOString();
  switch (told.state) {
    case 'by_hand':
      return { state: 'by-hand', at, why: told.note ?? '' };
    case 'written':
      if (isSeen(told)) return { state: 'recorded', at, why: '' };
      return { state: told.effect === 'nothing_moved' ? 'unmoved' : 'waiting', at: null, why: '' };
    case 'sent':
      return { state: 'waiting', at: null, why: '' };
    case 'due':
      if (told.account === 'ready') return { state: 'waiting', at: null, why: '' };
      return { state: 'missing', at: null, why: told.account_said ?? '' };
    default:
      return { state: 'missing', at: null, why: told.said ?? '' };
  }
}
