import {
  type ContentUserRow,
  findUsersByEmail,
  insertFirstOwner,
  insertRegisteredUser,
} from '#worker/data/content/accounts/accounts';
import { findInvitation, redeemInvitation } from '#worker/data/content/accounts/invitations';
import { insertContentSession } from '#worker/data/content/accounts/sessions-and-rate-limits';
import { queueMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { busyRefusal, type Caller, enforceRateLimits, ipRateLimit, type TooManyTries } from './rate-limit.ts';
import { type ContentSession, newContentSession } from './session.ts';

export type Registration = { name: string; email: string; password: string };

export type RegisterOutcome =
  /** `mailId`: a queued email to an address that already has an account. */
  | { kind: 'registered'; session: ContentSession; mailId: string | null }
  | { kind: 'wrong-code' }
  | { kind: 'invitation-over' }
  | { kind: 'other-address' }
  | TooManyTries;

/**
 * Registers an account. With the set-up code, it becomes the first owner; with an invitation, it gets the invitation's
 * role; otherwise it waits for an owner's approval. The response is the same for an address that already has an
 * account: its token belongs to a decoy.
 */
export async function register(
  deps: Deps,
  person: Registration,
  grant: { setupCode?: string; invitation?: string },
  caller: Caller,
): Promise<RegisterOutcome> {
  const { settings } = deps;
  const addressLimit = await ipRateLimit(
    deps,
    'register',
    caller,
    settings.REGISTRATIONS_PER_IP_HOUR,
    settings.REGISTRATIONS_PER_UNKNOWN_IP_HOUR,
  );
  const rateLimited = await enforceRateLimits(deps, [addressLimit]);
  if (rateLimited) return rateLimited;
  if (grant.setupCode !== undefined) return becomeOwner(deps, person, grant.setupCode);
  if (grant.invitation !== undefined) return acceptInvitation(deps, person, grant.invitation);
  return waitForApproval(deps, person);
}

async function becomeOwner(deps: Deps, person: Registration, code: string): Promise<RegisterOutcome> {
  // Both sides are hashed, so that the comparison's timing reveals nothing about the code.
  const [givenHash, expectedHash] = await Promise.all([deps.sha256(code), deps.sha256(deps.settings.OWNER_SETUP_CODE)]);
  if (givenHash !== expectedHash) return { kind: 'wrong-code' };
  const password = await deps.passwords.hash(person.password);
  if (password === 'busy') return busyRefusal;
  const user = newUser(deps, person, password, { role: 'owner', status: 'active' });
  if (!(await insertFirstOwner(deps.db, user, deps.now(), userEvent(deps, user, 'set-up code'))))
    return { kind: 'wrong-code' };
  deps.log.info('content-owner-created', { userId: user.id });
  return openFirstSession(deps, user);
}

async function acceptInvitation(deps: Deps, person: Registration, token: string): Promise<RegisterOutcome> {
  const tokenHash = await deps.sha256(token);
  const invitation = await findInvitation(deps.db, tokenHash, deps.now());
  if (!invitation) return { kind: 'invitation-over' };
  if (invitation.email !== person.email) return { kind: 'other-address' };
  const password = await deps.passwords.hash(person.password);
  if (password === 'busy') return busyRefusal;
  const user = newUser(deps, person, password, { role: invitation.role, status: 'active' });
  if (!(await redeemInvitation(deps.db, tokenHash, user, deps.now(), userEvent(deps, user, invitation.id))))
    return { kind: 'invitation-over' };
  deps.log.info('content-invitation-used', { userId: user.id });
  return openFirstSession(deps, user);
}

async function waitForApproval(deps: Deps, person: Registration): Promise<RegisterOutcome> {
  const { db, now } = deps;
  const [existing] = await findUsersByEmail(db, person.email);
  const password = await deps.passwords.hash(person.password, existing?.password);
  if (password === 'busy') return busyRefusal;
  const user = newUser(deps, person, password, { role: 'editor', status: 'pending' });
  const inserted = await insertRegisteredUser(db, user, userEvent(deps, user, ''));
  // One email a day: strangers must not be able to flood a mailbox.
  const mailId = existing ? `address-known-${existing.id}-${Math.floor(now() / 86_400_000)}` : null;
  const { session, row, event } = await newContentSession(deps, user);
  await db.batch([
    ...insertContentSession(db, row, event),
    ...(existing && mailId
      ? [queueMail(db, { id: mailId, kind: 'address-known', recipient: existing.email }, now())]
      : []),
  ]);
  deps.log.info('content-registered', inserted);
  return { kind: 'registered', session, mailId };
}

/** `grantedBy`: the invitation or code; empty for an account that waits for approval, including a decoy. */
const userEvent = (deps: Deps, { id, role }: ContentUserRow, grantedBy: string) =>
  // The person has no session yet, but is not anonymous.
  auditEvent(
    { ...deps, actor: { ...deps.actor, kind: 'content', id } },
    {
      accountId: INSTALLATION,
      action: 'content-user.registered',
      subject: ['content-user', id],
      after: { role, by: grantedBy },
    },
  );

const newUser = (
  deps: Deps,
  { name, email }: Registration,
  password: string,
  rights: Pick<ContentUserRow, 'role' | 'status'>,
): ContentUserRow => ({
  id: deps.newId(),
  email,
  name,
  password,
  ...rights,
  createdAt: deps.now(),
  lastLoginAt: null,
});

async function openFirstSession(deps: Deps, user: ContentUserRow): Promise<RegisterOutcome> {
  const { session, row, event } = await newContentSession(deps, user);
  await deps.db.batch(insertContentSession(deps.db, row, event));
  return { kind: 'registered', session, mailId: null };
}
