import * as z from 'zod/mini';
import {
  ClinicErased,
  ClinicList,
  EraseBody,
  HandedOver,
  HandOverBody,
  InspectedClinic,
} from '#shared/contracts/operators/operate';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { handOverClinic, unlockContentAccount, unlockStaff } from '#worker/domain/operate/access';
import { eraseClinic } from '#worker/domain/operate/erase';
import { inspectClinic, viewClinics } from '#worker/domain/operate/view';
import { accountIdOf, notFound } from '#worker/http/guards/program-secret';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Routes for the directory of clinics, and for the administration and erasure of a clinic. */
export const operateClinicRoutes: Routes = {
  'GET /api/operate/clinics': route({
    access: 'operator program',
    summary: 'List clinics',
    query: z.object({ after: z.optional(z.string()) }),
    answers: { 200: ClinicList },
    handle: getClinics,
  }),
  'POST /api/operate/clinics/:account/hand-over': route({
    access: 'operator program',
    summary: 'Make a person an administrator of a clinic',
    body: HandOverBody,
    answers: { 200: HandedOver },
    errors: [409],
    handle: handOver,
  }),
  'POST /api/operate/clinics/:account/unlock': route({
    access: 'operator program',
    summary: 'Reset the passkeys and PIN of a person at a clinic',
    body: HandOverBody,
    answers: { 204: noBody },
    handle: unlockPerson,
  }),
  'POST /api/operate/content/unlock': route({
    access: 'operator program',
    summary: 'Reset the passkeys and recovery codes of a content account',
    body: HandOverBody,
    answers: { 204: noBody },
    handle: unlockContent,
  }),
  'GET /api/operate/clinics/:account': route({
    access: 'operator program',
    summary: 'Show the key figures of a clinic',
    answers: { 200: InspectedClinic },
    handle: inspect,
  }),
  'DELETE /api/operate/clinics/:account': route({
    access: 'operator program',
    summary: 'Erase a clinic',
    body: EraseBody,
    answers: { 200: ClinicErased },
    errors: [409],
    handle: erase,
  }),
};

const sendAll = async (clinicDeps: Deps, mailIds: string[]) => {
  for (const id of mailIds) await sendMail(clinicDeps, id);
};

async function getClinics({ c, deps }: PublicRequest): Promise<Response> {
  const after = c.req.query('after') ?? '0';
  return /^\d{1,15}$/.test(after) ? c.json(await viewClinics(deps, Number(after))) : notFound(c);
}

async function inspect({ c, deps }: PublicRequest): Promise<Response> {
  const inspection = await inspectClinic(deps, accountIdOf(c));
  return inspection ? c.json(inspection) : notFound(c);
}

async function handOver({ c, deps, body }: PublicRequest<typeof HandOverBody>): Promise<Response> {
  const outcome = await handOverClinic(deps, accountIdOf(c), body.email);
  switch (outcome.kind) {
    case 'not-found':
      return notFound(c);
    case 'too-many':
      return apiError(c, 409, 'conflict', 'Too many invitations of this clinic are open.');
    default:
      runToCompletion(c, sendAll(outcome.clinicDeps, outcome.mailIds));
      return c.json({ kind: outcome.kind, others: outcome.others } satisfies HandedOver);
  }
}

/** Removes the lost passkeys and PIN of a staff member if no administrator of the clinic can do it. */
async function unlockPerson({ c, deps, body }: PublicRequest<typeof HandOverBody>): Promise<Response> {
  const unlockResult = await unlockStaff(deps, accountIdOf(c), body.email);
  if (!unlockResult) return notFound(c);
  runToCompletion(c, sendAll(unlockResult.clinicDeps, unlockResult.mailIds));
  return c.body(null, 204);
}

/** Removes the lost passkeys and recovery codes of a content account. */
async function unlockContent({ c, deps, body }: PublicRequest<typeof HandOverBody>): Promise<Response> {
  return (await unlockContentAccount(deps, body.email)) ? c.body(null, 204) : notFound(c);
}

/** Erases a clinic. Requires its name, so that a wrong number erases nothing. */
async function erase({ c, deps, body }: PublicRequest<typeof EraseBody>): Promise<Response> {
  const outcome = await eraseClinic(deps, accountIdOf(c), body.name);
  switch (outcome.kind) {
    case 'erased':
      return c.json(outcome.erased);
    case 'not-found':
      return notFound(c);
    case 'other-name':
      return apiError(c, 409, 'conflict', `That account’s clinic is “${outcome.name}”. Give this name to erase it.`);
    case 'stands':
      return apiError(c, 409, 'conflict', `The clinic cannot be erased: ${outcome.reasons.join('; ')}.`);
  }
}
