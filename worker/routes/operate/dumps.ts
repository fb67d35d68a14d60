import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { findManifest, viewDumps } from '#worker/domain/operate/view-dumps';
import { accountIn, type Handle, notFound, operatorOnly } from '#worker/http/guards/operator-program';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** The nightly dumps: which there are, and what one has. */
export function dumpRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/operate/clinics/:account/dumps', { GET: operatorOnly(depsOf, list) });
  route(app, '/api/operate/dumps', { GET: operatorOnly(depsOf, manifest) });
}

/** `clinic`: its number, where the account leads to none any more. */
const list: Handle = async (c, deps) => {
  const clinic = c.req.query('clinic');
  const number = clinic !== undefined && /^\d{1,15}$/.test(clinic) ? Number(clinic) : null;
  const found = await viewDumps(deps, accountIn(c), number);
  return found ? c.json(found) : notFound(c);
};

const manifest: Handle = async (c, deps) => {
  const found = await findManifest(deps, c.req.query('folder') ?? '');
  return found ? c.json(found) : notFound(c);
};
