import { StaffSessions } from '#shared/contracts/team';
import { EndedSessionsReply } from '#shared/contracts/team-answers';
import { endEverySession, endOwnSession, viewOwnSessions } from '#worker/domain/merchants/own-sessions';
import { clearSession } from '#worker/http/cookies/session-cookies';
import { apiError } from '#worker/http/reply/errors';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Where a person is logged in, and the end of that. */
export const ownSessionRoutes: Routes = {
  'GET /api/sessions': route({
    who: 'staff',
    summary: 'List your sessions',
    answers: { 200: StaffSessions },
    handle: getSessions,
  }),
  'DELETE /api/sessions': route({
    who: 'staff',
    summary: 'End all your sessions',
    answers: { 200: EndedSessionsReply },
    handle: deleteAll,
  }),
  'DELETE /api/sessions/:id': route({
    who: 'staff',
    summary: 'End one of your sessions',
    answers: { 200: EndedSessionsReply },
    handle: deleteOne,
  }),
};

async function getSessions({ c, deps, merchant: you }: StaffRequest): Promise<Response> {
  return c.json({ sessions: await viewOwnSessions(deps, you) } satisfies StaffSessions);
}

async function deleteAll({ c, deps, merchant: you }: StaffRequest): Promise<Response> {
  const ended = await endEverySession(deps, you);
  clearSession(c, deps);
  return c.json({ ended } satisfies EndedSessionsReply);
}

async function deleteOne({ c, deps, merchant: you }: StaffRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  if (!(await endOwnSession(deps, you, id))) return apiError(c, 404, 'not-found', 'There is no such session of yours.');
  if (id === you.sessionId) clearSession(c, deps);
  return c.json({ ended: 1 } satisfies EndedSessionsReply);
}
