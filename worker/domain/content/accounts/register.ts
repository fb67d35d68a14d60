import {
  type ContentUserRow,
  findUsersByEmail,
  insertFirstOwner,
  insertRegistered,
} from '#worker/data/content/accounts/accounts';
import { findInvitation, redeemInvitation } from '#worker/data/content/accounts/invitations';
import { insertContentSession } from '#worker/data/content/accounts/login';
import { oweMail } from '#worker/data/mail/outbox';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { busy, type Caller, perAddress, type Refused, take } from './rate-limit.ts';
import { type ContentSession, newContentSession } from './session.ts';

export type Registration = { name: string; email: string; password: string };

export type RegisterOutcome =
  /** `mailId`: a mail of the outbox to an address that has an account already. */
  | { kind: 'registered'; session: ContentSession; mailId: string | null }
  | { kind: 'wrong-code' }
  | { kind: 'invitation-over' }
  | { kind: 'other-address' }
  | Refused;

/**
 * Register an account. The set-up code makes the first owner, an invitation an account with rights; all others wait for
 * an owner's approval. An address that has an account already is answered alike: the token belongs to a decoy.
 */
export async function register(
  deps: Deps,
  person: Registration,
  by: { setupCode?: string; invitation?: string },
  caller: Caller,
): Promise<RegisterOutcome> {
  const { settings } = deps;
  const address = await perAddress(
    deps,
    'register',
    caller,
    settings.REGISTRATIONS_PER_IP_HOUR,
    settings.REGISTRATIONS_PER_UNKNOWN_IP_HOUR,
  );
  const refused = await take(deps, [address]);
  if (refused) return refused;
  if (by.setupCode !== undefined) return becomeOwner(deps, person, by.setupCode);
  if (by.invitation !== undefined) return acceptInvitation(deps, person, by.invitation);
  return waitForApproval(deps, person);
}

async function becomeOwner(deps: Deps, person: Registration, code: string): Promise<RegisterOutcome> {
  // Both sides are hashed: a comparison that ends early then tells nothing about the code.
  const [given, own] = await Promise.all([deps.sha256(code), deps.sha256(deps.settings.OWNER_SETUP_CODE)]);
  if (given !== own) return { kind: 'wrong-code' };
  const password = await deps.passwords.hash(person.password);
  if (password === 'busy') return busy;
  const user = newUser(deps, person, password, { role: 'owner', status: 'active' });
  if (!(await insertFirstOwner(deps.db, user, deps.now(), userEvent(deps, user, 'set-up code'))))
    return { kind: 'wrong-code' };
  deps.log.info('content-owner-made', { userId: user.id });
  return opened(deps, user);
}

async function acceptInvitation(deps: Deps, person: Registration, token: string): Promise<RegisterOutcome> {
  const tokenHash = await deps.sha256(token);
  const invitation = await findInvitation(deps.db, tokenHash, deps.now());
  if (!invitation) return { kind: 'invitation-over' };
  if (invitation.email !== person.email) return { kind: 'other-address' };
  const password = await deps.passwords.hash(person.password);
  if (password === 'busy') return busy;
  const user = newUser(deps, person, password, { role: invitation.role, status: 'active' });
  if (!(await redeemInvitation(deps.db, tokenHash, user, deps.now(), userEvent(deps, user, invitation.id))))
    return { kind: 'invitation-over' };
  deps.log.info('content-invitation-used', { userId: user.id });
  return opened(deps, user);
}

async function waitForApproval(deps: Deps, person: Registration): Promise<RegisterOutcome> {
  const { db, now } = deps;
  const [known] = await findUsersByEmail(db, person.email);
  const password = await deps.passwords.hash(person.password, known?.password);
  if (password === 'busy') return busy;
  const user = newUser(deps, person, password, { role: 'editor', status: 'pending' });
  const inserted = await insertRegistered(db, user, userEvent(deps, user, ''));
  // One mail a day: strangers must not be able to fill a person's mailbox.
  const mailId = known ? `address-known-${known.id}-${Math.floor(now() / 86_400_000)}` : null;
  const { session, row, event } = await newContentSession(deps, user);
  await db.batch([
    ...insertContentSession(db, row, event),
    ...(known && mailId ? [oweMail(db, { id: mailId, kind: 'address-known', recipient: known.email }, now())] : []),
  ]);
  deps.log.info('content-registered', inserted);
  return { kind: 'registered', session, mailId };
}

/** `by`: the invitation or code that gave rights; a decoy is recorded like any other that waits for an owner. */
const userEvent = (deps: Deps, { id, role }: ContentUserRow, by: string) =>
  auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'content-user.registered',
    subject: ['content-user', id],
    after: { role, by },
  });

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

async function opened(deps: Deps, user: ContentUserRow): Promise<RegisterOutcome> {
  const { session, row, event } = await newContentSession(deps, user);
  await deps.db.batch(insertContentSession(deps.db, row, event));
  return { kind: 'registered', session, mailId: null };
}
