import type { Context } from 'hono';
import type * as z from 'zod/mini';
import { apiError } from '#worker/http/reply/errors';

/**
 * Parses a JSON body with its schema. An invalid body returns 422 with the invalid fields, the first error text as the
 * message, and all texts under `problems`.
 */
export async function readJson<T extends z.ZodMiniType>(
  c: Context,
  schema: T,
): Promise<{ data: z.output<T> } | { refusal: Response }> {
  if (!/^application\/json\b/i.test(c.req.header('content-type') ?? ''))
    return { refusal: apiError(c, 415, 'wrong-type', 'Please send this as JSON.') };
  let body: unknown;
  try {
    body = JSON.parse(await c.req.text());
  } catch {
    return { refusal: apiError(c, 400, 'bad-request', 'The request could not be read.') };
  }
  return parseInput(c, schema, body);
}

export function parseInput<T extends z.ZodMiniType>(
  c: Context,
  schema: T,
  body: unknown,
): { data: z.output<T> } | { refusal: Response } {
  const result = schema.safeParse(body);
  if (result.success) return { data: result.data };
  const problems: Record<string, string> = {};
  for (const { path, message } of result.error.issues) {
    const field = String(path[0] ?? 'body');
    // The validator's own messages are not meant for users.
    problems[field] ??= message.startsWith('Invalid input') ? 'The request could not be read.' : message;
  }
  return { refusal: refuseInvalid(c, problems) };
}

/** Returns 422 with a text for each invalid field. */
export const refuseInvalid = (c: Context, problems: Record<string, string>): Response =>
  apiError(c, 422, 'invalid', Object.values(problems)[0] ?? 'The request could not be read.', {
    fields: Object.keys(problems),
    problems,
  });

export function refuseTooMany(c: Context, retryAfterS: number): Response {
  c.header('retry-after', String(retryAfterS));
  return apiError(c, 429, 'too-many', 'Too many attempts. Please wait a minute.');
}
