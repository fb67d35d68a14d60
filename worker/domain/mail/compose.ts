import type { OwedMail } from '#worker/data/mail/outbox';
import type { MailKind } from '#worker/data/schema/mail-rules';
import type { Deps } from '#worker/deps';
import type { Composed } from './letter.ts';

/** Writes one kind of mail from the rows that it points to. Null: there is nothing to tell any more. */
export type Composer = (owed: OwedMail, deps: Deps) => Composed | Promise<Composed>;

const composers: Record<MailKind, Composer> = {
  // Each is loaded when one is owed.
  invitation: async (owed, deps) => (await import('./content-mails.ts')).invitationMail(owed, deps),
  'password-reset': async (owed, deps) => (await import('./content-mails.ts')).passwordResetMail(owed, deps),
  'address-known': async (owed, deps) => (await import('./content-mails.ts')).addressKnownMail(owed, deps),
  'audit-seal': async (owed, deps) => (await import('./audit-seal-mail.ts')).auditSealMail(owed, deps),
  alert: async (owed) => (await import('./alert-mail.ts')).alertMail(owed),
  'staff-invitation': async (owed, deps) => (await import('./staff-mails.ts')).staffInvitationMail(owed, deps),
  'staff-removed': async (owed) => (await import('./staff-mails.ts')).staffRemovedMail(owed),
  closing: async (owed, deps) => (await import('./closing-mail.ts')).closingMail(owed, deps),
  'login-code': async (owed, deps) => (await import('./staff-mails.ts')).loginCodeMail(owed, deps),
  'factor-code': async (owed, deps) => (await import('./staff-mails.ts')).factorCodeMail(owed, deps),
  'factor-changed': async (owed) => (await import('./staff-mails.ts')).factorChangedMail(owed),
  'approval-asked': async (owed, deps) => (await import('./staff-mails.ts')).approvalAskedMail(owed, deps),
  'approval-ended': async (owed, deps) => (await import('./staff-mails.ts')).approvalEndedMail(owed, deps),
  'operator-acted': async (owed) => (await import('./staff-mails.ts')).operatorActedMail(owed),
  receipt: async (owed, deps) => (await import('./receipt-mail.ts')).owedReceipt(owed, deps),
  'pay-link': async (owed, deps) => (await import('./pay-link-mail.ts')).owedPayLink(owed, deps),
  'test-link': async (owed, deps) => (await import('./test-link-mail.ts')).testLinkMail(owed, deps),
  'sign-up': async (owed, deps) => (await import('./sign-up-mail.ts')).signUpMail(owed, deps),
  reminder: async (owed, deps) => (await import('./remind.ts')).reminder(owed, deps),
  'reminder-test': async (owed, deps) => (await import('./reminder-mail.ts')).reminderTest(owed, deps),
  'payment-notice': async (owed, deps) => (await import('./notice-mail.ts')).paymentNoticeMail(owed, deps),
  'payment-notice-day': async (owed, deps) => (await import('./notice-mail.ts')).paymentsOfDayMail(owed, deps),
  'crm-receipt': async (owed, deps) => (await import('./crm-receipt-mail.ts')).owedCrmReceipt(owed, deps),
};

export const composeMail = (deps: Deps, owed: OwedMail): Composed | Promise<Composed> =>
  composers[owed.mail.kind](owed, deps);
