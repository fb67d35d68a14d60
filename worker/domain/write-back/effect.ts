import type { CrmRecord } from '#shared/contracts/lists/invoice-preview';
import type { RawRow } from '#worker/data/db';
import type { CrmWrite, CrmWriteSettings } from '#worker/data/schema/crm';
import { pauseWriteBack, saveObservedEffect, updateWrite } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import type { CrmBalance, CrmPaymentRecords, CrmWriteResult } from '#worker/vendors/hubspot/payment-records-port';

const MINUTE_MS = 60_000;
/**
 * Pause after a refusal that affects the whole account (ms), unless someone reconnects it or turns write-back on again.
 */
export const REFUSAL_PAUSE_MS = 7 * 24 * 60 * MINUTE_MS;
/** Pause while the CRM is busy or does not answer and reports no pause of its own (ms). */
export const BUSY_PAUSE_MS = MINUTE_MS;

/**
 * CRM calls of an account with a valid token. `movesBalance`: true if its records change balances; null if not known
 * yet.
 */
export type CrmConnection = {
  accountId: number;
  movesBalance: boolean | null;
  call<T>(call: (records: CrmPaymentRecords, accessToken: string) => Promise<T>): Promise<T>;
};

/** `wait`: stop the work for this account for now. */
export type NextStep = 'go-on' | 'wait';

/** Pauses the whole account after an answer that wrote nothing. */
export async function pauseAccount(
  { db, now, log }: Deps,
  { accountId }: CrmConnection,
  answer: Exclude<CrmWriteResult, { kind: 'written' | 'unanswered' }>,
): Promise<NextStep> {
  log.info('write-back-refused', { accountId, reason: answer.kind });
  switch (answer.kind) {
    case 'not-allowed':
      await pauseWriteBack(db, accountId, { state: 'not_allowed', said: '', waitUntil: now() + REFUSAL_PAUSE_MS });
      return 'wait';
    case 'refused':
      await pauseWriteBack(db, accountId, { state: 'cannot', said: answer.said, waitUntil: now() + REFUSAL_PAUSE_MS });
      return 'wait';
    case 'later':
      await pauseWriteBack(db, accountId, { waitUntil: now() + (answer.waitMs ?? BUSY_PAUSE_MS) });
      return 'wait';
  }
}

const MAX_REFUSALS = 5;

/**
 * The time of the next attempt after a refusal (UTC ms), unless someone reconnects the account or turns write-back on
 * again. Null if there is none.
 */
export const retryTime = ({ tries }: Pick<CrmWrite, 'tries'>, now: number): number | null =>
  tries < MAX_REFUSALS ? now + REFUSAL_PAUSE_MS : null;

/**
 * Pauses before the balance is read again (ms), since the CRM may take a while to count a record. After the last one,
 * an unchanged balance counts as final.
 */
const REREAD_PAUSES_MS = [60_000, 600_000];

/** True if the balance read afterwards reflects a record. */
export const isReflected = ({ effect }: { effect: CrmWrite['effect'] | null }): boolean =>
  effect === 'paid' || effect === 'balance_moved';

/** Reads the balance again, which alone shows the effect of a record. */
export async function readEffect(deps: Deps, connection: CrmConnection, row: CrmWrite): Promise<NextStep> {
  const { db, now } = deps;
  const balance = await connection.call((records, token) => records.readBalance(token, row.invoiceId));
  const effect = effectOf(row, balance);
  const pause = REREAD_PAUSES_MS[row.looks];
  if (effect === 'nothing_moved' && pause !== undefined) {
    await updateWrite(db, row, { looks: row.looks + 1, nextTryAt: now() + pause });
    return 'go-on';
  }
  await updateWrite(db, row, { effect, nextTryAt: null });
  // Without the earlier balance, a paid invoice proves nothing, since someone else may have paid it there. A balance
  // that cannot be read proves nothing either; a person checks that record.
  if (row.kind === 'payment' && row.balanceCents !== null && isReadable(balance)) {
    await saveObservedEffect(db, connection.accountId, effect !== 'nothing_moved');
    connection.movesBalance = effect !== 'nothing_moved';
  }
  return 'go-on';
}

const isReadable = (balance: CrmBalance | null) =>
  balance !== null && (balance.isPaid || balance.balanceCents !== null);

/** A payment lowers the amount owed; a reversal may raise it again. */
function effectOf({ kind, balanceCents: balanceBefore }: CrmWrite, balance: CrmBalance | null): CrmWrite['effect'] {
  if (!balance) return 'nothing_moved';
  const { isPaid, balanceCents: owedCents } = balance;
  if (kind === 'payment' && isPaid) return 'paid';
  if (owedCents === null) return 'nothing_moved';
  if (kind === 'reversal')
    return balanceBefore !== null && owedCents > balanceBefore ? 'balance_moved' : 'nothing_moved';
  if (owedCents === 0) return 'paid';
  const previous = balanceBefore ?? balance.billedCents;
  return previous !== null && owedCents < previous ? 'balance_moved' : 'nothing_moved';
}

/** A payment with its record in the CRM. `account` null: nothing is recorded now. `state` null: it was never sent. */
type RecordedPayment = {
  account: CrmWriteSettings['state'] | null;
  account_said: string | null;
  state: CrmWrite['state'] | null;
  effect: CrmWrite['effect'] | null;
  said: string | null;
  note: string | null;
  done_at: number | null;
  /** The recorded amount, and the part of it that was reversed according to the CRM's balance (cents). */
  recorded_cents: number | null;
  back_cents: number;
};

/** The part of a payment that is in the CRM's balance (cents), as far as we know. */
export function recordedCents(row: RawRow): number {
  const record = row as RecordedPayment;
  const isInCrm = record.state === 'by_hand' || (record.state === 'written' && isReflected(record));
  return isInCrm ? (record.recorded_cents ?? 0) - record.back_cents : 0;
}

/** The CRM's record of a payment, for viewers of its invoice. Null if the account's payments are not recorded there. */
export function crmRecordOf(row: RawRow): CrmRecord | null {
  const record = row as RecordedPayment;
  if (record.account === null) return null;
  const at = record.done_at === null ? null : new Date(record.done_at).toISOString();
  switch (record.state) {
    case 'by_hand':
      return { state: 'by-hand', at, why: record.note ?? '' };
    case 'written':
      if (isReflected(record)) return { state: 'recorded', at, why: '' };
      return { state: record.effect === 'nothing_moved' ? 'unmoved' : 'waiting', at: null, why: '' };
    case 'sent':
      return { state: 'waiting', at: null, why: '' };
    case 'due':
      if (record.account === 'ready') return { state: 'waiting', at: null, why: '' };
      return { state: 'missing', at: null, why: record.account_said ?? '' };
    default:
      return { state: 'missing', at: null, why: record.said ?? '' };
  }
}
