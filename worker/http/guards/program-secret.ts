import type { Context } from 'hono';
import { routePath } from 'hono/route';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import type { Deps } from '#worker/deps';
import { ipKeyOf } from '#worker/domain/audit/event';
import { countStranger } from '#worker/domain/audit/refusals';
import { perAddress, take } from '#worker/domain/content/accounts/rate-limit';
import { recordCall } from '#worker/domain/operate/trail';
import { tooMany } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import type { Who } from '#worker/security/who';
import type { C } from '../routes.ts';
import type { Answer, Guard } from '../serve-routes.ts';

/** Whether a program sent this secret as its bearer. A secret that is not set admits none. */
export async function hasSecret(c: Context, { sha256 }: Pick<Deps, 'sha256'>, secret: string): Promise<boolean> {
  const given = /^Bearer (\S{1,500})$/.exec(c.req.header('authorization') ?? '')?.[1] ?? '';
  // Compare hashes: how early the comparison ends then reveals nothing about the secret.
  const [one, other] = await Promise.all([sha256(given), sha256(secret)]);
  return secret !== '' && one === other;
}

/** Lets a program in by the secret of its settings; `refusal` tells another one why not. */
const secretGuard = (who: Who, setting: 'MONITOR_SECRET' | 'BUILD_SECRET', refusal: string): Guard => ({
  admits: [who],
  letIn: (_, depsOf, answer) => async (c) => {
    const deps = depsOf(c);
    return (await hasSecret(c, deps, deps.settings[setting]))
      ? answer(c, deps, {})
      : apiError(c, 401, 'unauthorized', refusal);
  },
});

export const monitorGuard = secretGuard('tamper monitor', 'MONITOR_SECRET', 'Only the tamper monitor may do that.');
export const builderGuard = secretGuard('site builder', 'BUILD_SECRET', 'Only the builder of this site may say that.');

/** Wrong secrets of one address in an hour before it waits. */
const TRIES = 10;

export const notFound = (c: Context): Response => apiError(c, 404, 'not-found', 'Not found.');

/** The account in the address; -1: there is none of that name. 0 is the installation. */
export const accountIn = (c: Context): number => numberIn(c, 'account');
export function numberIn(c: Context, name: string): number {
  const given = c.req.param(name) ?? '';
  return /^\d{1,15}$/.test(given) ? Number(given) : -1;
}

/**
 * Lets the operator's programs in by their secret. Without a secret in the settings nothing is there. Who guesses waits;
 * the right secret does not, since a stranger's guesses must not keep the operator out, and nobody guesses 24 random
 * characters. Each call that is let in leaves an event, with the clinic's number and not its account's.
 */
export const programGuard: Guard = {
  admits: ['operator program'],
  letIn: (_, depsOf, answer) => (c) => letProgramIn(c, depsOf(c), answer),
};

async function letProgramIn(c: C, deps: Deps, answer: Answer): Promise<Response> {
  if (deps.settings.OPERATOR_SECRET === '') return notFound(c);
  const clientIp = c.req.header('cf-connecting-ip') ?? null;
  const limits = [await perAddress(deps, 'operate', { clientIp }, TRIES, TRIES)];
  if (!(await hasSecret(c, deps, deps.settings.OPERATOR_SECRET))) {
    const refused = await take(deps, limits);
    await countStranger(deps, 'access.refused', routePath(c));
    return refused
      ? tooMany(c, refused.retryAfterS)
      : apiError(c, 401, 'unauthorized', 'Only the operator’s programs may do that.');
  }
  const ipHash = await ipKeyOf(deps, clientIp);
  const acting: Deps = { ...deps, actor: { ...deps.actor, kind: 'operator', id: 'program', ipHash } };
  await recordCall(acting, {
    route: `${c.req.method} ${routePath(c)}`,
    account: accountIn(c),
    clinic: numberIn(c, 'clinic'),
  });
  return answer(c, acting, {}).catch((cause: unknown) => {
    // A program has no login that it could repeat.
    if (isNoSuchClinic(cause)) return notFound(c);
    throw cause;
  });
}
