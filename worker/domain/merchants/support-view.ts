import type { SupportViewReply } from '#shared/contracts/staff/account-settings';
import { hasRight, SUPPORT_USER, SUPPORT_VIEW_MS } from '#shared/contracts/staff/team-values';
import { timeIn } from '#shared/words/formats';
import { insertEvent } from '#worker/data/audit/events';
import { findAccount } from '#worker/data/merchants/accounts';
import { endOpenView, findOpenView, insertView } from '#worker/data/merchants/support-views';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type Merchant, type OpenSession, openSession } from './session.ts';

const supportViewEvent = (
  deps: Deps,
  action: 'support-view.granted' | 'support-view.ended' | 'support-view.opened',
  accountId: number,
  after?: { endsAt: number },
) => auditEvent(deps, { accountId, action, subject: ['account', String(accountId)], ...(after && { after }) });

/** The operator's current access to the clinic, and whether this person may change it. */
export async function viewSupportView(deps: Deps, { accountId, role, userId }: Merchant): Promise<SupportViewReply> {
  const view = await findOpenView(deps.db, accountId, deps.now());
  return {
    ends_at: view ? new Date(view.endsAt).toISOString() : null,
    may_change: hasRight(role, 'administer'),
    is_support: userId === SUPPORT_USER,
  };
}

/** The banner on every page of the app while the operator has access; null otherwise. The time is the clinic's. */
export async function describeSupportView(deps: Deps, { accountId, userId }: Merchant): Promise<string | null> {
  const view = await findOpenView(deps.db, accountId, deps.now());
  if (!view) return null;
  const account = await findAccount(deps.db, accountId);
  const until = timeIn('en', view.endsAt, account?.timeZone ?? 'UTC');
  return userId === SUPPORT_USER
    ? `You are viewing ${account?.name || 'this account'} for support until ${until} there. You cannot change anything.`
    : `Support has access to this account until ${until} and cannot change anything. An administrator can end it under Help.`;
}

/** Lets the operator view the clinic for SUPPORT_VIEW_MS. An existing grant is unchanged. */
export async function grantSupportView(deps: Deps, { accountId, userId }: Merchant): Promise<void> {
  const at = deps.now();
  const view = { id: deps.newId(), accountId, grantedBy: userId, grantedAt: at, endsAt: at + SUPPORT_VIEW_MS };
  await insertView(deps.db, view, supportViewEvent(deps, 'support-view.granted', accountId, { endsAt: view.endsAt }));
}

/** Ends the access early: the operator's next request is refused. */
export const endSupportView = (deps: Deps, { accountId }: Merchant): Promise<void> =>
  endOpenView(deps.db, accountId, deps.now(), supportViewEvent(deps, 'support-view.ended', accountId));

/**
 * Opens a read-only session in which the operator sees the clinic as its staff do. `clinicDeps`: the deps of the
 * clinic, with the operator as actor. Null if the clinic does not allow it now. The access is recorded in both audit
 * trails first, so that none goes unrecorded.
 */
export async function openSupportView(deps: Deps, clinicDeps: Deps, accountId: number): Promise<OpenSession | null> {
  const view = await findOpenView(clinicDeps.db, accountId, clinicDeps.now());
  if (!view) return null;
  await insertEvent(clinicDeps.db, supportViewEvent(clinicDeps, 'support-view.opened', accountId));
  const subject: [string, string] = ['clinic', String(clinicDeps.clinic)];
  await insertEvent(
    deps.installation,
    auditEvent(deps, { accountId: INSTALLATION, action: 'support-view.opened', subject }),
  );
  const user = { accountId, userId: SUPPORT_USER };
  const session = await openSession(clinicDeps, user, { beganBy: 'passkey', label: 'Support', endsBy: view.endsAt });
  // If access was ended in the meantime, this session may have been missed, so it is ended here.
  if (await findOpenView(clinicDeps.db, accountId, clinicDeps.now())) return session;
  await endOpenView(
    clinicDeps.db,
    accountId,
    clinicDeps.now(),
    supportViewEvent(clinicDeps, 'support-view.ended', accountId),
  );
  return null;
}
