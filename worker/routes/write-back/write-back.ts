import { ByHandBody, WriteBack, WriteBackBody, WriteBackQuery } from '#shared/contracts/payments/write-back';
import { clinicDay } from '#worker/domain/merchants/clinic-day';
import { saveWriteBack, viewWriteBack } from '#worker/domain/write-back/settings';
import { exportUnrecorded, parsePosition, recordByHand } from '#worker/domain/write-back/unrecorded';
import { apiError } from '#worker/http/reply/errors';
import { streamCsv } from '#worker/http/reply/list';
import { csv, type Routes, route, type StaffRequest } from '#worker/http/routes';

/** Routes for the setting that records payments in the CRM, and for the payments that are missing there. */
export const writeBackRoutes: Routes = {
  'GET /api/write-back': route({
    access: 'staff: oversee',
    summary: 'Show CRM recording settings and payments not yet recorded',
    query: WriteBackQuery,
    ignoresBlanks: true,
    answers: { 200: [WriteBack, csv] },
    handle: getWriteBack,
  }),
  'PUT /api/write-back': route({
    access: 'staff: administer',
    summary: 'Enable or disable recording payments in the CRM',
    body: WriteBackBody,
    answers: { 200: WriteBack },
    handle: putWriteBack,
  }),
  'PUT /api/write-back/payments/:id': route({
    access: 'staff: reconcile',
    summary: 'Mark a payment or refund as recorded in the CRM by hand',
    body: ByHandBody,
    answers: { 200: WriteBack },
    errors: [409],
    handle: putByHand,
  }),
};

async function getWriteBack({
  c,
  deps,
  merchant: caller,
  query,
}: StaffRequest<unknown, typeof WriteBackQuery>): Promise<Response> {
  return query.format === 'csv'
    ? streamCsv(
        c,
        exportUnrecorded(deps, caller.accountId),
        'payments-not-in-the-crm',
        await clinicDay(deps, caller.accountId),
      )
    : c.json(await viewWriteBack(deps, caller, parsePosition(query.before)));
}

async function putWriteBack({
  c,
  deps,
  merchant: caller,
  body,
}: StaffRequest<typeof WriteBackBody>): Promise<Response> {
  return c.json(await saveWriteBack(deps, caller, body.is_on));
}

async function putByHand({ c, deps, merchant: caller, body }: StaffRequest<typeof ByHandBody>): Promise<Response> {
  const isDone = await recordByHand(deps, caller, c.req.param('id') ?? '', body.note);
  if (!isDone) return apiError(c, 409, 'conflict', 'This is already recorded, or is being recorded.');
  return c.json(await viewWriteBack(deps, caller));
}
