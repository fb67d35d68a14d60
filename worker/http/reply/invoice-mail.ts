import type { Context } from 'hono';
import type { SendMailReply } from '#shared/contracts/lists/lists';
import { ONLINE_CURRENCY } from '#shared/money';
import { AMOUNT_UNREADABLE, describeUnpayableCurrency } from '#shared/text/staff-words';
import type { MailOutcome } from '#worker/domain/preview/mail-invoice';
import { apiError } from './errors.ts';

const NOT_PAYABLE_TEXTS = {
  paid: 'This invoice is already paid.',
  submitted: 'A bank payment for this invoice is on its way.',
  'not-payable-online': 'This invoice cannot be paid online.',
  'nothing-to-pay': 'This invoice has no amount to pay.',
  paying: 'A payment of this invoice is in progress. No email was sent.',
  'amount-changed': 'The amount due has changed. Open the invoice and confirm what is owed. No email was sent.',
  released: 'An earlier payment of this invoice may still go through. Please try again tomorrow. No email was sent.',
  closing: 'This account is closing, so no new payments are taken. No email was sent.',
  'not-now': 'Online payments are not possible right now. No email was sent.',
  'amount-unreadable': `${AMOUNT_UNREADABLE} No email was sent.`,
} as const;

/** The message for an email that is requested again within MAIL_PAUSE_MS. */
export const JUST_MAILED_TEXT =
  'Not sent again: the last email was sent less than a minute ago. Try again in a minute.';

const TOO_MANY_TEXTS = {
  pause: JUST_MAILED_TEXT,
  day: 'No more emails can be sent for this invoice today.',
  account: 'No more emails can be sent to customers today.',
} as const;

const DEAD_ADDRESS_TEXTS = {
  bounced: 'Mail to this address came back. Enter another one.',
  suppressed: 'The email service does not send to this address. Enter another one.',
  complained: 'Mail to this address was reported as spam. Enter another one.',
} as const;

const notPayableMessage = ({ state, currency }: Extract<MailOutcome, { kind: 'not-payable' }>): string =>
  state === 'not-payable-online' && currency !== ONLINE_CURRENCY
    ? describeUnpayableCurrency(currency)
    : NOT_PAYABLE_TEXTS[state];

/** Maps the outcome of an invoice email to a response. */
export function replyToMail(c: Context, outcome: MailOutcome): Response {
  switch (outcome.kind) {
    case 'sent':
    case 'queued': {
      const reply: SendMailReply = {
        status: outcome.kind,
        to: outcome.to,
        sent_at: new Date(outcome.at).toISOString(),
      };
      return c.json(reply, outcome.kind === 'sent' ? 200 : 202);
    }
    case 'not-found':
      return apiError(c, 404, 'not-found', 'No invoice found');
    case 'not-paid':
      return apiError(c, 409, 'conflict', 'This invoice has not been paid yet.');
    case 'no-items':
      return apiError(c, 409, 'conflict', 'This invoice has no items in HubSpot.');
    case 'not-payable':
      return apiError(c, 409, outcome.state === 'paid' ? 'already-paid' : 'conflict', notPayableMessage(outcome));
    case 'being-revoked':
      return apiError(c, 409, 'conflict', 'The payment link is being replaced now. Please try again in a moment.');
    case 'no-address':
      return apiError(c, 422, 'invalid', 'This customer has no email address in HubSpot.');
    case 'bad-address':
      return apiError(c, 422, 'invalid', 'The email address of this customer in HubSpot is not valid.');
    case 'dead-address':
      return apiError(c, 422, 'invalid', DEAD_ADDRESS_TEXTS[outcome.reason]);
    case 'too-many':
      c.header('retry-after', String(outcome.retryAfterS));
      return apiError(c, 429, 'too-many', TOO_MANY_TEXTS[outcome.reason]);
    case 'crm-unavailable':
      c.header('retry-after', '30');
      return apiError(c, 503, 'crm-unavailable', 'HubSpot is not answering. No email was sent.');
  }
}
