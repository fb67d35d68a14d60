import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { endSupportView, grantSupportView, viewSupportView } from '#worker/domain/merchants/support-view';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Lets the operator look at a clinic, and ends that. */
export function supportViewRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/support-view', {
    GET: merchantOnly(depsOf, async (c, deps, you) => c.json(await viewSupportView(deps, you))),
    POST: merchantOnly(depsOf, async (c, deps, you) => {
      await grantSupportView(deps, you);
      return c.json(await viewSupportView(deps, you));
    }),
    DELETE: merchantOnly(depsOf, async (c, deps, you) => {
      await endSupportView(deps, you);
      return c.json(await viewSupportView(deps, you));
    }),
  });
}
