import { findTokens } from '#worker/data/crm-sync/tokens';
import type { CrmWrite, CrmWriteState } from '#worker/data/schema/crm';
import { RESPONSE_WAIT_MS } from '#worker/data/write-back/unrecorded';
import { findWriteSettings, listDueWrites, listWritingAccounts, pauseWriteBack } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import type { StateRule } from '#worker/domain/state-rule';
import { CrmError } from '#worker/vendors/hubspot/port';
import { BUSY_PAUSE_MS, type CrmConnection, type NextStep, REFUSAL_PAUSE_MS, readEffect } from './effect.ts';
import { recordPayment } from './record-payment.ts';
import { MAX_WAIT_MS, recordReversal } from './record-reversal.ts';
import { WRITE_SCOPE } from './settings.ts';

/** The maximum number of rows per run of the schedule, since other work waits for them. */
const ROWS_PER_RUN = 5;
/**
 * Pause between two rows (ms). Each row makes at most one write, so there are at most 2 writes a second. Averaged over
 * a run, all calls including reads stay within 2 a second too. The rest of the account's limit is for payers and lists.
 */
const ROW_PAUSE_MS = 500;

/** For a clinic's schedule: records payments in the CRM, one row after another, never in a payer's request. */
export async function writeBack(deps: Deps): Promise<void> {
  for (const accountId of await listWritingAccounts(deps.db, deps.now())) await processAccount(deps, accountId);
}

async function processAccount(deps: Deps, accountId: number): Promise<void> {
  const { db, now, crm } = deps;
  const [settings, tokens] = [await findWriteSettings(db, accountId), await findTokens(db, accountId)];
  if (!settings?.isOn) return;
  if (!tokens || tokens.revokedAt !== null || !tokens.scopes.split(' ').includes(WRITE_SCOPE))
    return void (await pauseWriteBack(db, accountId, {
      state: 'not_allowed',
      said: '',
      waitUntil: now() + REFUSAL_PAUSE_MS,
    }));
  const records = crm.paymentRecords;
  const startedAt = now();
  let calls = 0;
  const connection: CrmConnection = {
    accountId,
    movesBalance: settings.movesBalance,
    // The token is read again for each call, since another call may have renewed it.
    call: async (call) =>
      withCrm(deps, (await findTokens(db, accountId)) ?? tokens, (accessToken) => {
        calls++;
        return call(records, accessToken);
      }),
  };
  for (const [index, row] of (await listDueWrites(db, accountId, now(), ROWS_PER_RUN)).entries()) {
    if (index > 0) await deps.pause(ROW_PAUSE_MS);
    if ((await processRow(deps, connection, row)) === 'wait') return;
  }
  await pauseWriteBack(db, accountId, { waitUntil: startedAt + calls * ROW_PAUSE_MS });
}

async function processRow(deps: Deps, connection: CrmConnection, row: CrmWrite): Promise<NextStep> {
  try {
    if (row.state === 'written') return await readEffect(deps, connection, row);
    return row.kind === 'payment'
      ? await recordPayment(deps, connection, row)
      : await recordReversal(deps, connection, row);
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    const { db, now } = deps;
    deps.log.info('write-back-paused', { accountId: connection.accountId, reason: cause.reason });
    if (cause.reason === 'missing-scopes')
      await pauseWriteBack(db, connection.accountId, {
        state: 'not_allowed',
        said: '',
        waitUntil: now() + REFUSAL_PAUSE_MS,
      });
    else await pauseWriteBack(db, connection.accountId, { waitUntil: now() + (cause.retryAfterMs ?? BUSY_PAUSE_MS) });
    return 'wait';
  }
}

const DAY_MS = 24 * 3_600_000;

/**
 * The rules for every state of a record in the CRM: the states that may follow, the event that ends it, its time limit,
 * and the alert after that limit. The limits apply to an account that records payments and while its CRM answers;
 * otherwise staff may end each open record by hand. `unrecorded`: the clinic's list of payments missing in the CRM,
 * with reasons. Payers wait for a record at most a quarter of an hour; then the CRM's balance decides
 * (worker/data/installments/collections.ts).
 */
export const recordStates = {
  due: {
    exits: ['sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The schedule, which requests the record; for refunds, once the payment’s record is settled.',
    limitMs: MAX_WAIT_MS.other,
    alert: 'unrecorded',
  },
  sent: {
    exits: ['due', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM’s list of records or its balance; without either for a day after the call, a person.',
    limitMs: DAY_MS + RESPONSE_WAIT_MS,
    alert: 'unrecorded',
  },
  refused: {
    exits: ['sent', 'written', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM’s answer to the next request, or a person who marks it as recorded by hand.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  unknown: {
    exits: ['written', 'not_wanted', 'by_hand'],
    endedBy: 'A person who marks it as recorded by hand, or the CRM’s list of records once it appears there.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  written: {
    exits: ['by_hand'],
    endedBy: 'Final, unless the balance does not reflect it.',
    limitMs: null,
    alert: null,
  },
  not_wanted: {
    exits: ['by_hand'],
    endedBy: 'Final, unless a person recorded it by hand.',
    limitMs: null,
    alert: null,
  },
  by_hand: { exits: [], endedBy: 'Final.', limitMs: null, alert: null },
} as const satisfies Record<CrmWriteState, StateRule<CrmWriteState>>;
