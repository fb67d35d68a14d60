import type { Context } from 'hono';
import type { SandboxEnv, World } from '../world.ts';
import type { ObjectType } from './object-types.ts';
import { CrmProblem, expiredCredentials, missingScopes, noCredentials } from './problem.ts';

export type Caller = { hubId: number; userId: number; scopes: string[]; token: string };

/** Checks the caller, rate limits, object type and scope of every call about an object. */
export type Guard = (
  c: Context<SandboxEnv>,
  typeName: string,
  access: 'read' | 'write',
  isSearch?: boolean,
) => { caller: Caller; type: ObjectType };

type TokenRow = { hub_id: number; user_id: number; scopes: string; expires_ms: number };

export function findAccessToken(world: World, token: string) {
  return world.store.get<TokenRow>(
    'SELECT hub_id, user_id, scopes, expires_ms FROM access_tokens WHERE token = ?',
    token,
  );
}

/** Finds the bearer's hub. [documented] A token belongs to the account, so it reads records that its user may not. */
export function requireCaller(world: World, c: Context<SandboxEnv>): Caller {
  const token = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  const row = token ? findAccessToken(world, token) : undefined;
  if (!token || !row) throw noCredentials();
  if (row.expires_ms <= world.now()) throw expiredCredentials(row.expires_ms, world.now());
  return { hubId: row.hub_id, userId: row.user_id, scopes: row.scopes.split(' '), token };
}

/** [seen] Any one of the named scopes is enough, according to reports from the live API. */
export function requireScope(caller: Caller, anyOf: string[]) {
  if (!anyOf.some((scope) => caller.scopes.includes(scope))) throw missingScopes(anyOf);
}

const CALLS_PER_10_S = 110;
const SEARCHES_PER_S = 5;

/**
 * [documented] A marketplace app may make 110 calls in 10 s per account, and 5 searches per second.
 * Search responses have no limit headers, and responses to OAuth tokens have no daily ones.
 */
export function createLimiter(world: World) {
  const calls = new Map<string, number[]>();

  function recentCalls(key: string, windowMs: number): number[] {
    const from = world.now() - windowMs;
    const times = (calls.get(key) ?? []).filter((ms) => ms > from && ms <= world.now());
    calls.set(key, times);
    return times;
  }

  function refuse(policyName: string, message: string): never {
    throw new CrmProblem(429, message, { errorType: 'RATE_LIMIT', policyName, requestId: crypto.randomUUID() });
  }

  return (c: Context<SandboxEnv>, hubId: number, isSearch: boolean) => {
    const isEnforced = world.settings(hubId).limits;
    if (isSearch) {
      const window = recentCalls(`${hubId}:search`, 1000);
      if (isEnforced && window.length >= SEARCHES_PER_S) refuse('SECONDLY', 'You have reached your secondly limit.');
      window.push(world.now());
      return;
    }
    const window = recentCalls(`${hubId}:calls`, 10_000);
    c.header('X-HubSpot-RateLimit-Max', String(CALLS_PER_10_S));
    c.header('X-HubSpot-RateLimit-Interval-Milliseconds', '10000');
    c.header('X-HubSpot-RateLimit-Remaining', String(Math.max(0, CALLS_PER_10_S - window.length - 1)));
    if (isEnforced && window.length >= CALLS_PER_10_S)
      refuse('TEN_SECONDLY_ROLLING', 'You have reached your ten_secondly_rolling limit.');
    window.push(world.now());
  };
}
