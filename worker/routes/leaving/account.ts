import { ArchiveStatus, ClosingBody, ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import type { Deps } from '#worker/deps';
import { fetchPart, requestArchive, viewArchive } from '#worker/domain/leaving/archive';
import { scheduleClosing, undoClosing, viewClosing } from '#worker/domain/leaving/closing';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import type { C } from '#worker/http/routes';
import { bytes, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes that download all records of an account and close the account. */
export const leavingRoutes: Routes = {
  'GET /api/account/archive': route({
    access: 'staff: administer',
    summary: 'Show the status of the account archive',
    answers: { 200: ArchiveStatus },
    handle: getArchive,
  }),
  'POST /api/account/archive': route({
    access: 'staff: administer',
    summary: 'Request an archive of the account',
    stepUp: true,
    answers: { 202: ArchiveStatus },
    handle: postArchive,
  }),
  'GET /api/account/archive/:id/parts/:part': route({
    access: 'staff: administer',
    summary: 'Download a part of the account archive',
    stepUp: true,
    answers: { 200: bytes },
    handle: getPart,
  }),
  'GET /api/account/closing': route({
    access: 'staff',
    summary: 'Show whether the account is scheduled to close',
    answers: { 200: ClosingStatus },
    handle: ({ c, deps, merchant }) => closingReply(c, deps, merchant),
  }),
  'PUT /api/account/closing': route({
    access: 'staff: administer',
    summary: 'Schedule the account to close',
    stepUp: true,
    body: ClosingBody,
    answers: { 200: ClosingStatus },
    errors: [409],
    handle: putClosing,
  }),
  'DELETE /api/account/closing': route({
    access: 'staff: administer',
    summary: 'Cancel the scheduled closing of the account',
    answers: { 200: ClosingStatus },
    errors: [409],
    handle: deleteClosing,
  }),
};

async function getArchive({ c, deps }: StaffRequest): Promise<Response> {
  return c.json(await viewArchive(deps, 'clinic'));
}

async function postArchive({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  return c.json(await requestArchive(deps, accountId, 'clinic'), 202);
}

async function getPart({ c, deps, merchant: { accountId } }: StaffRequest): Promise<Response> {
  const id = c.req.param('id') ?? '';
  const part = c.req.param('part') ?? '';
  const file = /^\d{1,6}$/.test(part)
    ? await fetchPart(deps, { accountId, kind: 'clinic', id, part: Number(part) })
    : null;
  if (!file) return apiError(c, 404, 'not-found', 'This download has expired. Please make a new one.');
  return c.body(file.body, 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(file.size),
    'cache-control': 'private, no-store',
  });
}

async function closingReply(c: C, deps: Deps, { accountId }: Merchant): Promise<Response> {
  const status = await viewClosing(deps, accountId);
  return status ? c.json(status) : apiError(c, 404, 'not-found', 'There is no such account.');
}

async function putClosing({ c, deps, merchant: caller, body }: StaffRequest<typeof ClosingBody>): Promise<Response> {
  const outcome = await scheduleClosing(deps, caller, body);
  switch (outcome.kind) {
    case 'closes':
      runToCompletion(c, sendMail(deps, outcome.mailId));
      return c.json(outcome.status);
    case 'not-found':
      return apiError(c, 404, 'not-found', 'There is no such account.');
    case 'forbidden':
      return apiError(c, 403, 'forbidden', 'Only an administrator of this account may do this.');
    case 'closes-already':
      return apiError(
        c,
        409,
        'conflict',
        'The account is already scheduled to close. Cancel that to choose another day.',
      );
    case 'other-name':
      return refuseInvalid(c, { business: `Type “${outcome.business}”.` });
    case 'other-day':
      return refuseInvalid(c, { closes_on: `Choose a day from ${outcome.earliest} to ${outcome.latest}.` });
  }
}

async function deleteClosing({ c, deps, merchant: caller }: StaffRequest): Promise<Response> {
  if (!(await undoClosing(deps, caller))) return apiError(c, 409, 'conflict', 'The account is not scheduled to close.');
  return closingReply(c, deps, caller);
}
