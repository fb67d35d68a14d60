import type { Context } from 'hono';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import type { Actor } from '#worker/data/audit/events';
import type { Deps, Env } from '#worker/deps';
import { ipKeyOf } from '#worker/domain/audit/event';
import type { LoggedInMerchant } from '#worker/domain/merchants/session';
import type { Log } from '#worker/log';

type C = Context<{ Bindings: Env }>;

/** Returns the request id, which `everyRequest` sets. */
const requestIdOf = (c: Context): string => {
  const id: unknown = c.get('requestId');
  return typeof id === 'string' ? id : '';
};

/** Returns deps for one request, so that its audit events and log lines carry the request id. */
export const requestDeps =
  (depsOf: (env: Env) => Deps) =>
  (c: C): Deps => {
    const deps = depsOf(c.env);
    const requestId = requestIdOf(c);
    const { info, alert } = deps.log;
    const log: Log = {
      info: (event, fields) => info(event, { ...fields, requestId }),
      alert: (event, fields) => alert(event, { ...fields, requestId }),
    };
    return { ...deps, log, actor: { ...deps.actor, requestId } };
  };

/** Returns deps for a request from a known user, who is logged in or logging in. */
export async function withActor(c: C, deps: Deps, actor: Pick<Actor, 'kind' | 'id' | 'sessionId'>): Promise<Deps> {
  const ipHash = await ipKeyOf(deps, c.req.header('cf-connecting-ip') ?? null);
  return { ...deps, actor: { ...actor, ipHash, requestId: requestIdOf(c) } };
}

/** Returns deps for a staff request, scoped to the clinic. Adds the clinic to the log line of the request. */
export function withStaffActor(
  c: C,
  deps: Deps,
  { clinic, sessionId, userId }: Pick<LoggedInMerchant, 'clinic' | 'sessionId' | 'userId'>,
): Promise<Deps> {
  (c as Context).set('clinic', clinic);
  return withActor(c, depsOfClinic(deps, clinic), { kind: 'user', id: String(userId), sessionId });
}
