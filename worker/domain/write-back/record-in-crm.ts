import type { CrmRecord } from '#shared/contracts/invoice-life';
import type { RawRow } from '#worker/data/db';
import type { CrmWrite, CrmWriteSettings } from '#worker/data/schema/write-back';
import { isSeen } from './effect.ts';

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
