import type { QueuedMail } from '#worker/data/mail/outbox';
import type { MailKind } from '#worker/data/schema/mail';
import type { Deps } from '#worker/deps';
import { auditSealMail, closingMail, signUpMail } from './account-mails.ts';
import { addressRegisteredMail, alertMail, invitationMail, passwordResetMail } from './installation-mails.ts';
import type { ComposedMail } from './letter.ts';
import { composePayLinkMail } from './pay-link-mail.ts';
import { dailySummaryMail, paymentNoticeMail } from './payment-notices.ts';
import { composeCrmReceiptMail, composeReceiptMail, composeReturnNotice } from './receipt-mail.ts';
import { composeReminder } from './reminder-mail.ts';
import {
  approvalEndedMail,
  approvalRequestedMail,
  factorChangedMail,
  factorCodeMail,
  loginCodeMail,
  operatorActionMail,
  reminderTestMail,
  staffInvitationMail,
  staffRemovedMail,
  testLinkMail,
} from './staff-mails.ts';

/** Composes one kind of email from the rows that it refers to. Null if the email is obsolete. */
export type Composer = (queuedMail: QueuedMail, deps: Deps) => ComposedMail | Promise<ComposedMail>;

const composers: Record<MailKind, Composer> = {
  invitation: invitationMail,
  'password-reset': passwordResetMail,
  'address-known': addressRegisteredMail,
  'audit-seal': auditSealMail,
  alert: alertMail,
  'staff-invitation': staffInvitationMail,
  'staff-removed': staffRemovedMail,
  closing: closingMail,
  'login-code': loginCodeMail,
  'factor-code': factorCodeMail,
  'factor-changed': factorChangedMail,
  'approval-asked': approvalRequestedMail,
  'approval-ended': approvalEndedMail,
  'operator-acted': operatorActionMail,
  receipt: composeReceiptMail,
  'pay-link': composePayLinkMail,
  'test-link': testLinkMail,
  'sign-up': signUpMail,
  reminder: composeReminder,
  'reminder-test': reminderTestMail,
  'payment-notice': paymentNoticeMail,
  'payment-notice-day': dailySummaryMail,
  'crm-receipt': composeCrmReceiptMail,
  'debit-returned': composeReturnNotice,
};

export const composeMail = (deps: Deps, queuedMail: QueuedMail): ComposedMail | Promise<ComposedMail> =>
  composers[queuedMail.mail.kind](queuedMail, deps);
