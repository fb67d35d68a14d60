import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { may, SUPPORT_USER } from '#shared/contracts/staff/team-values';
import { sayRolesWith } from '#shared/text/staff-roles';
import type { Deps, Env } from '#worker/deps';
import { countStranger, recordRefusal } from '#worker/domain/audit/refusals';
import { type LoggedIn, merchantOf, merchantWith } from '#worker/domain/merchants/session';
import { missingProof } from '#worker/domain/proofs/proof';
import { actingAsStaff } from '#worker/http/acting';
import { refreshTokenOf } from '#worker/http/cookies/cookies';
import { apiError, type Refuse, stepUpNeeded } from '#worker/http/reply/errors';
import { rightOf, staffCallers } from '#worker/security/who';
import type { C } from '../routes.ts';
import type { Guard } from '../serve-routes.ts';

type BoundContext = Context<{ Bindings: Env }>;

/** Count an answer that refuses a person who is logged in what they asked for. */
export async function noteRefusal(
  c: BoundContext,
  deps: Deps,
  accountId: number,
  response: Response,
): Promise<Response> {
  if (response.status === 403) await recordRefusal(deps, accountId, routePath(c));
  return response;
}

/** Count a bearer that opens nothing; a request without one is nobody's try. */
export async function turnedAway(
  c: BoundContext,
  deps: Deps,
  bearer: string | null,
  response: Response,
): Promise<Response> {
  if (bearer) await countStranger(deps, 'access.refused', routePath(c));
  return response;
}

export const unauthorized = (c: Context, refuse: Refuse = apiError): Response =>
  refuse(c, 401, 'unauthorized', 'Please log in again.');

/** The bearer of a request, if it looks like one. */
export const bearerOf = (c: Context): string | null =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** Browsers tell where a write comes from; a caller that does not is a program that holds the bearer itself. */
const isBrowser = (c: C): boolean =>
  c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;

const isRead = (c: C): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** Lets staff in by their bearer, as a route's `who`, `stepUp` and `session` say. Throws for a deferred session with rights. */
export const staffGuard: Guard = {
  admits: staffCallers,
  letIn: (route, depsOf, answer) => {
    if (route.session !== 'deferred') return admitStaff(route, depsOf, answer);
    // The role is read with the session, so only what every role may do can leave that to the handler.
    if (route.who !== 'staff' || route.stepUp)
      throw new Error(`"${route.summary}" needs its session before it is handled`);
    return admitClaim(route, depsOf, answer);
  },
};

/**
 * Checks session and rights, which one statement reads, before anything else happens, and passes the account on. A write
 * from a browser needs the refresh cookie too, and some take a proof that it is still this person. `requestedAt` (UTC ms)
 * is taken before the session is looked up.
 */
const admitStaff: Guard['letIn'] =
  ({ who, stepUp, refuse }, depsOf, answer) =>
  async (c) => {
    const right = rightOf(who);
    const deps = depsOf(c);
    const requestedAt = deps.now();
    const bearer = bearerOf(c);
    const isBearerEnough = isRead(c) || !isBrowser(c);
    const merchant =
      bearer &&
      (await (isBearerEnough ? merchantOf(deps, bearer) : merchantWith(deps, bearer, refreshTokenOf(c, deps))));
    if (!merchant) return turnedAway(c, deps, bearer, unauthorized(c, refuse));
    const acting = await actingAsStaff(c, deps, merchant);
    if (merchant.userId === SUPPORT_USER && takesMore(c))
      return noteRefusal(c, acting, merchant.accountId, apiError(c, 403, 'forbidden', ONLY_LOOKS));
    if (right && !may(merchant.role, right)) {
      const refused = apiError(c, 403, 'forbidden', `Only ${sayRolesWith(right)} of this account may do this.`);
      return noteRefusal(c, acting, merchant.accountId, refused);
    }
    // Asking for a proof refuses nobody, so the trail does not count it.
    const asked = stepUp ? await askForProof(c, acting, merchant) : null;
    return asked ?? noteRefusal(c, acting, merchant.accountId, await answer(c, acting, { merchant, requestedAt }));
  };

/** Null: the proof is there. */
async function askForProof(c: C, deps: Deps, merchant: LoggedIn): Promise<Response | null> {
  const ways = await missingProof(deps, merchant);
  return ways && stepUpNeeded(c, ways);
}

const ONLY_LOOKS = 'You look at this account for support. Nothing can be changed or taken along.';
/** More than looking: a write, or a file of many rows. */
const takesMore = (c: C): boolean => !isRead(c) || c.req.query('format') === 'csv';

/**
 * Checks the bearer's signature alone. The handler reads the session in the same trip to the database as its rows, and
 * drops what was read when there is no session.
 */
const admitClaim: Guard['letIn'] =
  ({ refuse }, depsOf, answer) =>
  async (c) => {
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const claim = bearer && (await deps.accessTokens.read(bearer, deps.now()));
    if (!claim) return turnedAway(c, deps, bearer, unauthorized(c, refuse));
    const acting = await actingAsStaff(c, deps, claim);
    if (claim.userId === SUPPORT_USER && takesMore(c))
      return noteRefusal(c, acting, claim.accountId, apiError(c, 403, 'forbidden', ONLY_LOOKS));
    return answer(c, acting, { claim });
  };
