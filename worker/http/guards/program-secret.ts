import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import type { Deps } from '#worker/deps';
import { ipKeyOf } from '#worker/domain/audit/event';
import { countAnonymousRefusal } from '#worker/domain/audit/refusals';
import { enforceRateLimits, ipRateLimit } from '#worker/domain/content/accounts/rate-limit';
import { recordCall } from '#worker/domain/operate/trail';
import { refuseTooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import type { RouteAccess } from '#worker/security/route-access';
import type { C } from '../routes.ts';
import type { Answer, Guard } from '../serve-routes.ts';

/** True if the bearer token of the request is this secret. Always false if the secret is not set. */
export async function hasSecret(c: Context, { sha256 }: Pick<Deps, 'sha256'>, secret: string): Promise<boolean> {
  const presentedSecret = /^Bearer (\S{1,500})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  // Compare hashes, so that the duration of the comparison reveals nothing about the secret.
  const [presentedHash, secretHash] = await Promise.all([sha256(presentedSecret), sha256(secret)]);
  return secret !== '' && presentedHash === secretHash;
}

/** Admits a program by the secret in a setting. `refusal`: the error message for a wrong secret. */
const secretGuard = (access: RouteAccess, setting: 'MONITOR_SECRET' | 'BUILD_SECRET', refusal: string): Guard => ({
  admits: [access],
  admit: (_, depsOf, answer) => async (c) => {
    const deps = depsOf(c);
    return (await hasSecret(c, deps, deps.settings[setting]))
      ? answer(c, deps, {})
      : apiError(c, 401, 'unauthorized', refusal);
  },
});

export const monitorGuard = secretGuard('tamper monitor', 'MONITOR_SECRET', 'Only the tamper monitor may do that.');
export const builderGuard = secretGuard('site builder', 'BUILD_SECRET', 'Only the builder of this site may do that.');

/** Wrong secrets allowed per IP address and hour. */
const MAX_WRONG_SECRETS = 10;

export const notFound = (c: Context): Response => apiError(c, 404, 'not-found', 'Not found.');

/** Returns the account id in the path: 0 for the installation, -1 if it is invalid. */
export const accountIdOf = (c: Context): number => numberParamOf(c, 'account');
export function numberParamOf(c: Context, name: string): number {
  const value = c.req.param(name) ?? '';
  return /^\d{1,15}$/.test(value) ? Number(value) : -1;
}

/**
 * Admits the operator's programs by their secret, or returns 404 if the settings have none. Wrong secrets are rate
 * limited. The right secret is never limited, so that guesses cannot lock the operator out. That is safe, because 24
 * random characters cannot be guessed. Each admitted call records an event with the clinic number, not the account id.
 */
export const programGuard: Guard = {
  admits: ['operator program'],
  admit: (_, depsOf, answer) => (c) => admitProgram(c, depsOf(c), answer),
};

async function admitProgram(c: C, deps: Deps, answer: Answer): Promise<Response> {
  if (deps.settings.OPERATOR_SECRET === '') return notFound(c);
  const clientIp = c.req.header('cf-connecting-ip') ?? null;
  const limits = [await ipRateLimit(deps, 'operate', { clientIp }, MAX_WRONG_SECRETS, MAX_WRONG_SECRETS)];
  if (!(await hasSecret(c, deps, deps.settings.OPERATOR_SECRET))) {
    const rateLimit = await enforceRateLimits(deps, limits);
    await countAnonymousRefusal(deps, 'access.refused', routePath(c));
    return rateLimit
      ? refuseTooMany(c, rateLimit.retryAfterS)
      : apiError(c, 401, 'unauthorized', 'Only the operator’s programs may do that.');
  }
  const ipHash = await ipKeyOf(deps, clientIp);
  const actorDeps: Deps = { ...deps, actor: { ...deps.actor, kind: 'operator', id: 'program', ipHash } };
  await recordCall(actorDeps, {
    route: `${c.req.method} ${routePath(c)}`,
    account: accountIdOf(c),
    clinic: numberParamOf(c, 'clinic'),
  });
  return answer(c, actorDeps, {}).catch((cause: unknown) => {
    // A program has no login to repeat, so the response is 404.
    if (isNoSuchClinic(cause)) return notFound(c);
    throw cause;
  });
}
