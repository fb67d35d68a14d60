import { operator } from '#shared/operator';
import type { QueuedMail } from '#worker/data/mail/outbox';
import { kindsWhere } from '#worker/data/schema/mail';
import type { Mail } from '#worker/vendors/resend/port';
import { businessName } from '../merchants/view-merchant.ts';
import { singleAddressIn } from './address.ts';
import { oneLine } from './letter.ts';

const PAYER_MAIL_KINDS = kindsWhere(({ audience }) => audience === 'payer');

/** Payers see the business as the sender and reply to it, if its address is known; all other emails come from us. */
export function senderOf({
  mail,
  account,
  merchant,
}: Pick<QueuedMail, 'mail' | 'account' | 'merchant'>): Pick<Mail, 'senderName' | 'replyTo'> {
  if (!account || !PAYER_MAIL_KINDS.includes(mail.kind)) return {};
  const business = oneLine(businessName(account, merchant));
  const replyTo = singleAddressIn(account.email);
  return {
    ...(business && { senderName: `${business} via ${operator.name}` }),
    ...(replyTo && { replyTo }),
  };
}
