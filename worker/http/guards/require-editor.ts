import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { needsPasskey } from '#worker/domain/content/accounts/second-factor';
import { type Member, memberOf, renewContentSession } from '#worker/domain/content/accounts/session';
import { withActor } from '#worker/http/actor-deps';
import { clearContentSession, contentPassOf, contentRefreshTokenOf } from '#worker/http/cookies/cookies';
import { apiError } from '#worker/http/reply/errors';
import type { RouteAccess } from '#worker/security/route-access';
import type { C } from '../routes.ts';
import type { Guard } from '../serve-routes.ts';
import { bearerOf, countForbidden, countInvalidToken, refuseUnauthorized } from './require-merchant.ts';

const withMemberActor = (c: C, deps: Deps, { sessionId, user }: Member) =>
  withActor(c, deps, { kind: 'content', id: user.id, sessionId });

/** Admits members of the content area according to the route's `access`, before any other work. */
export const memberGuard: Guard = {
  admits: ['editor', 'owner'],
  admit:
    ({ access }, depsOf, answer) =>
    async (c) => {
      const deps = depsOf(c);
      const bearer = bearerOf(c);
      const member = bearer && (await memberOf(deps, bearer));
      if (!member) return countInvalidToken(c, deps, bearer, refuseUnauthorized(c));
      const actorDeps = await withMemberActor(c, deps, member);
      const refusal = refusalFor(c, actorDeps, member, access);
      return countForbidden(c, actorDeps, INSTALLATION, refusal ?? (await answer(c, actorDeps, { member })));
    },
};

function refusalFor(c: C, deps: Deps, member: Member, access: RouteAccess): Response | null {
  if (member.user.status !== 'active')
    return apiError(c, 403, 'forbidden', 'Your account is waiting for the approval of an owner.');
  if (access === 'owner' && member.user.role !== 'owner')
    return apiError(c, 403, 'forbidden', 'Only an owner can do this.');
  // /api/auth serves the member's own account, where the passkey is created.
  if (needsPasskey(deps, member) && !c.req.path.startsWith('/api/auth/'))
    return apiError(c, 403, 'passkey-needed', 'Owners need a passkey here. Make one under Your account.');
  return null;
}

/**
 * True if the refresh token or the access token cookie of this browser admits it to the content area. Invalid cookies
 * are cleared.
 */
export async function mayOpenContent(c: C, deps: Deps): Promise<boolean> {
  const [accessToken, refreshToken] = [contentPassOf(c, deps), contentRefreshTokenOf(c, deps)];
  const renewal = refreshToken ? await renewContentSession(deps, refreshToken) : null;
  const member = renewal ?? (accessToken ? await memberOf(deps, accessToken) : null);
  if (!member && (accessToken || refreshToken)) clearContentSession(c, deps);
  return member?.user.status === 'active';
}
