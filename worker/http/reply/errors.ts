import type { Context, ErrorHandler } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ApiError, ErrorCode } from '#shared/contracts/error';
import { causeOf, consoleLog } from '#worker/log';
import { isDevServer } from './page-template.ts';

/** The one error body, with whatever further fields a call's contract names. */
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

/** How an error goes out: as it is, or inside the envelope of a call that has one. */
export type Refuse = (
  c: Context,
  status: ContentfulStatusCode,
  code: ErrorCode,
  message: string,
  more?: { fields?: string[] },
) => Response;

/** The last resort: the cause goes to the log under the request's id, the client gets a fixed sentence. */
export const onError: ErrorHandler = (cause, c) => {
  // The dev server shows and logs it with file and line; nobody but the person who wrote it is there.
  if (isDevServer()) throw cause;
  consoleLog.alert('request-failed', {
    requestId: c.get('requestId'),
    method: c.req.method,
    cause: causeOf(cause),
  });
  return apiError(c, 500, 'internal', 'Something went wrong on our side. Please try again.');
};
