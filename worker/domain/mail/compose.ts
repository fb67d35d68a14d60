import type { MailKind, OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { crmReceiptMail } from './crm-receipt-mail.ts';
import type { Letter } from './letter.ts';
import { payLinkMail } from './pay-link-mail.ts';
import { receiptFrom } from './receipt.ts';
import { receiptMail } from './receipt-mail.ts';
import { signUpMail } from './sign-up-mail.ts';

/** Writes one kind of mail from the rows that it points to. Null: there is nothing to tell any more. */
export type Composer = (
  owed: OwedMail,
  deps: Pick<Deps, 'settings' | 'sealer'>,
) => Letter | null | Promise<Letter | null>;

const composers: Partial<Record<MailKind, Composer>> = {
  // Rare kinds are loaded when one is owed.
  invitation: async (owed, deps) => (await import('./content-mails.ts')).invitationMail(owed, deps),
  'password-reset': async (owed, deps) => (await import('./content-mails.ts')).passwordResetMail(owed, deps),
  'address-known': async (owed, deps) => (await import('./content-mails.ts')).addressKnownMail(owed, deps),
  'audit-seal': async (owed, deps) => (await import('./audit-seal-mail.ts')).auditSealMail(owed, deps),
  alert: async (owed) => (await import('./alert-mail.ts')).alertMail(owed),
  receipt: ({ attempt, account, merchant, entries }, { settings }) => {
    const receipt = attempt && account ? receiptFrom({ attempt, account, merchant, entries }, settings.APP_URL) : null;
    return receipt && receiptMail(receipt);
  },
  'pay-link': payLinkMail,
  'sign-up': signUpMail,
  'crm-receipt': crmReceiptMail,
};

export async function composeMail(deps: Deps, owed: OwedMail): Promise<Letter | null> {
  const compose = composers[owed.mail.kind];
  if (!compose) throw new Error(`no composer for mails of the kind ${owed.mail.kind}`);
  return compose(owed, deps);
}
