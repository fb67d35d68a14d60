import { mayOpenContent } from '#worker/http/guards/require-editor';
import { sendBuiltPage } from '#worker/http/reply/page-template';
import { htmlPage, noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Access depends on the login, so caches must not store the pages. */
const headers = { 'cache-control': 'no-store' };

/** Routes for the pages of the content area. Logged-in members get one built shell at every address. */
export const cmsAppRoutes: Routes = {
  'GET /cms/login': route({
    access: 'anyone',
    summary: 'Open the login page of the content area',
    answers: { 200: htmlPage, 303: noBody },
    handle: getLogin,
  }),
  'GET /cms': route({
    access: 'editor by cookie',
    summary: 'Open the content area',
    answers: { 200: htmlPage, 303: noBody },
    handle: getShell,
  }),
  'GET /cms/*': route({
    access: 'editor by cookie',
    summary: 'Open a page of the content area',
    answers: { 200: htmlPage, 303: noBody },
    handle: getShell,
  }),
};

async function getLogin({ c, deps }: PublicRequest): Promise<Response> {
  return (await mayOpenContent(c, deps)) ? c.redirect('/cms', 303) : sendBuiltPage(c, '/cms/login', { headers });
}

async function getShell({ c, deps }: PublicRequest): Promise<Response> {
  return (await mayOpenContent(c, deps)) ? sendBuiltPage(c, '/cms/shell', { headers }) : c.redirect('/cms/login', 303);
}
