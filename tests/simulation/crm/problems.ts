import { jsonAnswer } from '../answers.ts';
import type { WireAnswer } from '../vendor.ts';
import { iso } from './records.ts';

/** The CRM's error responses, with its own wording as far as it is public. */

const refusal = (status: number, message: string, details: object = {}) =>
  jsonAnswer(status, {
    status: 'error',
    message,
    correlationId: '00000000-0000-4000-8000-000000000000',
    ...details,
  });

export const noCredentials = () =>
  refusal(401, 'Authentication credentials not found. This API supports OAuth 2.0 authentication.', {
    category: 'INVALID_AUTHENTICATION',
  });

export const expiredCredentials = (expiresAt: number, now: number) =>
  refusal(
    401,
    `The OAuth token used to make this call expired ${Math.max(0, Math.floor((now - expiresAt) / 60_000))} minute(s) ago.`,
    { category: 'EXPIRED_AUTHENTICATION', context: { 'expire time': [iso(expiresAt)] } },
  );

/** The two spaces are the CRM's own spelling. */
export const objectNotFound = (id: string) =>
  refusal(404, 'Object not found.  objectId are usually numeric.', {
    category: 'OBJECT_NOT_FOUND',
    context: { id: [id] },
  });

/** An unknown path has no category. */
export const noSuchPath = () => refusal(404, 'resource not found');

export const invalidJson = () => refusal(400, 'Invalid input JSON.', { category: 'VALIDATION_ERROR' });

export const tooManyCalls = () =>
  refusal(429, 'You have reached your ten_secondly_rolling limit.', {
    errorType: 'RATE_LIMIT',
    policyName: 'TEN_SECONDLY_ROLLING',
    requestId: '00000000-0000-4000-8000-000000000001',
  });

export const internalError = () => refusal(500, 'internal error');

/** Token endpoints have their own error format: an OAuth error beside the CRM's older code. */
export const oauthRefusal = (error: string, status: string, message: string): WireAnswer =>
  jsonAnswer(400, {
    error,
    error_description: message,
    status,
    message,
    correlationId: '00000000-0000-4000-8000-000000000002',
  });
