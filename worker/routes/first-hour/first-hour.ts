import { SendMailReply } from '#shared/contracts/lists/lists';
import { FirstHour, FirstHourBody, FirstHourMails } from '#shared/contracts/staff/first-hour';
import { decideFirstHour, previewMails, sendTestLink, viewFirstHour } from '#worker/domain/first-hour/first-hour';
import { apiError } from '#worker/http/reply/errors';
import { replyToMail } from '#worker/http/reply/invoice-mail';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the setup checklist of a clinic. */
export const firstHourRoutes: Routes = {
  'GET /api/first-hour': route({
    access: 'staff',
    summary: 'Show the setup checklist',
    answers: { 200: FirstHour },
    handle: async ({ c, deps, merchant: caller }) => c.json(await viewFirstHour(deps, caller)),
  }),
  'PUT /api/first-hour': route({
    access: 'staff: administer',
    summary: 'Update the setup checklist',
    body: FirstHourBody,
    answers: { 200: FirstHour },
    handle: putFirstHour,
  }),
  'GET /api/first-hour/mails': route({
    access: 'staff',
    summary: 'Preview the emails that customers receive',
    answers: { 200: FirstHourMails },
    handle: async ({ c, deps, merchant: caller }) => c.json(await previewMails(deps, caller)),
  }),
  'POST /api/first-hour/test-link': route({
    access: 'staff: administer',
    summary: 'Send yourself a test payment link',
    answers: { 200: SendMailReply, 202: SendMailReply },
    errors: [409, 422, 429, 503],
    handle: postTestLink,
  }),
};

async function putFirstHour({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof FirstHourBody>): Promise<Response> {
  const { is_ended, has_seen_mails } = body;
  return c.json(
    await decideFirstHour(deps, caller, {
      ...(is_ended === undefined ? {} : { isEnded: is_ended }),
      ...(has_seen_mails === undefined ? {} : { hasSeenMails: has_seen_mails }),
    }),
  );
}

async function postTestLink({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  const outcome = await sendTestLink(deps, caller);
  switch (outcome.kind) {
    case 'no-own-address':
      return apiError(c, 422, 'invalid', 'We have no email address for you.');
    case 'no-terminal':
      return apiError(c, 409, 'conflict', 'There is no terminal for online payments yet.');
    case 'no-invoice':
      return apiError(
        c,
        409,
        'conflict',
        'There is no open invoice in USD yet. Create one in your CRM. It appears here within a minute.',
      );
    default:
      return replyToMail(c, outcome);
  }
}
