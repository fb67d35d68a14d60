import { requestDeps } from '#worker/http/actor-deps';
import { builderGuard } from '#worker/http/guards/program-secret';
import { memberGuard } from '#worker/http/guards/require-editor';
import { apiError } from '#worker/http/reply/errors';
import { type Routes, route } from '#worker/http/routes';
import { type App, serveArea } from '#worker/http/serve-routes';
import { authRoutes } from '#worker/routes/content/accounts/auth';
import { secondFactorRoutes } from '#worker/routes/content/accounts/second-factor';
import { cmsUserRoutes } from '#worker/routes/content/accounts/users';
import { pageRoutes, postRoutes } from '#worker/routes/content/articles/articles';
import { cmsAuditRoutes } from '#worker/routes/content/audit/audit';
import { cmsAppRoutes } from '#worker/routes/content/cms-app';
import { mediaRoutes } from '#worker/routes/content/media/files';
import { cmsMediaRoutes } from '#worker/routes/content/media/library';
import { publicContentRoutes } from '#worker/routes/content/publishing/public-content';
import { publicPageRoutes } from '#worker/routes/content/publishing/public-pages';
import { publishRoutes } from '#worker/routes/content/publishing/publish';
import type { Deps, Env } from '../deps.ts';

/** Routes of the content area, and of its public pages. */
export const contentRouteGroups: readonly Routes[] = [
  authRoutes,
  secondFactorRoutes,
  cmsUserRoutes,
  postRoutes,
  pageRoutes,
  cmsMediaRoutes,
  cmsAuditRoutes,
  publishRoutes,
  publicContentRoutes,
  publicPageRoutes,
  mediaRoutes,
  cmsAppRoutes,
];

/** The body limit in bytes, for the longest text with every character escaped. */
const BODY_LIMIT = 2_000_000;

/** worker/app.ts forwards this area's requests here. */
export function createContentArea(depsOf: (env: Env) => Deps): App {
  const area = serveArea(contentRouteGroups, depsOf, {
    guards: [memberGuard, builderGuard],
    bodyLimit: BODY_LIMIT,
    tooLarge: 'Content is too long.',
  });
  // Unknown paths require a login too, so that a stranger cannot find out which calls exist.
  area.all(
    '/api/cms/*',
    memberGuard.admit(unknownRoute, requestDeps(depsOf), async (c) => unknownRoute.handle({ c })),
  );
  return area;
}

const unknownRoute = route({
  access: 'editor',
  summary: 'Answer for an unknown address',
  answers: {},
  handle: ({ c }) => apiError(c, 404, 'not-found', 'Not found.'),
});
