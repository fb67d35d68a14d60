import type { Context } from 'hono';
import type { Deps, Env } from '#worker/deps';
import { viewHealth } from '#worker/domain/alerts/health';
import { hasSecret } from '#worker/http/guards/program-secret';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** For whatever watches the installation from outside. */
export function healthRoutes(app: App, depsOf: (c: C) => Deps): void {
  route(app, '/api/health', {
    GET: async (c) => {
      const deps = depsOf(c);
      const health = await viewHealth(deps, await hasSecret(c, deps, deps.settings.HEALTH_SECRET));
      c.header('cache-control', 'no-store');
      return c.json(health, health.status === 'fail' ? 503 : 200);
    },
  });
}
