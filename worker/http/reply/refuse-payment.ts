import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ErrorCode } from '#shared/contracts/error';
import { missingLead, type PayField, payFields } from '#shared/contracts/payment';
import { apiError } from '#worker/http/reply/errors';

export const NO_AMOUNT = 'We cannot confirm the amount right now. You have not been charged.';
export const CHANGED = 'The amount due has changed. Please contact the business.';
export const ENDED = 'This payment link has expired. Please ask for a new one.';
export const PAUSED = 'Online payment is paused. You have not been charged. Please ask the business how to pay.';

type Refusal = { fields?: string[]; error?: { 'error-message': string; 'result-code': string } };

/** Refuses a payment with both the envelope of the pay call and the one error body. */
export function refuse(
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  more: Refusal = {},
): Response {
  const { fields, error } = more;
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
