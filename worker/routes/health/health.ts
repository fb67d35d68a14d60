import { Health } from '#shared/contracts/operators/health';
import { viewHealth } from '#worker/domain/alerts/health';
import { hasSecret } from '#worker/http/guards/program-secret';
import { type Routes, route } from '#worker/http/routes';

/** The route of the health check for external monitoring. */
export const healthRoutes: Routes = {
  'GET /api/health': route({
    access: 'anyone',
    summary: 'Check the health of the service',
    answers: { 200: Health, 503: Health },
    handle: async ({ c, deps }) => {
      const health = await viewHealth(deps, await hasSecret(c, deps, deps.settings.HEALTH_SECRET));
      c.header('cache-control', 'no-store');
      return c.json(health, health.status === 'fail' ? 503 : 200);
    },
  }),
};
