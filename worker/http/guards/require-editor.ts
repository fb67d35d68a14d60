import type { Context } from 'hono';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps, Env } from '#worker/deps';
import { needsPasskey } from '#worker/domain/content/accounts/second-factor';
import { type Member, memberOf, renewContentSession } from '#worker/domain/content/accounts/session';
import { actingAs } from '#worker/http/acting';
import { clearContentSession, contentRefreshTokenOf, passOf } from '#worker/http/cookies/content-cookies';
import { apiError } from '#worker/http/reply/errors';
import type { Guarded } from '../route.ts';
import { noteRefusal, turnedAway } from './note-refusal.ts';
import { bearerOf, unauthorized } from './require-merchant.ts';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, member: Member) => Promise<Response> | Response;

const actingAsMember = (c: C, deps: Deps, { sessionId, user }: Member) =>
  actingAs(c, deps, { kind: 'content', id: user.id, sessionId });

/** Guards a route of the content area: checks the member's role before anything else happens. */
export const memberOnly = (depsOf: (c: C) => Deps, handle: Handle): Guarded => ({
  admits: ['editor', 'owner'],
  openTo: (who) => async (c) => {
    const answer = (...[c, deps, member]: Parameters<Handle>) => {
      if (member.user.status !== 'active')
        return apiError(c, 403, 'forbidden', 'Your account is waiting for the approval of an owner.');
      if (who === 'owner' && member.user.role !== 'owner')
        return apiError(c, 403, 'forbidden', 'Only an owner can do this.');
      // Under /api/auth is the member's own account, where the passkey is made.
      if (needsPasskey(deps, member) && !c.req.path.startsWith('/api/auth/'))
        return apiError(c, 403, 'passkey-needed', 'Owners need a passkey here. Make one under Your account.');
      return handle(c, deps, member);
    };
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const member = bearer && (await memberOf(deps, bearer));
    if (!member) return turnedAway(c, deps, bearer, unauthorized(c));
    const acting = await actingAsMember(c, deps, member);
    return noteRefusal(c, acting, INSTALLATION, await answer(c, acting, member));
  },
});

/**
 * Whether this browser may see the pages of the content area, by its refresh token or its access token cookie. Dead
 * cookies are cleared.
 */
export async function mayOpenContent(c: C, deps: Deps): Promise<boolean> {
  const [pass, refreshToken] = [passOf(c, deps), contentRefreshTokenOf(c, deps)];
  const renewed = refreshToken ? await renewContentSession(deps, refreshToken) : null;
  const member = renewed ?? (pass ? await memberOf(deps, pass) : null);
  if (!member && (pass || refreshToken)) clearContentSession(c, deps);
  return member?.user.status === 'active';
}
