import type { Context, Handler } from 'hono';
import type { Deps, Env } from '../deps.ts';
import { type Merchant, merchantOf } from '../domain/session.ts';
import { apiError } from './errors.ts';

type C = Context<{ Bindings: Env }>;

export const unauthorized = (c: Context): Response => apiError(c, 401, 'unauthorized', 'Please log in again.');

/** The bearer of a request, if it has the form of one. */
export const bearerOf = (c: Context): string | null =>
  /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? null;

/** A route of merchants: the session is proved before anything else happens, and names the hub that may be touched. */
export const merchantOnly =
  (
    depsOf: (c: C) => Deps,
    handle: (c: C, deps: Deps, merchant: Merchant) => Promise<Response> | Response,
  ): Handler<{ Bindings: Env }> =>
  async (c) => {
    const bearer = bearerOf(c);
    const merchant = bearer && (await merchantOf(depsOf(c), bearer));
    return merchant ? handle(c, depsOf(c), merchant) : unauthorized(c);
  };
