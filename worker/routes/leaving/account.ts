import type { Context } from 'hono';
import { ClosingBody } from '#shared/contracts/leaving-request';
import type { Deps, Env } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { merchantOnly } from '#worker/http/guards/require-merchant';
import { limitBody } from '#worker/http/middleware/limit-body';
import { invalid, readJson } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type App, route } from '#worker/http/route';

type C = Context<{ Bindings: Env }>;

/** Few ask for these: their verbs are loaded with the first who does. */
const archives = () => import('#worker/domain/leaving/archive');
const closings = () => import('#worker/domain/leaving/closing');

/** All records of an account as a download, and its end. */
export function leavingRoutes(app: App, depsOf: (c: C) => Deps): void {
  app.use(
    '/api/account/*',
    limitBody(10_000, (c) => apiError(c, 413, 'too-large', 'The request is too large.')),
  );
  route(app, '/api/account/archive', {
    GET: merchantOnly(depsOf, getArchive),
    POST: merchantOnly(depsOf, postArchive),
  });
  route(app, '/api/account/archive/:id/parts/:part', { GET: merchantOnly(depsOf, getPart) });
  route(app, '/api/account/closing', {
    GET: merchantOnly(depsOf, getClosing),
    PUT: merchantOnly(depsOf, putClosing),
    DELETE: merchantOnly(depsOf, deleteClosing),
  });
}

const getArchive = async (c: C, deps: Deps) => c.json(await (await archives()).viewArchive(deps, 'clinic'));

const postArchive = async (c: C, deps: Deps, { accountId }: Merchant) =>
  c.json(await (await archives()).askArchive(deps, accountId, 'clinic'), 202);

async function getPart(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const part = c.req.param('part') ?? '';
  const found = /^\d{1,6}$/.test(part)
    ? await (await archives()).fetchPart(deps, { accountId, kind: 'clinic', id, part: Number(part) })
    : null;
  if (!found) return apiError(c, 404, 'not-found', 'This download is not there any more. Ask for a new one.');
  return c.body(found.body, 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(found.size),
    'cache-control': 'private, no-store',
  });
}

async function getClosing(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
  const status = await (await closings()).viewClosing(deps, accountId);
  return status ? c.json(status) : apiError(c, 404, 'not-found', 'There is no such account.');
}

async function putClosing(c: C, deps: Deps, you: Merchant): Promise<Response> {
  const body = await readJson(c, ClosingBody);
  if ('refusal' in body) return body.refusal;
  const outcome = await (await closings()).askToClose(deps, you, body.data);
  switch (outcome.kind) {
    case 'closes':
      runToCompletion(
        c,
        import('#worker/domain/mail/send').then(({ sendMail }) => sendMail(deps, outcome.mailId)),
      );
      return c.json(outcome.status);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'There is no such account.');
    case 'forbidden':
      return apiError(c, 403, 'forbidden', 'Only an administrator of this account may do this.');
    case 'closes-already':
      return apiError(c, 409, 'conflict', 'The account closes already. Take that back to name another day.');
    case 'other-name':
      return invalid(c, { business: `Type “${outcome.business}”.` });
    case 'other-day':
      return invalid(c, { closes_on: `Choose a day from ${outcome.earliest} to ${outcome.latest}.` });
  }
}

async function deleteClosing(c: C, deps: Deps, you: Merchant): Promise<Response> {
  if (!(await (await closings()).keepOpen(deps, you)))
    return apiError(c, 409, 'conflict', 'The account does not close.');
  return getClosing(c, deps, you);
}
