import type { Context } from 'hono';

/**
 * Work that goes on after the answer: the platform cancels it at that moment, or when the client hangs up, unless it is told
 * to wait. What a handler awaits needs none of this, because everyRequest() keeps the request itself.
 */
export function runToCompletion(c: Context, work: Promise<unknown>): void {
  c.executionCtx.waitUntil(work.catch(() => undefined));
}
