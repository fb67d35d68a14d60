import type { Context, ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiError, ErrorCode } from '#shared/contracts/error';
import type { StepUp, StepUpWay } from '#shared/contracts/staff/proof';
import { isNoSuchClinic } from '#worker/clinic/no-such-clinic';
import type { Deps } from '#worker/deps';
import { causeOf, consoleLog, type Log } from '#worker/log';
import { isDevServer } from './page-template.ts';

/** The one error body, with further fields where a call's contract names them. */
export function apiError<T extends object>(
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  more?: T & { fields?: string[] },
): Response {
  const { fields, ...rest } = more ?? {};
  const body: ApiError = { error: { code, message, ...(fields ? { fields } : {}) } };
  return c.json({ ...rest, ...body }, status);
}

/** Writes an error: as it is, or inside the envelope of a call that has one. */
export type Refuse = (
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  more?: { fields?: string[] },
) => Response;

/** The last resort: logs the cause under the request's id and sends the client a fixed sentence. */
export const onError: ErrorHandler = (cause, c) => {
  // A clinic that was erased is as unknown as one that never was.
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
 * For an address that a browser opens, and shows what comes: where `show` fails, that is logged as everywhere, and `page`
 * is sent. 404: the clinic is gone. 503: its database does not answer, or something else is broken.
 */
export async function orPage(
  c: Context,
  show: () => Promise<Response>,
  page: (status: 404 | 503) => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (cause) {
    await onError(cause as Error, c);
    if (isNoSuchClinic(cause)) return page(404);
    c.header('retry-after', '30');
    return page(503);
  }
}

/** 403 to staff who have to prove again who they are, with what they may do for it. */
export const stepUpNeeded = (c: Context, ways: StepUpWay[]): Response =>
  apiError(c, 403, 'step-up-needed', 'Please show again that it is you.', { ways } satisfies StepUp);

/** Reads from the database; if that fails, logs the cause and sends the `failed` reply. */
export async function readOr(
  { log }: Deps,
  read: () => Promise<Response>,
  failed: () => Response | Promise<Response>,
): Promise<Response> {
  try {
    return await read();
  } catch (cause) {
    log.info('content-not-read', { cause: causeOf(cause) });
    return failed();
  }
}
