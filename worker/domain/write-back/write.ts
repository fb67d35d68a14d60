import { findTokens } from '#worker/data/crm-sync/tokens';
import type { CrmWrite, CrmWriteState } from '#worker/data/schema/crm';
import { ON_ITS_WAY_MS } from '#worker/data/write-back/unrecorded';
import { findWriteSettings, letWait, listDueWrites, listWriting } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import type { StateRule } from '#worker/domain/state-rule';
import { CrmError } from '#worker/vendors/hubspot/port';
import { BUSY_MS, type Line, type Next, REFUSED_MS, readEffect } from './effect.ts';
import { recordPayment } from './record-payment.ts';
import { LONGEST_WAIT_MS, recordReversal } from './record-reversal.ts';
import { WRITE_SCOPE } from './settings.ts';

/** Rows of one turn of the clock, which other work waits for. */
const AT_ONCE = 5;
/**
 * Between two rows (ms): each makes one write at most, so there are 2 writes a second at most. All calls of a turn, looks
 * too, come to 2 a second as well: the account's limit is for reads, since payers and lists wait for those.
 */
const PACE_MS = 500;

/** What the clock does about the CRM: it tells it of payments, one row after the other, never in a payer's request. */
export async function writeBack(deps: Deps): Promise<void> {
  for (const accountId of await listWriting(deps.db, deps.now())) await writeSome(deps, accountId);
}

async function writeSome(deps: Deps, accountId: number): Promise<void> {
  const { db, now, crm } = deps;
  const [settings, tokens] = [await findWriteSettings(db, accountId), await findTokens(db, accountId)];
  if (!settings?.isOn) return;
  if (!tokens || tokens.revokedAt !== null || !tokens.scopes.split(' ').includes(WRITE_SCOPE))
    return void (await letWait(db, accountId, { state: 'not_allowed', said: '', waitUntil: now() + REFUSED_MS }));
  const records = crm.paymentRecords;
  const beganAt = now();
  let calls = 0;
  const line: Line = {
    accountId,
    movesBalance: settings.movesBalance,
    // Read anew for each call: another one may have renewed the token.
    ask: async (call) =>
      withCrm(deps, (await findTokens(db, accountId)) ?? tokens, (accessToken) => {
        calls++;
        return call(records, accessToken);
      }),
  };
  for (const [at, row] of (await listDueWrites(db, accountId, now(), AT_ONCE)).entries()) {
    if (at > 0) await deps.pause(PACE_MS);
    if ((await writeOne(deps, line, row)) === 'wait') return;
  }
  await letWait(db, accountId, { waitUntil: beganAt + calls * PACE_MS });
}

async function writeOne(deps: Deps, line: Line, row: CrmWrite): Promise<Next> {
  try {
    if (row.state === 'written') return await readEffect(deps, line, row);
    return row.kind === 'payment' ? await recordPayment(deps, line, row) : await recordReversal(deps, line, row);
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    const { db, now } = deps;
    deps.log.info('write-back-waits', { accountId: line.accountId, reason: cause.reason });
    if (cause.reason === 'missing-scopes')
      await letWait(db, line.accountId, { state: 'not_allowed', said: '', waitUntil: now() + REFUSED_MS });
    else await letWait(db, line.accountId, { waitUntil: now() + (cause.retryAfterMs ?? BUSY_MS) });
    return 'wait';
  }
}

const DAY_MS = 24 * 3_600_000;

/**
 * Every state of a record in the CRM: what may follow it, what ends it, by when, and where it is told if nothing does. The
 * limits hold in an account that records payments and while its CRM answers; in any other, staff may end each open one by
 * hand. `unrecorded`: the clinic's list of what the CRM shows nothing of, which names the reason. Payers never wait for a
 * record longer than a quarter of an hour: then the CRM's balance decides (worker/data/parts/collections.ts).
 */
export const recordStates = {
  due: {
    exits: ['sent', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy:
      'The clock, which asks the CRM for the record; for what was given back, once its payment’s record is settled.',
    limitMs: LONGEST_WAIT_MS.other,
    alert: 'unrecorded',
  },
  sent: {
    exits: ['due', 'written', 'refused', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM’s list of records, or its balance; a day after the call without either, a person.',
    limitMs: DAY_MS + ON_ITS_WAY_MS,
    alert: 'unrecorded',
  },
  refused: {
    exits: ['sent', 'written', 'unknown', 'not_wanted', 'by_hand'],
    endedBy: 'The CRM, when it is asked again; or a person’s word that it was recorded by hand.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  unknown: {
    exits: ['written', 'not_wanted', 'by_hand'],
    endedBy: 'A person’s word that it was recorded by hand; or the CRM’s list of records, in which it is looked for.',
    limitMs: 0,
    alert: 'unrecorded',
  },
  written: {
    exits: ['by_hand'],
    endedBy: 'An end, unless the balance shows nothing of it.',
    limitMs: null,
    alert: null,
  },
  not_wanted: {
    exits: ['by_hand'],
    endedBy: 'An end, unless a person recorded it by hand.',
    limitMs: null,
    alert: null,
  },
  by_hand: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<CrmWriteState, StateRule<CrmWriteState>>;
