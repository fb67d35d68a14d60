import type { Context, Handler } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { type Member, memberOf, renewContentSession } from '../domain/content/session.ts';
import { clearContentSession, contentCompanionOf, passOf } from './content-cookies.ts';
import { apiError } from './errors.ts';
import { bearerOf, unauthorized } from './require-merchant.ts';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, member: Member) => Promise<Response> | Response;

/** A route of the content area, for whoever has rights there: proved before anything else happens. */
export const editorOnly =
  (depsOf: (c: C) => Deps, handle: Handle): Handler<{ Bindings: Env }> =>
  async (c) => {
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const member = bearer && (await memberOf(deps, bearer));
    if (!member) return unauthorized(c);
    if (member.user.status !== 'active')
      return apiError(c, 403, 'forbidden', 'Your account is waiting for the approval of an owner.');
    return handle(c, deps, member);
  };

/** A route for owners alone. */
export const ownerOnly = (depsOf: (c: C) => Deps, handle: Handle): Handler<{ Bindings: Env }> =>
  editorOnly(depsOf, (c, deps, member) =>
    member.user.role === 'owner'
      ? handle(c, deps, member)
      : apiError(c, 403, 'forbidden', 'Only an owner can do this.'),
  );

/**
 * Whether this browser may see the pages of the content area: by its companion, or by a token that it has shown before.
 * Dead cookies are cleared and count as none.
 */
export async function mayOpenContent(c: C, deps: Deps): Promise<boolean> {
  const [pass, companion] = [passOf(c, deps), contentCompanionOf(c, deps)];
  const renewed = companion ? await renewContentSession(deps, companion) : null;
  const member = renewed ?? (pass ? await memberOf(deps, pass) : null);
  if (!member && (pass || companion)) clearContentSession(c, deps);
  return member?.user.status === 'active';
}
