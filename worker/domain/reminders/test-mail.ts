import type { When } from '#shared/contracts/reminders-request';
import { oweReminderTest } from '#worker/data/reminders/test-mail';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { sendMail } from '#worker/domain/mail/send';
import type { Merchant } from '#worker/domain/merchants/session';
import { sampleInvoice } from './settings.ts';

export type TestOutcome =
  | { kind: 'sent' | 'queued'; to: string }
  | { kind: 'no-invoice' | 'no-own-address' | 'refused' | 'too-many' };

/** Mail the caller a reminder as a payer would get it, of the invoice that is shown; its links open nothing. */
export async function sendReminderTest(deps: Deps, you: Merchant, when: When): Promise<TestOutcome> {
  const { db, now, settings } = deps;
  const own = await sampleInvoice(deps, you);
  if (!own) return { kind: 'no-invoice' };
  const { accountId } = you;
  const event = auditEvent(deps, {
    accountId,
    action: 'mail.asked-for',
    subject: ['invoice', own.invoiceId],
    after: { kind: 'reminder-test' },
  });
  const mail = { id: deps.newId(), accountId, invoiceId: own.invoiceId, when };
  const owed = await oweReminderTest(db, you, mail, { at: now(), pauseMs: settings.MAIL_PAUSE_MS }, event);
  if (owed.kind !== 'owed') return owed;
  const outcome = await sendMail(deps, mail.id);
  if (outcome === 'sent' || outcome === 'queued') return { kind: outcome, to: owed.to };
  return { kind: 'refused' };
}
