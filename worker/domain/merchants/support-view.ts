import type { SupportViewReply } from '#shared/contracts/staff/account-settings';
import { may, SUPPORT_USER, SUPPORT_VIEW_MS } from '#shared/contracts/staff/team-values';
import { insertEvent } from '#worker/data/audit/events';
import { findAccount } from '#worker/data/merchants/accounts';
import { endOpenView, findOpenView, insertView } from '#worker/data/merchants/support-views';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { type Merchant, type OpenSession, openSession } from './session.ts';

const eventOf = (
  deps: Deps,
  action: 'support-view.granted' | 'support-view.ended' | 'support-view.opened',
  accountId: number,
  after?: { endsAt: number },
) => auditEvent(deps, { accountId, action, subject: ['account', String(accountId)], ...(after && { after }) });

/** Whether the operator may look at the clinic at this moment, and what of that this person may change. */
export async function viewSupportView(deps: Deps, { accountId, role, userId }: Merchant): Promise<SupportViewReply> {
  const view = await findOpenView(deps.db, accountId, deps.now());
  return {
    ends_at: view ? new Date(view.endsAt).toISOString() : null,
    may_change: may(role, 'administer'),
    is_support: userId === SUPPORT_USER,
  };
}

/** What every page of the app says while the operator may look; null: nothing. Its time is that of the clinic. */
export async function saySupportView(deps: Deps, { accountId, userId }: Merchant): Promise<string | null> {
  const view = await findOpenView(deps.db, accountId, deps.now());
  if (!view) return null;
  const account = await findAccount(deps.db, accountId);
  const until = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: account?.timeZone ?? 'UTC' })
    .format(view.endsAt)
    .replaceAll('\u202f', '\u00a0');
  return userId === SUPPORT_USER
    ? `You look at ${account?.name || 'this account'} for support until ${until} there. You can change nothing.`
    : `Support may look at this account until ${until} and can change nothing. An administrator can end it under Help.`;
}

/** Let the operator look at the clinic for SUPPORT_VIEW_MS. One that is granted already goes on as it is. */
export async function grantSupportView(deps: Deps, { accountId, userId }: Merchant): Promise<void> {
  const at = deps.now();
  const view = { id: deps.newId(), accountId, grantedBy: userId, grantedAt: at, endsAt: at + SUPPORT_VIEW_MS };
  await insertView(deps.db, view, eventOf(deps, 'support-view.granted', accountId, { endsAt: view.endsAt }));
}

/** End it before its time: who looks is out at the next call. */
export const endSupportView = (deps: Deps, { accountId }: Merchant): Promise<void> =>
  endOpenView(deps.db, accountId, deps.now(), eventOf(deps, 'support-view.ended', accountId));

/**
 * Open a session in which the operator sees the clinic as its staff do and may only read. `at`: the deps of the clinic,
 * in which the operator acts too. Null: nobody of the clinic allows it now. It is told in both trails first: a look
 * without a record must not be.
 */
export async function openSupportView(deps: Deps, at: Deps, accountId: number): Promise<OpenSession | null> {
  const view = await findOpenView(at.db, accountId, at.now());
  if (!view) return null;
  await insertEvent(at.db, eventOf(at, 'support-view.opened', accountId));
  const subject: [string, string] = ['clinic', String(at.clinic)];
  await insertEvent(
    deps.installation,
    auditEvent(deps, { accountId: INSTALLATION, action: 'support-view.opened', subject }),
  );
  const user = { accountId, userId: SUPPORT_USER };
  const session = await openSession(at, user, { beganBy: 'passkey', label: 'Support', endsBy: view.endsAt });
  // Ended while it was opened: what ended it may not have met this session.
  if (await findOpenView(at.db, accountId, at.now())) return session;
  await endOpenView(at.db, accountId, at.now(), eventOf(at, 'support-view.ended', accountId));
  return null;
}
