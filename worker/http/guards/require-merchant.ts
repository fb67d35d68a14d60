import type { Context } from 'hono';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps, Env } from '#worker/deps';
import { type Merchant, merchantOf, merchantWith } from '#worker/domain/merchants/session';
import { actingAsStaff } from '#worker/http/acting';
import { refreshTokenOf } from '#worker/http/cookies/session-cookies';
import { apiError, type Refuse } from '#worker/http/reply/errors';
import type { Who } from '#worker/security/permissions';
import type { Guarded } from '../route.ts';
import { noteRefusal, turnedAway } from './note-refusal.ts';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, merchant: Merchant, askedAt: number) => Promise<Response> | Response;

export const unauthorized = (c: Context, refuse: Refuse = apiError): Response =>
  refuse(c, 401, 'unauthorized', 'Please log in again.');

/** The bearer of a request, if it looks like one. */
export const bearerOf = (c: Context): string | null =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** Browsers tell where a write comes from; a caller that does not is a program that holds the bearer itself. */
const isBrowser = (c: C): boolean =>
  c.req.header('origin') !== undefined || c.req.header('sec-fetch-site') !== undefined;

const isRead = (c: C): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

const STAFF: readonly Who[] = ['staff', 'account admin', 'staff or holder of a pay link'];

/**
 * Guards a merchant route: checks the session before anything else happens and passes its account on. A write from a
 * browser needs the refresh cookie too. `askedAt` (UTC ms) is taken before the session is looked up.
 */
export const merchantOnly = (depsOf: (c: C) => Deps, handle: Handle): Guarded => ({
  admits: STAFF,
  openTo: () => async (c) => {
    const deps = depsOf(c);
    const askedAt = deps.now();
    const bearer = bearerOf(c);
    const isBearerEnough = isRead(c) || !isBrowser(c);
    const merchant =
      bearer &&
      (await (isBearerEnough ? merchantOf(deps, bearer) : merchantWith(deps, bearer, refreshTokenOf(c, deps))));
    if (!merchant) return turnedAway(c, deps, bearer, unauthorized(c));
    const acting = await actingAsStaff(c, deps, merchant);
    return noteRefusal(c, acting, merchant.accountId, await handle(c, acting, merchant, askedAt));
  },
});

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
  admits: ['staff'],
  openTo: () => async (c) => {
    const deps = depsOf(c);
    const bearer = bearerOf(c);
    const claim = bearer && (await deps.accessTokens.read(bearer, deps.now()));
    if (!claim) return turnedAway(c, deps, bearer, refuse(c));
    return handle(c, await actingAsStaff(c, deps, claim), claim);
  },
});
