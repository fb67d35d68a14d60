import { randomUUID } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';

export const exchangeId = (kind: string) => `ID-clearent-${kind}-${randomUUID()}`;

/** No charge was attempted: the payload holds only an error. */
export class GatewayProblem extends Error {
  readonly status: ContentfulStatusCode;
  readonly body: Record<string, unknown>;

  constructor(status: ContentfulStatusCode, resultCode: string, message: string) {
    super(message);
    this.status = status;
    // The vendor's sample of a refused key has no exchange id.
    this.body = {
      code: String(status),
      status: 'fail',
      ...(status === 401 ? {} : { 'exchange-id': exchangeId('error') }),
      payload: { payloadType: 'error', error: errorOf(resultCode, message) },
    };
  }
}

export const errorOf = (resultCode: string, message: string) => ({
  'error-message': message,
  'result-code': resultCode,
  'time-stamp': new Date().toISOString(),
});

export const validation = (message: string) => new GatewayProblem(400, '041', message);

export function success(kind: string, payload: Record<string, unknown>, extra: Record<string, unknown> = {}) {
  return { code: '200', status: 'success', 'exchange-id': exchangeId(kind), ...extra, payload };
}
