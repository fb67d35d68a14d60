import type { Context } from 'hono';

/**
 * Work that must be finished even when the client hangs up: the platform cancels everything else at that moment. Lint
 * refuses to call such a verb from a route in any other way.
 */
export function runToCompletion<T>(c: Context, work: Promise<T>): Promise<T> {
  c.executionCtx.waitUntil(work.catch(() => undefined));
  return work;
}
