import type { Context } from 'hono';
import type { Deps } from '#worker/deps';
import { apiError } from '#worker/http/reply/errors';
import type { Who } from '#worker/security/who';
import type { Guard } from '../serve-routes.ts';

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
