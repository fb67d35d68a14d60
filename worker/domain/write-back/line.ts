import type { CrmWrite } from '#worker/data/schema/write-back';
import { letWait } from '#worker/data/write-back/accounts';
import type { Deps } from '#worker/deps';
import type { CrmPaymentRecords, CrmWriteAnswer } from '#worker/vendors/hubspot/payment-records-port';

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
