import type { MiddlewareHandler } from 'hono';
import type { SandboxEnv } from './world.ts';

/** Whether a Host header (with or without port) names this machine. Another name may be a web page's trick. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);
}

/** A page on another site must not steer this world through a visitor's browser. */
export const refuseForeignPages: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  if (origin && !isLoopback(origin.replace(/^https?:\/\//, ''))) return c.json({ error: 'loopback only' }, 403);
  return next();
};
