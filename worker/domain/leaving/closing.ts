import type { ClosingBody, ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import { addDays, localDay, startOfDay } from '#shared/text/local-day';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { findLastClinicNumber, listSilentClinics } from '#worker/data/directory/status-reports';
import {
  type ClosingView,
  cancelClosing,
  findDueClosing,
  postponeClosing,
  readClosing,
  requestClosing,
} from '#worker/data/leaving/closings';
import { findDirectoryRow } from '#worker/data/operate/directory';
import { findEvidence, readCreationTime } from '#worker/data/operate/erase';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Merchant } from '#worker/domain/merchants/session';
import { eraseClinic } from '#worker/domain/operate/erase';

const NIGHT_MS = 2 * 3_600_000;
/** The minimum leaves time to undo the closing and download the records. The maximum keeps it from being forgotten. */
const MIN_NOTICE_DAYS = 7;
const MAX_NOTICE_DAYS = 90;

const dayAfter = (now: number, days: number, timeZone: string): string => addDays(localDay(now, timeZone), days);

/** The closing status of an account. Null if the account does not exist. */
export async function viewClosing(deps: Deps, accountId: number): Promise<ClosingStatus | null> {
  const state = await readClosing(deps.db, accountId);
  return state && presentClosing(state, deps.now());
}

function presentClosing({ business, timeZone, closing, requestedBy }: ClosingView, now: number): ClosingStatus {
  return {
    business,
    closes_on: closing && localDay(closing.closesAt, timeZone),
    asked_at: closing && new Date(closing.requestedAt).toISOString(),
    asked_by: closing && requestedBy,
    stood: closing ? (JSON.parse(closing.stood) as string[]) : [],
    earliest: dayAfter(now, MIN_NOTICE_DAYS, timeZone),
    latest: dayAfter(now, MAX_NOTICE_DAYS, timeZone),
  };
}

export type ClosingOutcome =
  | { kind: 'closes'; status: ClosingStatus; mailId: string }
  | { kind: 'not-found' | 'forbidden' | 'closes-already' }
  | { kind: 'other-name'; business: string }
  /** Any day from `earliest` to `latest` is allowed. */
  | { kind: 'other-day'; earliest: string; latest: string };

/**
 * Schedules the closing of an account. No new charges are accepted from now on, and on the night of that day the
 * account is erased, subject to the checks of an erasure. Until then the closing can be undone, and pending payments
 * are finished.
 */
export async function scheduleClosing(deps: Deps, caller: Merchant, body: ClosingBody): Promise<ClosingOutcome> {
  const { db, newId, now } = deps;
  const { accountId } = caller;
  const state = await readClosing(db, accountId);
  if (!state) return { kind: 'not-found' };
  const { earliest, latest } = presentClosing(state, now());
  if (state.closing) return { kind: 'closes-already' };
  if (body.business.trim() !== state.business.trim()) return { kind: 'other-name', business: state.business };
  const { closes_on: day } = body;
  const closesAt = day < earliest || day > latest ? null : closingTimeOf(day, state.timeZone);
  if (closesAt === null) return { kind: 'other-day', earliest, latest };
  const mailId = `closing-${newId()}`;
  const request = { accountId, requestedBy: caller.userId, requestedAt: now(), closesAt };
  const event = auditEvent(deps, {
    accountId,
    action: 'closing.asked-for',
    subject: ['account', String(accountId)],
    after: { day },
  });
  if (!(await requestClosing(db, request, { id: mailId }, event))) return { kind: 'forbidden' };
  const status = await viewClosing(deps, accountId);
  return status ? { kind: 'closes', status, mailId: `${mailId}-${caller.userId}` } : { kind: 'not-found' };
}

/** 2 a.m. of a day (UTC ms), outside working hours; null if the date is invalid. */
const closingTimeOf = (day: string, timeZone: string): number | null =>
  Number.isNaN(Date.parse(day)) || addDays(day, 0) !== day ? null : startOfDay(day, timeZone) + NIGHT_MS;

/** Undoes the closing. False if the account is not closing, or the caller is no longer an administrator. */
export const undoClosing = (deps: Deps, { accountId, userId }: Merchant): Promise<boolean> =>
  cancelClosing(
    deps.db,
    { accountId, userId },
    auditEvent(deps, { accountId, action: 'closing.taken-back', subject: ['account', String(accountId)] }),
  );

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/**
 * For a clinic's schedule, as its last step: erases an account whose closing is due, as the operator's command does. A
 * reason that prevents it is recorded, and the erasure is retried a day later.
 */
export async function closeDueAccount(deps: Deps): Promise<void> {
  const { db, installation, clinic, log, now } = deps;
  const accountId = await findDueClosing(db, now());
  const row = accountId === null ? undefined : await findDirectoryRow(installation, clinic);
  if (accountId === null || !row) return;
  const outcome = await eraseClinic(deps, accountId, row.name);
  if (outcome.kind === 'erased') return log.info('clinic-closed', { clinic });
  const obstacles = outcome.kind === 'stands' ? outcome.reasons : [`it could not be erased: ${outcome.kind}`];
  const event = auditEvent(deps, {
    accountId,
    action: 'closing.put-off',
    subject: ['account', String(accountId)],
    after: { why: obstacles.join('; ') },
  });
  await postponeClosing(db, accountId, { blockers: obstacles, tryAt: now() + DAY_MS }, event);
}

/** The number of silent clinics per run, and the silence (ms) after which a failed erasure is assumed. */
const CLINICS_PER_RUN = 20;
const SILENT_MS = 20 * MINUTE_MS;

/**
 * For the schedule: finishes an erasure that was interrupted after the clinic's object was erased, if its evidence is
 * less than a day old. The clinic's own alarm was erased with the object and cannot finish it.
 */
export async function finishErasures(deps: Deps): Promise<void> {
  const { installation, clinics, media, log, now } = deps;
  const lastNumber = await findLastClinicNumber(installation);
  if (lastNumber === 0) return;
  const from = 1 + ((Math.floor(now() / MINUTE_MS) * CLINICS_PER_RUN) % lastNumber);
  for (const clinic of await listSilentClinics(installation, {
    cutoff: now() - SILENT_MS,
    from,
    limit: CLINICS_PER_RUN,
  })) {
    const evidence = await findEvidence(media, `kept/${clinic}/`);
    if (!evidence || evidence.at < now() - DAY_MS) continue;
    if (((await unlessErased(readCreationTime(clinics.db(clinic)))) ?? null) !== null) continue;
    const row = await findDirectoryRow(installation, clinic);
    if (!row?.accountId || row.erasedAt !== null) continue;
    const { kind } = await eraseClinic(deps, row.accountId, row.name);
    log.info('erasure-finished', { clinic, kind });
  }
}
