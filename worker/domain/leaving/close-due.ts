import { unlessErased } from '#worker/clinic/no-such-clinic';
import { lastClinic, listSilent } from '#worker/data/directory/standing';
import { findDueClosing, putClosingOff } from '#worker/data/leaving/closings';
import { findRow } from '#worker/data/operate/directory';
import { earlierEvidence, foundedAt } from '#worker/data/operate/erase';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { eraseClinic } from '#worker/domain/operate/erase';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * For the schedule of a clinic, as its last step: erase the account whose day has come, as the operator's command does.
 * What keeps it open is told, and tried again a day later.
 */
export async function closeDue(deps: Deps): Promise<void> {
  const { db, installation, clinic, log, now } = deps;
  const accountId = await findDueClosing(db, now());
  const row = accountId === null ? undefined : await findRow(installation, clinic);
  if (accountId === null || !row) return;
  const outcome = await eraseClinic(deps, accountId, row.name);
  if (outcome.kind === 'erased') return log.info('clinic-closed', { clinic });
  const stood = outcome.kind === 'stands' ? outcome.why : [`it could not be erased: ${outcome.kind}`];
  const event = auditEvent(deps, {
    ...{ accountId, action: 'closing.put-off', subject: ['account', String(accountId)] },
    after: { why: stood.join('; ') },
  });
  await putClosingOff(db, accountId, { stood, tryAt: now() + DAY_MS }, event);
}

/** Silent clinics of a look, and how old evidence may be (ms) whose erasure died. */
const LOOK = 20;
const SILENT_MS = 20 * MINUTE_MS;

/**
 * For the cron: finish an erasure that died after the clinic's object had ended, by its evidence of the last day. The
 * clinic's own clock went with the object, so nobody else would.
 */
export async function finishErasures(deps: Deps): Promise<void> {
  const { installation, clinics, media, log, now } = deps;
  const last = await lastClinic(installation);
  if (last === 0) return;
  const from = 1 + ((Math.floor(now() / MINUTE_MS) * LOOK) % last);
  for (const clinic of await listSilent(installation, { before: now() - SILENT_MS, from, limit: LOOK })) {
    const evidence = await earlierEvidence(media, `kept/${clinic}/`);
    if (!evidence || evidence.at < now() - DAY_MS) continue;
    if (((await unlessErased(foundedAt(clinics.db(clinic)))) ?? null) !== null) continue;
    const row = await findRow(installation, clinic);
    if (!row?.accountId || row.erasedAt !== null) continue;
    const { kind } = await eraseClinic(deps, row.accountId, row.name);
    log.info('erasure-finished', { clinic, kind });
  }
}
