import type { AuditHead, AuditHeadFile, AuditView } from '#shared/contracts/staff/audit';
import type { TrailRequest } from '#shared/contracts/staff/audit-request';
import { hasRight, type StaffRole } from '#shared/contracts/staff/team-values';
import { findCheckState, setWeeklyMail } from '#worker/data/audit/checks';
import { listAnchors } from '#worker/data/audit/seals';
import { type AuditSeal, INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from './event.ts';
import { exportTrail, iso, viewPage } from './read-trail.ts';
import { verifyNewest } from './verify-trails.ts';

/** A member of an account's staff. */
export type AccountUser = { accountId: number; userId: number };

const WEEK_MS = 7 * 86_400_000;

/**
 * The head of a trail. Retention deletes the oldest events but keeps their seals, so the count is the last event's
 * number.
 */
export const headOf = ({ toSeq, hash, at }: AuditSeal): AuditHead => ({ seq: toSeq, hash, count: toSeq, at: iso(at) });

/**
 * An account's trail for a member of its staff, whose rights the route's guard has checked. Only administrators get the
 * weekly email.
 */
export const viewTrail = (
  deps: Deps,
  { accountId, userId, role }: AccountUser & { role: StaffRole },
  query: TrailRequest,
): Promise<AuditView> => viewTrailOf(deps, accountId, hasRight(role, 'administer') ? userId : null, query);

/** The installation's own trail, for operators and for owners of the content area, whose rights the guard has checked. */
export const viewInstallationTrail = (deps: Deps, query: TrailRequest): Promise<AuditView> =>
  viewTrailOf(deps, INSTALLATION, null, query);

async function viewTrailOf(
  deps: Deps,
  accountId: number,
  userId: number | null,
  query: TrailRequest,
): Promise<AuditView> {
  const [{ resolved, ...page }, checkState] = await Promise.all([
    viewPage(deps, accountId, query),
    findCheckState(deps.db, accountId, userId),
  ]);
  const { newest, receivesMail: isMailed } = checkState;
  return {
    ...page,
    head: newest ? headOf(newest) : null,
    verified: await verifyNewest(deps, accountId, checkState),
    unsealed: Math.max(0, resolved.eventRange.newest - (newest?.toSeq ?? 0)),
    weekly_mail: userId === null ? null : isMailed,
  };
}

/** Exports the events that match the query as CSV. */
export const exportOwnTrail = (deps: Deps, { accountId }: AccountUser, query: TrailRequest): AsyncGenerator<string> =>
  exportTrail(deps, accountId, query);

export const exportInstallationTrail = (deps: Deps, query: TrailRequest): AsyncGenerator<string> =>
  exportTrail(deps, INSTALLATION, query);

/** Switches an administrator's weekly email on or off; the first one is sent in a week. */
export async function switchWeeklyMail(deps: Deps, user: AccountUser, isOn: boolean): Promise<void> {
  const { accountId, userId } = user;
  const subject: [string, string] = ['user', String(userId)];
  const event = auditEvent(deps, { accountId, action: 'seal-mail.switched', subject, after: { weekly: isOn } });
  await setWeeklyMail(deps.db, user, isOn ? deps.now() + WEEK_MS : null, event);
}

/** Instructions for the holder of the file. */
const HOW_TO_VERIFY = [
  'Keep this file, or the weekly mail, where nobody who runs this installation can change it.',
  'Each event is hashed by SHA-256 over its fields in the order of the table, each preceded by its length; a seal hashes the events that it covers together with the hash of the previous seal.',
  'Export the audit trail as CSV later. The seal that ends at this number must still have this hash. If it does, no event up to it was changed, removed or added.',
  'The operator of the installation recomputes the whole chain with: npm run audit:verify -- --account <account>',
];

export const readOwnHead = (deps: Deps, { accountId }: AccountUser): Promise<AuditHeadFile> =>
  headFile(deps, accountId);

export const readInstallationHead = (deps: Deps): Promise<AuditHeadFile> => headFile(deps, INSTALLATION);

/** The number of days whose anchors are in the file. */
const ANCHOR_DAYS = 14;

async function headFile(deps: Deps, accountId: number): Promise<AuditHeadFile> {
  const [{ newest }, anchors] = await Promise.all([
    findCheckState(deps.db, accountId, null),
    listAnchors(deps.anchors, deps.now(), ANCHOR_DAYS),
  ]);
  return {
    account: accountId,
    head: newest ? headOf(newest) : null,
    anchors: anchors.flatMap(({ at, accounts }) => {
      const entry = accounts.find(({ account }) => account === accountId);
      return entry ? [{ seq: entry.seq, hash: entry.hash, count: entry.seq, at }] : [];
    }),
    how_to_verify: HOW_TO_VERIFY,
  };
}
