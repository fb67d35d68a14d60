import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export type ErrorDetail = { message: string; code?: string; in?: string; context?: Record<string, string[]> };

/** An error response in HubSpot's format, thrown anywhere in the CRM and rendered in one place. */
export class CrmProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Record<string, unknown>;

  constructor(status: ContentfulStatusCode, message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.status = status;
    this.body = { status: 'error', message, correlationId: randomUUID(), ...extra };
  }
}

export const invalidRequest = (message: string, errors?: ErrorDetail[]) =>
  new CrmProblem(400, message, { category: 'VALIDATION_ERROR', ...(errors ? { errors } : {}) });

/** [seen] A report from the live API contains this text. The two spaces are HubSpot's own spelling. */
export const objectNotFound = (id: string) =>
  new CrmProblem(404, 'Object not found.  objectId are usually numeric.', {
    category: 'OBJECT_NOT_FOUND',
    context: { id: [id] },
  });

/** [guessed] The error for an unknown path. According to public code, HubSpot then sends no category. */
export const pathNotFound = () => new CrmProblem(404, 'resource not found');

/** [seen] Reports from the live API contain this error. Any one of the listed scopes is enough; no user is named. */
export function missingScopes(scopes: string[]) {
  return new CrmProblem(
    403,
    "This app hasn't been granted all required scopes to make this call. Read more about required scopes here: https://developers.hubspot.com/scopes.",
    {
      category: 'MISSING_SCOPES',
      errors: [
        { message: 'One or more of the following scopes are required.', context: { requiredGranularScopes: scopes } },
      ],
      links: { scopes: 'https://developers.hubspot.com/scopes' },
    },
  );
}

/** [guessed] Public code quotes this text. */
export const noCredentials = () =>
  new CrmProblem(
    401,
    'Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview',
    { category: 'INVALID_AUTHENTICATION' },
  );

/** [seen] Reports from the live API contain this error. */
export function expiredCredentials(expiresMs: number, now: number) {
  const minutes = Math.max(0, Math.floor((now - expiresMs) / 60_000));
  return new CrmProblem(401, `The OAuth token used to make this call expired ${minutes} minute(s) ago.`, {
    category: 'EXPIRED_AUTHENTICATION',
    context: { 'expire time': [new Date(expiresMs).toISOString()] },
  });
}

/** [documented] Token endpoints use their own format, which is an OAuth error with HubSpot's older code. */
export class OauthProblem extends Error {
  readonly body: Record<string, string>;

  constructor(error: string, status: string, message: string) {
    super(message);
    this.body = { error, error_description: message, status, message, correlationId: randomUUID() };
  }
}
