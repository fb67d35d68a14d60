import type { Role } from '#shared/contracts/content/content';
import { findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { findInvitation, type InvitationRow, replaceInvitation } from '#worker/data/content/accounts/invitations';
import { oweMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import type { Member } from './session.ts';

const INVITATION_MS = 7 * 86_400_000;

export type InviteOutcome = { kind: 'invited'; invitation: InvitationRow; mailId: string } | { kind: 'has-account' };

/** Invite a person by mail: the link gives rights at once, works once, and ends after seven days. */
export async function inviteColleague(
  deps: Deps,
  { user: by }: Member,
  { email, role }: { email: string; role: Role },
): Promise<InviteOutcome> {
  const { db, now } = deps;
  const [account] = await findUsersByEmail(db, email);
  if (account?.status === 'active') return { kind: 'has-account' };
  const [id, token] = [deps.newId(), deps.newSecret()];
  const invitation: InvitationRow = {
    id,
    tokenHash: await deps.sha256(token),
    email,
    role,
    invitedBy: by.name,
    createdAt: now(),
    endsAt: now() + INVITATION_MS,
    endedAt: null,
    inviterId: by.id,
  };
  const mailId = `invitation-${id}`;
  const sealed = await deps.sealer.seal(token, boundTo.mail(mailId));
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'invitation.sent',
    subject: ['invitation', id],
    after: { role, endsAt: invitation.endsAt },
  });
  await db.batch([
    ...replaceInvitation(db, invitation, event),
    oweMail(
      db,
      { id: mailId, kind: 'invitation', recipient: email, details: { token: sealed, role, invitedBy: by.name } },
      now(),
    ),
  ]);
  deps.log.info('content-invited', { invitationId: id, role });
  return { kind: 'invited', invitation, mailId };
}

/** The open invitation behind a link, to be shown to its holder. */
export const readInvitation = async (deps: Deps, token: string): Promise<InvitationRow | undefined> =>
  findInvitation(deps.db, await deps.sha256(token), deps.now());
