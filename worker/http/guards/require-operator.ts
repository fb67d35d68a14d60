import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { isFresh, type Operator, operatorOf } from '#worker/domain/operators/session';
import { actingAs } from '#worker/http/acting';
import { operatorTokenOf } from '#worker/http/cookies/operator-cookies';
import { apiError } from '#worker/http/reply/errors';
import type { Guarded } from '../route.ts';
import { turnedAway } from './note-refusal.ts';
import { unauthorized } from './require-merchant.ts';

type C = Context<{ Bindings: Env }>;
type Handle = (c: C, deps: Deps, operator: Operator) => Promise<Response> | Response;

/** `keepsAwake` false: the page asks by itself, so that the session's idle time goes on. */
type Options = { keepsAwake?: boolean };

/**
 * Guards a route of the operator's area by the session's cookie. Where the row says that the passkey must have been
 * shown lately, a session that has not done so is asked to.
 */
export const operatorOnly = (depsOf: (c: C) => Deps, handle: Handle, options: Options = {}): Guarded => ({
  admits: ['operator', 'operator who just showed the passkey'],
  openTo: (who) => async (c) => {
    const deps = depsOf(c);
    const token = operatorTokenOf(c, deps);
    const operator = token ? await operatorOf(deps, token, options.keepsAwake ?? true) : null;
    if (!operator) return turnedAway(c, deps, token ?? null, unauthorized(c));
    if (who !== 'operator' && !isFresh(deps, operator))
      return apiError(c, 403, 'proof-needed', 'Please show your passkey again.');
    const { operatorId, id } = operator;
    return handle(c, await actingAs(c, deps, { kind: 'operator', id: operatorId, sessionId: id }), operator);
  },
});
