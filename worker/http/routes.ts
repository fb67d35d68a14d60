import type { Context } from 'hono';
import type * as z from 'zod/mini';
import type { ListRequest, ListRules } from '#shared/contracts/lists/list-request';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import type { SessionClaim } from '#worker/data/merchants/sessions';
import type { Member } from '#worker/domain/content/accounts/session';
import type { LoggedInMerchant } from '#worker/domain/merchants/session';
import type { Operator } from '#worker/domain/operators/session';
import type { RouteAccess } from '#worker/security/route-access';
import type { Deps, Env } from '../deps.ts';
import type { Refuse } from './reply/errors.ts';

export type C = Context<{ Bindings: Env }>;

type Schema = z.ZodMiniType;

/** A body that is not JSON. `media`: its content type, or null if there is no body. */
export type Media = { media: string | null };
export type Answer = Schema | Media | readonly (Schema | Media)[];

/** A form with fields and files. `files`: one or several files for each field. The handler reads it (read/form.ts). */
export type Form = { form: z.ZodMiniObject; files: Readonly<Record<string, 'one' | 'several'>> };
/** JSON that the handler parses itself, because its refusals differ from the standard ones. */
export type ReadByHandler = { readByHandler: Schema };

export type Body = Schema | Media | Form | ReadByHandler;
export type Query = z.ZodMiniObject | ListRules;

/** `unknown` if the handler does not declare the schema. */
type ParsedBody<B> = unknown extends B ? unknown : B extends Schema ? z.output<B> : undefined;
type ParsedQuery<Q> = unknown extends Q
  ? unknown
  : Q extends ListRules
    ? ListRequest
    : Q extends z.ZodMiniObject
      ? z.output<Q>
      : undefined;

/** The facts about the caller that the guard of a route provides. */
type Caller<W extends RouteAccess, S> = [S] extends ['deferred']
  ? { claim: SessionClaim }
  : W extends 'staff' | `staff: ${StaffRight}` | 'staff or holder of a pay link'
    ? { merchant: LoggedInMerchant; requestedAt: number }
    : W extends 'editor' | 'owner'
      ? { member: Member }
      : W extends 'operator' | 'operator who just showed the passkey'
        ? { operator: Operator }
        : unknown;

type Request<W extends RouteAccess, B, Q, S> = {
  c: C;
  deps: Deps;
  body: ParsedBody<B>;
  query: ParsedQuery<Q>;
} & Caller<W, S>;

/** An admitted request, parsed with the schemas `B` of its body and `Q` of its query. */
export type PublicRequest<B = unknown, Q = unknown> = Request<'anyone', B, Q, undefined>;
/** `requestedAt` (UTC ms) was taken before the session was looked up. */
export type StaffRequest<B = unknown, Q = unknown> = Request<'staff', B, Q, undefined>;
/** A request from staff with a verified bearer token, whose session the handler reads together with its rows. */
export type ClaimRequest<B = unknown, Q = unknown> = Request<'staff', B, Q, 'deferred'>;
export type MemberRequest<B = unknown, Q = unknown> = Request<'editor', B, Q, undefined>;
export type OperatorRequest<B = unknown, Q = unknown> = Request<'operator', B, Q, undefined>;

type Declaration<W extends RouteAccess, B, Q, S> = {
  access: W;
  /** One-line summary, as shown in openapi.json. */
  summary: string;
  /** Requires a proof of identity within the last 15 minutes (worker/domain/proofs/proof.ts). */
  stepUp?: true;
  /** Maximum body size in bytes; defaults to the limit of the area. */
  bodyLimit?: number;
  /** Error message for a larger body. */
  tooLarge?: string;
  body?: B;
  query?: Q;
  /** Treats a parameter without a value as omitted. */
  ignoresBlanks?: true;
  /** Responses by status, except JSON errors; includes error pages. */
  answers: Readonly<Record<number, Answer>>;
  /** Error statuses in addition to those of every route of this kind. */
  errors?: readonly number[];
  /** Additional fields of an error body, by status. */
  errorFields?: Readonly<Record<number, z.ZodMiniObject>>;
  /** Replaces the standard error body; `refuse` sends it. */
  errorBody?: Schema;
  refuse?: Refuse;
  /** Returns rows, with facts about the list in headers (shared/contracts/lists/list-values.ts). */
  isList?: true;
  /** Polled by the page, so the request does not reset the operator's idle time. */
  isPolled?: true;
  session?: S;
  /** Kind of actor, if only the handler can identify the person. */
  actor?: 'user' | 'content' | 'operator';
  handle: (request: Request<W, B, Q, S>) => Promise<Response> | Response;
};

/** A declaration with erased types, for serving and for openapi.json. */
export type Route = Omit<Declaration<RouteAccess, Body, Query, 'deferred' | undefined>, 'handle'> & {
  // biome-ignore lint/suspicious/noExplicitAny: each handler takes the request of its own guard and schemas.
  handle: (request: any) => Promise<Response> | Response;
};

/** Routes by method and path, as in `GET /api/payments/:id/reversal`. */
export type Routes = Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Route>>;

/**
 * Declares one route with its callers, input, responses and handler. Registration, guard, parsing, limits, openapi.json
 * and the permission table are derived from it.
 */
export const route = <
  const W extends RouteAccess,
  const B extends Body | undefined = undefined,
  const Q extends Query | undefined = undefined,
  const S extends 'deferred' | undefined = undefined,
>(
  declaration: Declaration<W, B, Q, S>,
): Route => declaration as unknown as Route;

export const noBody: Media = { media: null };
export const htmlPage: Media = { media: 'text/html' };
export const csv: Media = { media: 'text/csv' };
export const png: Media = { media: 'image/png' };
export const bytes: Media = { media: 'application/octet-stream' };
export const anyMedia: Media = { media: '*/*' };

export const isMedia = (answer: object): answer is Media => 'media' in answer;
export const isForm = (body: object): body is Form => 'form' in body;
export const isReadByHandler = (body: object): body is ReadByHandler => 'readByHandler' in body;
export const isListRules = (query: Query): query is ListRules => 'sorts' in query;
