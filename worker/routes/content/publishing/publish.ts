import { PublishState } from '#shared/contracts/content/content';
import { BuildReportBody, PublishQuery } from '#shared/contracts/content/content-request';
import { builtPath } from '#shared/paths';
import { handleBuildReport, requestBuild, viewPublishState } from '#worker/domain/content/publishing/build';
import { apiError } from '#worker/http/reply/errors';
import { builtPage } from '#worker/http/reply/page-template';
import { type C, type MemberRequest, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for builds of the public site, and for the reports of its builder. */
export const publishRoutes: Routes = {
  'GET /api/cms/publish': route({
    access: 'editor',
    summary: 'Show the publishing state of the public site',
    query: PublishQuery,
    answers: { 200: PublishState },
    handle: async ({ c, deps, query }) =>
      c.json(await viewPublishState(deps, await readLiveRevision(c), query.revision)),
  }),
  'POST /api/cms/publish': route({
    access: 'editor',
    summary: 'Publish the public site now',
    query: PublishQuery,
    answers: { 200: PublishState },
    handle: buildNow,
  }),
  'POST /api/internal/builds/:build': route({
    access: 'site builder',
    summary: 'Report the progress of a site build',
    body: BuildReportBody,
    bodyLimit: 10_000,
    answers: { 204: noBody },
    errors: [409],
    handle: postReport,
  }),
};

/** Returns the revision of the live site, read from its own file, or null if that file is missing or unreadable. */
async function readLiveRevision(c: C): Promise<number | null> {
  try {
    const response = await builtPage(c, builtPath);
    const body: unknown = response.ok ? await response.json() : null;
    const revision = typeof body === 'object' && body !== null ? Reflect.get(body, 'revision') : null;
    return typeof revision === 'number' ? revision : null;
  } catch {
    return null;
  }
}

async function buildNow({ c, deps, query }: MemberRequest<unknown, typeof PublishQuery>): Promise<Response> {
  await requestBuild(deps, 'publish-pressed');
  return c.json(await viewPublishState(deps, await readLiveRevision(c), query.revision));
}

async function postReport({ c, deps, body }: PublicRequest<typeof BuildReportBody>): Promise<Response> {
  switch (await handleBuildReport(deps, c.req.param('build') ?? '', body)) {
    case 'noted':
      return c.body(null, 204);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'Build not found');
    case 'ended':
      return apiError(c, 409, 'conflict', 'This build has ended.');
  }
}
