import { isRecentlyProven, operatorOf } from '#worker/domain/operators/session';
import { withActor } from '#worker/http/actor-deps';
import { operatorTokenOf } from '#worker/http/cookies/cookies';
import { apiError } from '#worker/http/reply/errors';
import type { C } from '#worker/http/routes';
import type { Guard } from '#worker/http/serve-routes';
import { countInvalidToken, refuseUnauthorized } from './require-merchant.ts';

/**
 * Admits operators by their session cookie. If `access` requires a recent passkey, a session without one gets a 403
 * `proof-needed`.
 */
export const operatorGuard: Guard = {
  admits: ['operator', 'operator who just showed the passkey'],
  admit:
    ({ access, isPolled }, depsOf, answer) =>
    async (c) => {
      const deps = depsOf(c);
      const token = operatorTokenOf(c, deps);
      const operator = token ? await operatorOf(deps, token, !isPolled) : null;
      if (!operator) return countInvalidToken(c, deps, token ?? null, refuseUnauthorized(c));
      if (access !== 'operator' && !isRecentlyProven(deps, operator))
        return apiError(c, 403, 'proof-needed', 'Please use your passkey again.');
      const { operatorId, id } = operator;
      return answer(c, await withActor(c, deps, { kind: 'operator', id: operatorId, sessionId: id }), { operator });
    },
};

/** Returns the clinic number in the path, or 0 if it is invalid. */
export const clinicNumberOf = (c: C): number => Number(/^[1-9]\d{0,9}$/.exec(c.req.param('number') ?? '')?.[0] ?? 0);
export const clinicNotFound = (c: C): Response => apiError(c, 404, 'not-found', 'Clinic not found');
