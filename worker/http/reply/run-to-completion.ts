import type { Context } from 'hono';
import type { Deps } from '#worker/deps';
import { keepAlerts } from '#worker/domain/alerts/keep';

/** Areas have contexts of their own; all of a request's work has one execution context. */
const depsOf = new WeakMap<object, Deps>();

/** The deps of a request, whose alerts are written down once its work is done. */
export const keepAlertsOf = (c: Context, deps: Deps): void => void depsOf.set(c.executionCtx, deps);

/**
 * Work that goes on after the answer: the platform cancels it at that moment, or when the client hangs up, unless it is told
 * to wait. What a handler awaits needs none of this, because everyRequest() keeps the request itself.
 */
export function runToCompletion(c: Context, work: Promise<unknown>): void {
  const done = async () => {
    const deps = depsOf.get(c.executionCtx);
    if (deps?.raised.length) await keepAlerts(deps);
  };
  c.executionCtx.waitUntil(work.then(done, done).catch(() => undefined));
}
