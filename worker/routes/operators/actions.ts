import { EraseBody } from '#shared/contracts/operators/operate';
import { AcknowledgeBody, Done, PaymentsBody, SendAgainBody } from '#shared/contracts/operators/operator';
import { localDay } from '#shared/text/local-day';
import { depsOfClinic } from '#worker/clinic/capability-keys';
import { openSupportView } from '#worker/domain/merchants/support-view';
import { eraseClinic } from '#worker/domain/operate/erase';
import { acknowledge, resendMail, startBuild, switchPayments, wakeClinic } from '#worker/domain/operators/actions';
import { accountOfClinic } from '#worker/domain/operators/view';
import { setSession } from '#worker/http/cookies/cookies';
import { clinicNotFound, clinicNumberOf } from '#worker/http/guards/require-operator';
import { refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { type C, type OperatorRequest, type Routes, route } from '#worker/http/routes';

/** Routes for the operator's actions. Each requires a recent passkey check. */
export const operatorActionRoutes: Routes = {
  'POST /api/operator/clinics/:number/wake': route({
    access: 'operator who just showed the passkey',
    summary: 'Run the pending work of a clinic now',
    answers: { 200: Done },
    handle: postWake,
  }),
  'POST /api/operator/clinics/:number/view': route({
    access: 'operator who just showed the passkey',
    summary: 'Open a read-only support session in a clinic',
    answers: { 200: Done },
    errors: [409],
    handle: postView,
  }),
  'POST /api/operator/clinics/:number/closing': route({
    access: 'operator who just showed the passkey',
    summary: 'Close a clinic and erase its data now',
    body: EraseBody,
    answers: { 200: Done },
    errors: [409],
    handle: postClosing,
  }),
  'POST /api/operator/alerts/acknowledgement': route({
    access: 'operator who just showed the passkey',
    summary: 'Acknowledge an alert',
    body: AcknowledgeBody,
    answers: { 200: Done },
    errors: [409],
    handle: postAcknowledgement,
  }),
  'POST /api/operator/mails/again': route({
    access: 'operator who just showed the passkey',
    summary: 'Retry an unsent email',
    body: SendAgainBody,
    answers: { 200: Done },
    errors: [409],
    handle: postAgain,
  }),
  'POST /api/operator/builds': route({
    access: 'operator who just showed the passkey',
    summary: 'Start a build of the public site',
    answers: { 200: Done },
    errors: [409],
    handle: postBuild,
  }),
  'PUT /api/operator/payments': route({
    access: 'operator who just showed the passkey',
    summary: 'Pause or resume online payments',
    body: PaymentsBody,
    answers: { 200: Done },
    errors: [409],
    handle: putPayments,
  }),
};

const replyDone = (c: C, text: string) => c.json({ done: text } satisfies Done);
const refuseConflict = (c: C, message: string) => apiError(c, 409, 'conflict', message);
async function postWake({ c, deps }: OperatorRequest): Promise<Response> {
  const number = clinicNumberOf(c);
  if (number === 0 || !(await wakeClinic(deps, depsOfClinic(deps, number), number))) return clinicNotFound(c);
  return replyDone(c, `Clinic ${number} was woken. Refresh in a minute.`);
}

/** Opens a read-only session in the clinic for this browser, to see the clinic's own screens. */
async function postView({ c, deps }: OperatorRequest): Promise<Response> {
  const number = clinicNumberOf(c);
  const account = number === 0 ? null : await accountOfClinic(deps, number);
  if (account === null) return clinicNotFound(c);
  const session = await openSupportView(deps, depsOfClinic(deps, number), account);
  if (!session)
    return refuseConflict(c, 'The clinic does not allow support access now. An administrator there can allow it.');
  setSession(c, deps, session);
  return replyDone(c, 'You see the clinic now.');
}

/** Closes a clinic. Requires its name, so that a wrong number closes nothing. */
async function postClosing({ c, deps, body }: OperatorRequest<typeof EraseBody>): Promise<Response> {
  const number = clinicNumberOf(c);
  const account = number === 0 ? null : await accountOfClinic(deps, number);
  if (account === null) return clinicNotFound(c);
  const outcome = await eraseClinic(deps, account, body.name);
  switch (outcome.kind) {
    case 'erased': {
      const { rows, keptUntil } = outcome.erased;
      return replyDone(
        c,
        `The clinic is closed. ${rows} records of payments and acts are kept until ${localDay(keptUntil, 'UTC')}.`,
      );
    }
    case 'not-found':
      return clinicNotFound(c);
    case 'other-name':
      return refuseInvalid(c, { name: `Type “${outcome.name}”.` });
    case 'stands':
      return refuseConflict(c, `The clinic cannot be closed now: ${outcome.reasons.join('; ')}.`);
  }
}

async function postAcknowledgement({
  c,
  deps,
  operator,
  body,
}: OperatorRequest<typeof AcknowledgeBody>): Promise<Response> {
  if (await acknowledge(deps, operator, body.key)) return replyDone(c, 'You acknowledged the alert.');
  return refuseConflict(c, 'This alert is over, or has been acknowledged already.');
}

async function postAgain({ c, deps, body }: OperatorRequest<typeof SendAgainBody>): Promise<Response> {
  const { clinic, mail } = body;
  const account = clinic === 0 ? null : await accountOfClinic(deps, clinic);
  if (clinic !== 0 && account === null) return clinicNotFound(c);
  const clinicDeps = clinic === 0 ? deps : depsOfClinic(deps, clinic);
  switch (await resendMail(deps, { mailDeps: clinicDeps, clinic, account, mail })) {
    case 'sent':
      return replyDone(c, 'The email was sent.');
    case 'queued':
      return replyDone(c, 'The mail service does not take it now. It is retried automatically.');
    case 'refused':
      return refuseConflict(c, 'The mail service refused this email. Its address may be wrong.');
    case 'nothing':
      return refuseConflict(c, 'This email was sent meanwhile, or there is nothing left to send.');
  }
}

async function postBuild({ c, deps }: OperatorRequest): Promise<Response> {
  if (await startBuild(deps)) return replyDone(c, 'A build was requested.');
  return refuseConflict(c, 'Nothing builds this site: no deploy hook is set.');
}

async function putPayments({ c, deps, operator, body }: OperatorRequest<typeof PaymentsBody>): Promise<Response> {
  const { state } = body;
  if (await switchPayments(deps, operator, body))
    return replyDone(c, state === 'paused' ? 'Online payments are paused.' : 'Online payments are open.');
  return refuseConflict(
    c,
    state === 'paused' ? 'Online payments are paused already.' : 'Online payments are open already.',
  );
}
