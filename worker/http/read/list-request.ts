import type { Context } from 'hono';
import { type ListRequest, type ListRules, readListRequest } from '#shared/contracts/list-request';
import { apiError, type Refuse } from '#worker/http/reply/errors';

/** Parses a list's parameters, or refuses with the names of the invalid ones. */
export function listRequestOf(c: Context, rules: ListRules, refuse: Refuse = apiError): ListRequest | Response {
  const request = readListRequest(rules, new URL(c.req.url).searchParams);
  if (!('fields' in request)) return request;
  return refuse(c, 422, 'invalid', 'The list cannot be shown in this way.', request);
}
