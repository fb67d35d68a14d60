import type { ContentUser, LoginReply } from '#shared/contracts/content/content';
import type { ContentUserRow } from '#worker/data/content/accounts/accounts';
import type { Deps } from '#worker/deps';
import { type ContentSession, endReplacedSession } from '#worker/domain/content/accounts/session';
import { contentRefreshTokenOf, setContentPass, setContentSession } from '#worker/http/cookies/cookies';
import type { C } from '#worker/http/routes';

/** Returns the public fields of an account. A decoy account looks like a new one. */
export const presentUser = ({ name, email, role, status }: ContentUserRow): ContentUser => ({
  name,
  email,
  role,
  status: status === 'active' ? 'active' : 'pending',
});

/** Starts a session that replaces the previous session of this browser. */
export async function startSession(c: C, deps: Deps, { token, refreshToken }: ContentSession): Promise<void> {
  await endReplacedSession(deps, contentRefreshTokenOf(c, deps));
  setContentSession(c, deps, refreshToken);
  setContentPass(c, deps, token);
}

/** Responds to a completed login. */
export async function answerLogin(c: C, deps: Deps, session: ContentSession): Promise<Response> {
  await startSession(c, deps, session);
  return c.json({ token: session.token, user: presentUser(session.user) } satisfies LoginReply);
}
