import type * as z from 'zod/mini';
import { Problems } from '#shared/contracts/error';
import { StepUp } from '#shared/contracts/staff/proof';
import type { NamedRoute } from '#worker/areas/every-route';
import { isForm, isMedia } from '#worker/http/routes';
import { callers } from './callers.ts';

/** Descriptions of refusals by status, for people. */
export const reasons: Record<number, string> = {
  400: 'The request could not be read.',
  401: 'Not logged in, or the secret is wrong.',
  402: 'Declined by the provider. Nothing was charged or refunded.',
  403: 'Not allowed for this role, from another site, or without a proof of identity.',
  404: 'Not found.',
  409: 'Conflicts with the current state.',
  410: 'The link was used or has expired.',
  413: 'The body is too large.',
  415: 'The body has the wrong content type.',
  421: 'This server does not answer for that host name.',
  422: 'A value is not valid.',
  429: 'Too many attempts. `Retry-After` says when to try again.',
  500: 'Something went wrong on our side.',
  502: 'The provider refused the request.',
  503: 'A service that this needs is not answering. `Retry-After` says when to try again.',
};

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Statuses of refusals that any route of this kind may send, by its method, path, callers and body. */
function statusesByKind({ method, path, route: { access: who, body, query } }: NamedRoute): number[] {
  const isApi = path.startsWith('/api/');
  const isJson = body !== undefined && !isMedia(body) && !isForm(body);
  return [
    ...[404, 421, 500],
    ...(callers[who].by ? [401, 403] : []),
    ...(who === 'operator program' ? [429] : []),
    ...(isApi && WRITES.includes(method) ? [400, 403, 413] : []),
    ...(body && isForm(body) ? [415, 422] : []),
    ...(isJson ? [415, 422] : []),
    ...(query && isApi ? [422] : []),
  ];
}

/** Schemas of additional fields that may accompany the error. */
function extraFields({ route: { stepUp, errorFields } }: NamedRoute, status: number): z.ZodMiniObject[] {
  return [
    ...(status === 422 ? [Problems] : []),
    ...(status === 403 && stepUp ? [StepUp] : []),
    ...(errorFields?.[status] ? [errorFields[status]] : []),
  ];
}

export type Failure = { status: number; isOfKind: boolean; isDeclared: boolean; extraFields: z.ZodMiniObject[] };

/** All refusals of a route. */
export function failuresOf(named: NamedRoute): Failure[] {
  const [kind, declared] = [statusesByKind(named), named.route.errors ?? []];
  return [...new Set([...kind, ...declared])]
    .sort((a, b) => a - b)
    .map((status) => ({
      status,
      isOfKind: kind.includes(status),
      isDeclared: declared.includes(status),
      extraFields: extraFields(named, status),
    }));
}

/** True if the query may contain a login ticket, which causes a redirect (worker/http/guards/browser-session.ts). */
export const mayRedirect = ({ method, path }: NamedRoute): boolean =>
  method === 'GET' && !/^\/(?:api|oauth|make\/payment|receipt)(?:\/|$)/.test(path);
