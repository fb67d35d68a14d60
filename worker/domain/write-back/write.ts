import { findTokens } from '#worker/data/crm-sync/tokens';
import type { CrmWrite } from '#worker/data/schema/write-back';
import { findWriteSettings, letWait, listWriting } from '#worker/data/write-back/accounts';
import { listDueWrites } from '#worker/data/write-back/writes';
import type { Deps } from '#worker/deps';
import { withCrm } from '#worker/domain/crm-sync/access';
import { CrmError } from '#worker/vendors/hubspot/port';
import { readEffect } from './effect.ts';
import { BUSY_MS, type Line, type Next, REFUSED_MS } from './line.ts';
import { recordPayment } from './record-payment.ts';
import { recordReversal } from './record-reversal.ts';
import { WRITE_SCOPE } from './scopes.ts';

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
