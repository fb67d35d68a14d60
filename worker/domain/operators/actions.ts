import { insertEvent } from '#worker/data/audit/events';
import { findClinicRow } from '#worker/data/directory/clinics';
import { makeDueNow, setPaymentSwitch } from '#worker/data/operators/interventions';
import { makeMailDue } from '#worker/data/operators/unsent-mails';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { acknowledgeAlert } from '#worker/domain/alerts/store-alerts';
import { type AuditedAction, auditEvent } from '#worker/domain/audit/event';
import { requestBuild } from '#worker/domain/content/publishing/build';
import { type SendOutcome, sendMail } from '#worker/domain/mail/send';
import { causeOf } from '#worker/log';
import type { Operator } from './session.ts';

// All actions of an operator. None of them moves money or decides the outcome of a payment; that is up to the clinic.

const operatorEvent = (deps: Deps, action: Omit<AuditedAction, 'accountId'>) =>
  auditEvent(deps, { accountId: INSTALLATION, ...action });

/** Acknowledges an alert. False if it has ended, or is already acknowledged. */
export const acknowledge = async (deps: Deps, { name }: Operator, key: string): Promise<boolean> =>
  (await acknowledgeAlert(deps, key, name)) === 'acknowledged';

/**
 * Runs a clinic's due work now, including work that was postponed after errors. For payments, it only makes the status
 * inquiries that the clinic's schedule would make later. `clinicDeps`: the deps of the clinic. False if there is no
 * such clinic, or it was erased.
 */
export async function wakeClinic(deps: Deps, clinicDeps: Deps, number: number): Promise<boolean> {
  const clinic = await findClinicRow(deps.installation, number);
  if (!clinic || clinic.erasedAt !== null) return false;
  await insertEvent(
    deps.installation,
    operatorEvent(deps, { action: 'clinic.woken', subject: ['clinic', String(number)] }),
  );
  // A clinic whose database cannot be written is woken anyway.
  try {
    if (clinic.accountId !== null) await makeDueNow(clinicDeps.db, clinic.accountId, deps.now());
  } catch (cause) {
    deps.log.info('clinic-not-brought-forward', { clinic: number, cause: causeOf(cause) });
  }
  await deps.clinics.wake(number);
  return true;
}

/** An email of a clinic, or of the installation (`account` null); `mailDeps`: the deps of its database. */
export type MailReference = { mailDeps: Deps; clinic: number; account: number | null; mail: string };

/** Sends an unsent email again. The mail service accepts the same email only once, so it is never delivered twice. */
export async function resendMail(deps: Deps, { mailDeps, clinic, account, mail }: MailReference): Promise<SendOutcome> {
  if (!(await makeMailDue(mailDeps.db, account, mail, deps.now()))) return 'nothing';
  // The event and the email may be in two databases. The event comes first: an email without one must not be sent.
  await insertEvent(
    deps.installation,
    operatorEvent(deps, {
      action: 'mail.sent-again',
      subject: ['mail', mail],
      after: { clinic: clinic || undefined, kind: mail.replace(/-[^-]*$/, '') },
    }),
  );
  return sendMail(mailDeps, mail);
}

/** Starts a build of the public site. False if this installation has no builder. */
export async function startBuild(deps: Deps): Promise<boolean> {
  if (!deps.builder.isConfigured) return false;
  await insertEvent(deps.installation, operatorEvent(deps, { action: 'build.started', subject: ['site', ''] }));
  await requestBuild(deps, 'publish-pressed');
  return true;
}

/** Pauses or resumes all online payments. False if they are already in that state. */
export async function switchPayments(
  deps: Deps,
  { operatorId }: Operator,
  { state, reason }: { state: 'open' | 'paused'; reason: string },
): Promise<boolean> {
  const action = state === 'paused' ? 'payments.paused' : 'payments.resumed';
  const event = operatorEvent(deps, { action, subject: ['payments', ''], after: { reason } });
  const at = deps.now();
  const isDone = await setPaymentSwitch(deps.installation, { state, at, operatorId, reason }, event);
  deps.payments.recordChange(state === 'paused');
  if (isDone) deps.log.info(`payments-${state}`, { operatorId });
  return isDone;
}
