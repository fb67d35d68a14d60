import type * as z from 'zod/mini';
import { Problems } from '#shared/contracts/error';
import { StepUp } from '#shared/contracts/proof';
import type { NamedRoute } from '#worker/areas/every-route';
import { isForm, isMedia } from '#worker/http/routes';
import { callers } from './callers.ts';

/** What a refusal by this status says, for people. */
export const reasons: Record<number, string> = {
  400: 'The request could not be read.',
  401: 'Nobody is logged in, or the secret is not the right one.',
  402: 'The provider refused it. Nothing was charged, or given back.',
  403: 'Not allowed: to this role, from another site, or without a proof.',
  404: 'Nothing of that name is there.',
  409: 'It does not fit what is there by now.',
  410: 'The link was used, or has ended.',
  413: 'The body is too large.',
  415: 'The body is of another type.',
  421: 'This server does not answer under that name.',
  422: 'A value is not valid.',
  429: 'Too many tries. `Retry-After` says when to come again.',
  500: 'Something went wrong on our side.',
  502: 'The provider refused it.',
  503: 'Something that this needs does not answer now. `Retry-After` says when to come again.',
};

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** The refusals that every route of a kind may answer with, by its method, address, callers and body. */
function byKind({ method, path, route: { who, body, query } }: NamedRoute): number[] {
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

/** What may stand beside the error. */
function beside({ route: { stepUp, errorFields } }: NamedRoute, status: number): z.ZodMiniObject[] {
  return [
    ...(status === 422 ? [Problems] : []),
    ...(status === 403 && stepUp ? [StepUp] : []),
    ...(errorFields?.[status] ? [errorFields[status]] : []),
  ];
}

export type Failure = { status: number; isOfKind: boolean; isDeclared: boolean; beside: z.ZodMiniObject[] };

/** All refusals of a route. */
export function failuresOf(named: NamedRoute): Failure[] {
  const [kind, own] = [byKind(named), named.route.errors ?? []];
  return [...new Set([...kind, ...own])]
    .sort((a, b) => a - b)
    .map((status) => ({
      status,
      isOfKind: kind.includes(status),
      isDeclared: own.includes(status),
      beside: beside(named, status),
    }));
}

/** Addresses in whose query a ticket of a login may stand (worker/http/guards/redeem-handoff-code.ts): it leads on. */
export const mayLeadOn = ({ method, path }: NamedRoute): boolean =>
  method === 'GET' && !/^\/(?:api|oauth|make\/payment|receipt)(?:\/|$)/.test(path);
