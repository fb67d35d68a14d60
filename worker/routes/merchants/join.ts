import { JoinOffer } from '#shared/contracts/team';
import { joinTeam, readStaffInvitation } from '#worker/domain/merchants/join';
import { endReplacedSession } from '#worker/domain/merchants/session';
import { actingAs } from '#worker/http/acting';
import { refreshTokenOf, setSession } from '#worker/http/cookies/session-cookies';
import { browserOf } from '#worker/http/read/browser';
import { apiError } from '#worker/http/reply/errors';
import { filledPage } from '#worker/http/reply/page-template';
import { type C, nothing, type PublicRequest, page, type Routes, route } from '#worker/http/routes';

/** Who accepts is known once the invitation was used. */
const NOBODY = { kind: 'user', id: '', sessionId: '' } as const;

/** An invitation of staff, by the link in its mail. Reading it changes nothing: mail services open links by themselves. */
export const joinRoutes: Routes = {
  // The page asks for the offer itself, so it is the same for every secret, also for one that we never made.
  'GET /join/:secret': route({
    who: 'anyone',
    summary: 'Open the invitation page of a team',
    answers: { 200: page },
    handle: ({ c }) => filledPage(c, '/app/join', { texts: {} }),
  }),
  'GET /api/join/:secret': route({
    who: 'holder of an invitation',
    summary: 'Show an invitation to a team',
    answers: { 200: JoinOffer },
    errors: [410],
    handle: getOffer,
  }),
  'POST /api/join/:secret': route({
    who: 'holder of an invitation',
    summary: 'Accept an invitation to a team',
    answers: { 204: nothing },
    errors: [410],
    handle: postJoin,
  }),
};

const secretOf = (c: C) => c.req.param('secret') ?? '';
const ended = (c: C) =>
  apiError(c, 410, 'link-ended', 'This invitation was used or has ended. Ask an administrator for a new one.');

async function getOffer({ c, deps }: PublicRequest): Promise<Response> {
  const found = await readStaffInvitation(deps, secretOf(c));
  if (!found) return ended(c);
  const { business, email, name, role, invitedBy, endsAt } = found.invitation;
  const offer = { business, email, name, role, invited_by: invitedBy, ends_at: new Date(endsAt).toISOString() };
  return c.json(offer satisfies JoinOffer);
}

async function postJoin({ c, deps }: PublicRequest): Promise<Response> {
  const session = await joinTeam(await actingAs(c, deps, NOBODY), secretOf(c), browserOf(c));
  if (!session) return ended(c);
  await endReplacedSession(deps, refreshTokenOf(c, deps));
  setSession(c, deps, session);
  return c.body(null, 204);
}
