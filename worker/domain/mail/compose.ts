import type { OwedMail } from '#worker/data/mail/outbox';
import type { MailKind } from '#worker/data/schema/mail-rules';
import type { Deps } from '#worker/deps';
import { alertMail } from './alert-mail.ts';
import { auditSealMail } from './audit-seal-mail.ts';
import { closingMail } from './closing-mail.ts';
import { addressKnownMail, invitationMail, passwordResetMail } from './content-mails.ts';
import { owedCrmReceipt } from './crm-receipt-mail.ts';
import type { Composed } from './letter.ts';
import { paymentNoticeMail, paymentsOfDayMail } from './notice-mail.ts';
import { owedPayLink } from './pay-link-mail.ts';
import { owedReceipt } from './receipt-mail.ts';
import { reminder } from './remind.ts';
import { reminderTest } from './reminder-mail.ts';
import { signUpMail } from './sign-up-mail.ts';
import {
  approvalAskedMail,
  approvalEndedMail,
  factorChangedMail,
  factorCodeMail,
  loginCodeMail,
  operatorActedMail,
  staffInvitationMail,
  staffRemovedMail,
} from './staff-mails.ts';
import { testLinkMail } from './test-link-mail.ts';

/** Writes one kind of mail from the rows that it points to. Null: there is nothing to tell any more. */
export type Composer = (owed: OwedMail, deps: Deps) => Composed | Promise<Composed>;

const composers: Record<MailKind, Composer> = {
  invitation: invitationMail,
  'password-reset': passwordResetMail,
  'address-known': addressKnownMail,
  'audit-seal': auditSealMail,
  alert: alertMail,
  'staff-invitation': staffInvitationMail,
  'staff-removed': staffRemovedMail,
  closing: closingMail,
  'login-code': loginCodeMail,
  'factor-code': factorCodeMail,
  'factor-changed': factorChangedMail,
  'approval-asked': approvalAskedMail,
  'approval-ended': approvalEndedMail,
  'operator-acted': operatorActedMail,
  receipt: owedReceipt,
  'pay-link': owedPayLink,
  'test-link': testLinkMail,
  'sign-up': signUpMail,
  reminder,
  'reminder-test': reminderTest,
  'payment-notice': paymentNoticeMail,
  'payment-notice-day': paymentsOfDayMail,
  'crm-receipt': owedCrmReceipt,
};

export const composeMail = (deps: Deps, owed: OwedMail): Composed | Promise<Composed> =>
  composers[owed.mail.kind](owed, deps);
