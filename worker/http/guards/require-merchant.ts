import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { hasRight, SUPPORT_USER } from '#shared/contracts/staff/team-values';
import type { Deps, Env } from '#worker/deps';
import { countAnonymousRefusal, recordRefusal } from '#worker/domain/audit/refusals';
import { type LoggedInMerchant, merchantOf, merchantWithTokens } from '#worker/domain/merchants/session';
import { describeMissingRight } from '#worker/domain/merchants/view-merchant';
import { missingProof } from '#worker/domain/proofs/proof';
import { withStaffActor } from '#worker/http/actor-deps';
import { refreshTokenOf } from '#worker/http/cookies/cookies';
import { apiError, type Refuse, replyStepUpNeeded } from '#worker/http/reply/errors';
import { rightOf, staffCallers } from '#worker/security/route-access';
import type { C } from '../routes.ts';
import type { Guard } from '../serve-routes.ts';

type BoundContext = Context<{ Bindings: Env }>;

/** Counts a 403 response to a logged-in user. */
export async function countForbidden(
  c: BoundContext,
  deps: Deps,
  accountId: number,
  response: Response,
): Promise<Response> {
  if (response.status === 403) await recordRefusal(deps, accountId, routePath(c));
  return response;
}

/** Counts an invalid bearer token. A request without a token is not counted. */
export async function countInvalidToken(
  c: BoundContext,
  deps: Deps,
  bearer: string | null,
  response: Response,
): Promise<Response> {
  if (bearer) await countAnonymousRefusal(deps, 'access.refused', routePath(c));
  return response;
}

export const refuseUnauthorized = (c: Context, refuse: Refuse = apiError): Response =>
  refuse(c, 401, 'unauthorized', 'Please log in again.');

/** Returns the bearer token of a request, or null if it is missing or malformed. */
export const bearerOf = (c: Context): string | null =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** Browsers send the origin of a write; other callers are programs that hold the bearer token themselves. */
const isBrowser = (c: C): boolean =>
  c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;

const isRead = (c: C): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/**
 * Admits staff by bearer token, according to the `access`, `stepUp` and `session` of the route. Throws for a route that
 * defers its session but requires a right.
 */
export const staffGuard: Guard = {
  admits: staffCallers,
  admit: (route, depsOf, answer) => {
    if (route.session !== 'deferred') return admitStaff(route, depsOf, answer);
    // The role is read with the session, so only routes for every role may defer the session to the handler.
    if (route.access !== 'staff' || route.stepUp)
      throw new Error(`"${route.summary}" needs its session before it is handled`);
    return admitClaim(route, depsOf, answer);
  },
};

/**
 * Checks the session and the rights, which are read in one statement, before any other work, and passes on the account.
 * A write from a browser also requires the refresh cookie, and some writes require a recent proof of identity.
 * `requestedAt` (UTC ms) is taken before the session is looked up.
 */
const admitStaff: Guard['admit'] =
  ({ access, stepUp, refuse }, depsOf, answer) =>
  async (c) => {
    const right = rightOf(access);
    const deps = depsOf(c);
    const requestedAt = deps.now();
    const bearer = bearerOf(c);
    const isBearerEnough = isRead(c) || !isBrowser(c);
    const merchant =
      bearer &&
      (await (isBearerEnough ? merchantOf(deps, bearer) : merchantWithTokens(deps, bearer, refreshTokenOf(c, deps))));
    if (!merchant) return countInvalidToken(c, deps, bearer, refuseUnauthorized(c, refuse));
    const actorDeps = await withStaffActor(c, deps, merchant);
    if (merchant.userId === SUPPORT_USER && changesOrExports(c))
      return countForbidden(c, actorDeps, merchant.accountId, apiError(c, 403, 'forbidden', READ_ONLY_TEXT));
    if (right && !hasRight(merchant.role, right)) {
      const refusal = apiError(c, 403, 'forbidden', await describeMissingRight(actorDeps, merchant, right));
      return countForbidden(c, actorDeps, merchant.accountId, refusal);
    }
    // A request for a proof is not a refusal, so the audit trail does not count it.
    const proofRequest = stepUp ? await requestProof(c, actorDeps, merchant) : null;
    return (
      proofRequest ??
      countForbidden(c, actorDeps, merchant.accountId, await answer(c, actorDeps, { merchant, requestedAt }))
    );
  };

/** Returns null if the proof is present. */
async function requestProof(c: C, deps: Deps, merchant: LoggedInMerchant): Promise<Response | null> {
  const ways = await missingProof(deps, merchant);
  return ways && replyStepUpNeeded(c, ways);
}

const READ_ONLY_TEXT = 'You see this account as support. You cannot change or export anything.';
/** True for a write or a CSV export. */
const changesOrExports = (c: C): boolean => !isRead(c) || c.req.query('format') === 'csv';

/**
 * Checks only the signature of the bearer token. The handler reads the session in the same database call as its rows,
 * and discards the rows if there is no session.
 */
const admitClaim: Guard['admit'] =
  ({ refuse }, depsOf, answer) =>
  async (c) => {
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const claim = bearer && (await deps.accessTokens.read(bearer, deps.now()));
    if (!claim) return countInvalidToken(c, deps, bearer, refuseUnauthorized(c, refuse));
    const actorDeps = await withStaffActor(c, deps, claim);
    if (claim.userId === SUPPORT_USER && changesOrExports(c))
      return countForbidden(c, actorDeps, claim.accountId, apiError(c, 403, 'forbidden', READ_ONLY_TEXT));
    return answer(c, actorDeps, { claim });
  };
