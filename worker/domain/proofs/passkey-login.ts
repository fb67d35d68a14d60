import { unlessErased } from '#worker/clinic/no-such-clinic';
import { ofCapability } from '#worker/clinic/of-clinic';
import { useStaffPasskey } from '#worker/data/merchants/passkeys';
import type { Deps } from '#worker/deps';
import { countStranger } from '#worker/domain/audit/refusals';
import type { Asked } from '#worker/domain/challenges/challenge';
import { type Caller, perAddress, type Refused, take } from '#worker/domain/content/accounts/rate-limit';
import { type OpenSession, openSession } from '#worker/domain/merchants/session';
import { passkeysOf } from '#worker/domain/passkeys';
import { type Answer, LOGIN, newStaffChallenge, readStaffPasskey } from './staff-challenge.ts';

/** Ask a browser for any passkey that it has for this host. */
export async function askForLogin(deps: Deps): Promise<Asked> {
  const { challenge, asked } = await newStaffChallenge(deps, LOGIN);
  return { options: await passkeysOf(deps).signIn(challenge), asked };
}

export type PasskeyLoginOutcome = { kind: 'logged-in'; session: OpenSession } | { kind: 'wrong' } | Refused;

/**
 * Log in with a passkey. It names its person by a capability of the clinic, so no object is touched by what a stranger
 * made up. Whatever is wrong, it is refused alike.
 */
export async function logInByPasskey(
  deps: Deps,
  answer: Answer,
  caller: Caller,
  label: string,
): Promise<PasskeyLoginOutcome> {
  const { LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP } = deps.settings;
  const limit = await perAddress(deps, 'staff-passkey', caller, LOGIN_TRIES_PER_IP, LOGIN_TRIES_PER_UNKNOWN_IP);
  const refused = await take(deps, [limit], 'login');
  if (refused) return refused;
  const session = await open(deps, answer, label);
  if (session) return { kind: 'logged-in', session };
  deps.log.info('login-failed', { reason: 'passkey' });
  await countStranger(deps, 'login.refused', '/api/session/passkey');
  return { kind: 'wrong' };
}

async function open(deps: Deps, answer: Answer, label: string): Promise<OpenSession | null> {
  const handle = passkeysOf(deps).personOf(answer.response);
  const own = ofCapability(deps, handle);
  const read = own && (await unlessErased(readStaffPasskey(own, answer, LOGIN)));
  if (!own || !read || read.row.handle !== handle) return null;
  if (!(await useStaffPasskey(own.db, read.shown, own.now()))) return null;
  const { accountId, userId } = read.row;
  const session = await openSession(own, { accountId, userId }, { beganBy: 'passkey', label });
  if (session) deps.log.info('staff-logged-in', { accountId, userId, by: 'passkey' });
  return session;
}
