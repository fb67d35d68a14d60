import type { Context } from 'hono';
import { type StaffRole, SUPPORT_USER, staffRoles } from '#shared/contracts/team-values';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps, Env } from '#worker/deps';
import { type LoggedIn, merchantOf, merchantWith } from '#worker/domain/merchants/session';
import { actingAsStaff } from '#worker/http/acting';
import { refreshTokenOf } from '#worker/http/cookies/session-cookies';
import { apiError, type Refuse } from '#worker/http/reply/errors';
import { stepUpNeeded } from '#worker/http/reply/step-up';
import { isStaffRole, type Who } from '#worker/security/permissions';
import { reaches } from '#worker/security/roles';
import type { Guarded } from '../route.ts';
import { noteRefusal, turnedAway } from './note-refusal.ts';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, merchant: LoggedIn, requestedAt: number) => Promise<Response> | Response;

export const unauthorized = (c: Context, refuse: Refuse = apiError): Response =>
  refuse(c, 401, 'unauthorized', 'Please log in again.');

/** The bearer of a request, if it looks like one. */
export const bearerOf = (c: Context): string | null =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** Browsers tell where a write comes from; a caller that does not is a program that holds the bearer itself. */
const isBrowser = (c: C): boolean =>
  c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;

const isRead = (c: C): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

const STAFF: readonly Who[] = [...staffRoles, 'staff or holder of a pay link'];

const TOO_LITTLE: Record<StaffRole, string> = {
  reader: 'Please log in again.',
  desk: 'You may look at everything here and change nothing. An administrator of this account can change that.',
  manager: 'Only a manager or an administrator of this account may do this.',
  admin: 'Only an administrator of this account may do this.',
};

/**
 * Guards a merchant route: checks session and role, which one statement reads, before anything else happens, and passes
 * the account on. A write from a browser needs the refresh cookie too, and some take a proof that it is still this
 * person. `requestedAt` (UTC ms) is taken before the session is looked up.
 */
export const merchantOnly = (depsOf: (c: C) => Deps, handle: Handle): Guarded => ({
  admits: STAFF,
  openTo: (who, takesProof) => async (c) => {
    const least = isStaffRole(who) ? who : 'reader';
    const deps = depsOf(c);
    const requestedAt = deps.now();
    const bearer = bearerOf(c);
    const isBearerEnough = isRead(c) || !isBrowser(c);
    const merchant =
      bearer &&
      (await (isBearerEnough ? merchantOf(deps, bearer) : merchantWith(deps, bearer, refreshTokenOf(c, deps))));
    if (!merchant) return turnedAway(c, deps, bearer, unauthorized(c));
    const acting = await actingAsStaff(c, deps, merchant);
    if (merchant.userId === SUPPORT_USER && takesMore(c))
      return noteRefusal(c, acting, merchant.accountId, apiError(c, 403, 'forbidden', ONLY_LOOKS));
    if (!reaches(merchant.role, least))
      return noteRefusal(c, acting, merchant.accountId, apiError(c, 403, 'forbidden', TOO_LITTLE[least]));
    // Asking for a proof refuses nobody, so the trail does not count it.
    const asked = takesProof ? await askForProof(c, acting, merchant) : null;
    return asked ?? noteRefusal(c, acting, merchant.accountId, await handle(c, acting, merchant, requestedAt));
  },
});

/** Null: the proof is there. */
async function askForProof(c: C, deps: Deps, merchant: LoggedIn): Promise<Response | null> {
  const ways = await (await import('#worker/domain/proofs/standing')).missingProof(deps, merchant);
  return ways && stepUpNeeded(c, ways);
}

const ONLY_LOOKS = 'You look at this account for support. Nothing can be changed or taken along.';
/** More than looking: a write, or a file of many rows. */
const takesMore = (c: C): boolean => !isRead(c) || c.req.query('format') === 'csv';

type HandleClaim = (c: C, deps: Deps, claim: SessionClaim) => Promise<Response>;

/**
 * Guards a read-only merchant route: checks the bearer's signature first, then the session in the same trip to D1 as
 * the read, and drops what was read when there is no session.
 */
export const merchantReads = (
  depsOf: (c: C) => Deps,
  handle: HandleClaim,
  refuse: (c: Context) => Response = unauthorized,
): Guarded => ({
  admits: ['reader'],
  openTo: () => async (c) => {
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const claim = bearer && (await deps.accessTokens.read(bearer, deps.now()));
    if (!claim) return turnedAway(c, deps, bearer, refuse(c));
    const acting = await actingAsStaff(c, deps, claim);
    if (claim.userId === SUPPORT_USER && takesMore(c))
      return noteRefusal(c, acting, claim.accountId, apiError(c, 403, 'forbidden', ONLY_LOOKS));
    return handle(c, acting, claim);
  },
});
