import { insertEvent } from '#worker/data/audit/events';
import { findClinicRow } from '#worker/data/directory/clinics';
import { putForward, setPaymentSwitch } from '#worker/data/operators/interventions';
import { makeMailDue } from '#worker/data/operators/look';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { acknowledgeAlert } from '#worker/domain/alerts/keep';
import { type Act, auditEvent } from '#worker/domain/audit/event';
import { requestBuild } from '#worker/domain/content/publishing/build';
import { type SendOutcome, sendMail } from '#worker/domain/mail/send';
import { causeOf } from '#worker/log';
import type { Operator } from './session.ts';

// All that an operator may do. None of it moves money or decides what became of a payment: that is the clinic's.

const actOf = (deps: Deps, act: Omit<Act, 'accountId'>) => auditEvent(deps, { accountId: INSTALLATION, ...act });

/** Take an alert on. False: it is over, or somebody has taken it. */
export const acknowledge = async (deps: Deps, { name }: Operator, key: string): Promise<boolean> =>
  (await acknowledgeAlert(deps, key, name)) === 'acknowledged';

/**
 * Run what is due at a clinic now, with what trouble has put off: money is only asked for, as its clock would do later.
 * `at`: the deps of the clinic. False: there is no such clinic, or it was erased.
 */
export async function wakeClinic(deps: Deps, at: Deps, number: number): Promise<boolean> {
  const clinic = await findClinicRow(deps.installation, number);
  if (!clinic || clinic.erasedAt !== null) return false;
  await insertEvent(deps.installation, actOf(deps, { action: 'clinic.woken', subject: ['clinic', String(number)] }));
  // One that cannot be written to is woken all the same.
  try {
    if (clinic.accountId !== null) await putForward(at.db, clinic.accountId, deps.now());
  } catch (cause) {
    deps.log.info('clinic-not-put-forward', { clinic: number, cause: causeOf(cause) });
  }
  await deps.clinics.wake(number);
  return true;
}

/** A mail of a clinic, or of the installation (`account` null); `at`: the deps of its database. */
export type MailOf = { at: Deps; clinic: number; account: number | null; mail: string };

/** Send a mail again that did not go out. The mail service takes the same mail once, so nobody gets it twice. */
export async function sendAgain(deps: Deps, { at, clinic, account, mail }: MailOf): Promise<SendOutcome> {
  if (!(await makeMailDue(at.db, account, mail, deps.now()))) return 'nothing';
  // Its record and the mail may be in two databases. Before it is sent: a mail without a record must not leave.
  await insertEvent(
    deps.installation,
    actOf(deps, {
      action: 'mail.sent-again',
      subject: ['mail', mail],
      after: { clinic: clinic || undefined, kind: mail.replace(/-[^-]*$/, '') },
    }),
  );
  return sendMail(at, mail);
}

/** Start a build of the public site. False: nothing builds it here. */
export async function startBuild(deps: Deps): Promise<boolean> {
  if (!deps.builder.isThere) return false;
  await insertEvent(deps.installation, actOf(deps, { action: 'build.started', subject: ['site', ''] }));
  await requestBuild(deps, 'publish-pressed');
  return true;
}

/** Pause or resume all online payments. False: they are so already. */
export async function switchPayments(
  deps: Deps,
  { operatorId }: Operator,
  { state, reason }: { state: 'open' | 'paused'; reason: string },
): Promise<boolean> {
  const action = state === 'paused' ? 'payments.paused' : 'payments.resumed';
  const event = actOf(deps, { action, subject: ['payments', ''], after: { reason } });
  const at = deps.now();
  const isDone = await setPaymentSwitch(deps.installation, { state, at, operatorId, reason }, event);
  deps.payments.note(state === 'paused');
  if (isDone) deps.log.info(`payments-${state}`, { operatorId });
  return isDone;
}
