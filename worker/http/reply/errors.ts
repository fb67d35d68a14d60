import type { Context, ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiError, ErrorCode } from '#shared/contracts/error';
import type { StepUp, StepUpWay } from '#shared/contracts/staff/proof';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import type { Deps } from '#worker/deps';
import { causeOf, consoleLog, type Log } from '#worker/log';
import { isDevServer } from './page-template.ts';

/** Sends the standard error body, with additional fields if the contract of the call has them. */
export function apiError<T extends object>(
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  extra?: T & { fields?: string[] },
): Response {
  const { fields, ...rest } = extra ?? {};
  const body: ApiError = { error: { code, message, ...(fields ? { fields } : {}) } };
  return c.json({ ...rest, ...body }, status);
}

/** Sends an error, as the standard body or in the envelope of the call. */
export type Refuse = (
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  extra?: { fields?: string[] },
) => Response;

/** Handles uncaught errors: logs the cause with the request id and sends a generic message. */
export const onError: ErrorHandler = (cause, c) => {
  // An erased clinic is treated like one that never existed.
  if (isNoSuchClinic(cause)) {
    const hasToken = c.req.header('authorization') !== undefined;
    return hasToken
      ? apiError(c, 401, 'unauthorized', 'Please log in again.')
      : apiError(c, 404, 'not-found', 'Not found.');
  }
  // The dev server shows and logs the cause with file and line; only its developer sees it.
  if (isDevServer()) throw cause;
  const log: Log = c.get('log') ?? consoleLog;
  log.alert('request-failed', {
    requestId: c.get('requestId'),
    method: c.req.method,
    cause: causeOf(cause),
  });
  return apiError(c, 500, 'internal', 'Something went wrong on our side. Please try again.');
};

/**
 * Sends the result of `show` for a URL that a browser opens. If it fails, logs the error as usual and sends
 * `errorPage`, with 404 if the clinic does not exist, or with 503 if its database does not respond or another error
 * occurred.
 */
export async function showOrErrorPage(
  c: Context,
  show: () => Promise<Response>,
  errorPage: (status: 404 | 503) => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (cause) {
    await onError(cause as Error, c);
    if (isNoSuchClinic(cause)) return errorPage(404);
    c.header('retry-after', '30');
    return errorPage(503);
  }
}

/** Returns 403 to staff who must prove their identity again, with the ways in which they can. */
export const replyStepUpNeeded = (c: Context, ways: StepUpWay[]): Response =>
  apiError(c, 403, 'step-up-needed', 'Please confirm your identity again.', { ways } satisfies StepUp);

/** Reads from the database. On failure, logs the cause and sends the `failureReply`. */
export async function readOrReply(
  { log }: Deps,
  read: () => Promise<Response>,
  failureReply: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await read();
  } catch (cause) {
    log.info('content-not-read', { cause: causeOf(cause) });
    return failureReply();
  }
}
