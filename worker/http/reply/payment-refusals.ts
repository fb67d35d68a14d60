import type { Context } from 'hono';
import type { PayOutcome } from '#worker/domain/payments/pay-outcome';
import { CHANGED, ENDED, NO_AMOUNT, PAUSED, refuse, refuseMissing } from './refuse-payment.ts';

export type Refused = Exclude<PayOutcome, { kind: 'approved' | 'submitted' | 'pending' | 'declined' }>;

/** The replies to a payment that was not tried, or whose card was refused before it was. */
export function replyToRefused(c: Context, outcome: Refused): Response {
  switch (outcome.kind) {
    case 'token-refused':
      return refuse(
        c,
        402,
        'token-refused',
        'Your card details have expired. Please enter them again. You have not been charged.',
      );
    case 'refused':
      return refuse(c, 402, 'declined', `${outcome.message || 'The payment was refused.'} You have not been charged.`);
    case 'address-missing':
      return refuseMissing(c, outcome.fields);
    case 'bad-signature':
      return refuse(c, 422, 'invalid', outcome.message, { fields: ['signature'] });
    case 'not-found':
      return refuse(c, 404, 'not-found', 'No invoice found');
    case 'link-ended':
      return refuse(c, 410, 'link-ended', ENDED);
    case 'already-paid':
      return refuse(c, 409, 'already-paid', 'This invoice is already paid. You have not been charged again.');
    case 'at-the-desk':
      return refuse(c, 409, 'at-the-desk', 'This invoice is being paid at the desk. You have not been charged.');
    case 'amount-changed':
      return refuse(c, 409, 'amount-changed', 'The amount due has changed. Please reload the page.');
    case 'frozen':
      return refuse(c, 409, 'amount-unclear', CHANGED);
    case 'part-refused':
      return refuse(c, 422, 'part-refused', outcome.message, { fields: ['part'] });
    case 'nothing-to-pay':
      return refuse(c, 409, 'nothing-to-pay', 'This invoice has no amount to pay. Please contact the business.');
    case 'amount-unreadable':
      return refuse(
        c,
        409,
        'amount-unreadable',
        'The amount of this invoice cannot be read, so it cannot be paid online yet. You have not been charged. Please contact the business.',
      );
    case 'not-payable-online':
      return refuse(c, 409, 'not-payable-online', 'This invoice cannot be paid online.');
    case 'too-many':
      c.header('retry-after', String(outcome.retryAfterS));
      return refuse(c, 429, 'too-many', 'Too many attempts. Please contact the business. You have not been charged.');
    case 'crm-unavailable':
      c.header('retry-after', '30');
      return refuse(c, 503, 'crm-unavailable', NO_AMOUNT);
    case 'paused':
      return refuse(c, 503, 'paused', PAUSED);
    case 'gateway-unavailable':
      c.header('retry-after', '300');
      return refuse(c, 503, 'gateway-unavailable', 'We cannot take payments right now. You have not been charged.');
    case 'not-started':
      c.header('retry-after', '5');
      return outcome.isOpen
        ? refuse(c, 503, 'internal', 'The payment could not be started. Please try again.')
        : refuse(
            c,
            503,
            'not-started',
            'The payment could not be started. You have not been charged. Please try again.',
          );
  }
}
