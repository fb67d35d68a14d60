import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '#shared/contracts/error';
import { missingLead, type PayField, payFields } from '#shared/contracts/payment';
import type { PayOutcome } from '#worker/domain/payments/pay-outcome';
import { apiError } from './errors.ts';

export const AMOUNT_UNAVAILABLE_TEXT = 'We cannot confirm the amount right now. You have not been charged.';
export const AMOUNT_CHANGED_TEXT = 'The amount due has changed. Please contact the business.';
export const LINK_EXPIRED_TEXT = 'This payment link has expired. Please ask for a new one.';
export const CLOSING_TEXT =
  'This business no longer takes payments here. You have not been charged. Please contact the business.';
export const PAUSED_TEXT = 'Online payment is paused. You have not been charged. Please ask the business how to pay.';

type Refusal = { fields?: string[]; error?: { 'error-message': string; 'result-code': string } };

/** Refuses a payment with both the envelope of the pay call and the standard error body. */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  extra: Refusal = {},
): Response {
  const { fields, error } = extra;
  const payload = { payloadType: 'error' as const, ...(error ? { error } : {}) };
  return apiError(c, status, code, message, {
    code: String(status),
    status: 'fail',
    payload,
    ...(fields ? { fields } : {}),
  });
}

export const refuseMissing = (c: Context, fields: PayField[]) =>
  refuse(c, 422, 'invalid', `${missingLead} ${fields.map((field) => payFields[field]).join(', ')}`, { fields });

export type RefusedPayment = Exclude<PayOutcome, { kind: 'approved' | 'submitted' | 'pending' | 'declined' }>;

/** Maps a payment that was not attempted, or whose card was refused beforehand, to a response. */
export function replyToRefusedPayment(c: Context, outcome: RefusedPayment): Response {
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
      return refuse(c, 410, 'link-ended', LINK_EXPIRED_TEXT);
    case 'already-paid':
      return refuse(c, 409, 'already-paid', 'This invoice is already paid. You have not been charged again.');
    case 'at-the-desk':
      return refuse(c, 409, 'at-the-desk', 'This invoice is being paid at the desk. You have not been charged.');
    case 'amount-changed':
      return refuse(c, 409, 'amount-changed', 'The amount due has changed. Please reload the page.');
    case 'frozen':
      return refuse(c, 409, 'amount-unclear', AMOUNT_CHANGED_TEXT);
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
      return refuse(c, 503, 'crm-unavailable', AMOUNT_UNAVAILABLE_TEXT);
    case 'paused':
      return refuse(c, 503, 'paused', PAUSED_TEXT);
    case 'closing':
      return refuse(c, 503, 'closing', CLOSING_TEXT);
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
