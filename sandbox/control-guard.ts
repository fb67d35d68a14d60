import type { Context, ErrorHandler, MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import type { SandboxEnv } from './world.ts';

/** Thrown for a control call that cannot be carried out. */
export class InvalidControlCall extends Error {}

export const answerInvalidControlCall: ErrorHandler<SandboxEnv> = (error, c) => {
  if (error instanceof InvalidControlCall) return c.json({ error: error.message }, 400);
  throw error;
};

export async function readBody<T>(c: Context<SandboxEnv>, schema: z.ZodType<T>): Promise<T> {
  let body: unknown;
  try {
    body = JSON.parse((await c.req.text()) || '{}');
  } catch {
    throw new InvalidControlCall('the body is not JSON');
  }
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new InvalidControlCall(
    parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`).join('; '),
  );
}

/** True if a Host header (with or without port) names this machine. Any other name may be a DNS rebinding attack. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d+)?$/.test(host);
}

/** Refuses pages on other sites, which must not control this world through a visitor's browser. */
export const refuseForeignPages: MiddlewareHandler<SandboxEnv> = async (c, next) => {
  const origin = c.req.header('origin');
  if (origin && !isLoopback(origin.replace(/^https?:\/\//, ''))) return c.json({ error: 'loopback only' }, 403);
  return next();
};
