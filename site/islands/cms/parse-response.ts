import type {
  ContentUser,
  InvitationReply,
  LoginReply,
  Picture,
  PictureVariant,
  PublishState,
} from '../../../shared/contracts/content/content.ts';
import { articleStatuses, type Role, roles } from '../../../shared/contracts/content/content-values.ts';
import { type ClientError, isRecord, isText, isTextOrNull, type Reader, readError } from '../ui/api/parse-response.ts';
import type { Item } from './editor/parse-response.ts';

/** Readers of what the Worker answers before and on the first list, by hand: a validator has no room there (decision 0007). */

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isNumberOrNull = (value: unknown): value is number | null => value === null || isNumber(value);
const listOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(isOne);
const isStatus = (value: unknown) => articleStatuses.some((status) => status === value);
const isRole = (value: unknown): value is Role => roles.some((role) => role === value);

const isUser = (value: unknown): value is ContentUser =>
  isRecord(value) &&
  isText(value.name) &&
  isText(value.email) &&
  isRole(value.role) &&
  (value.status === 'active' || value.status === 'pending') &&
  (value.needsPasskey === undefined || typeof value.needsPasskey === 'boolean');

export const readLogin: Reader<LoginReply> = (body) =>
  isRecord(body) && isText(body.token) && isUser(body.user) ? { token: body.token, user: body.user } : null;

export const readMe: Reader<ContentUser> = (body) => (isRecord(body) && isUser(body.user) ? body.user : null);

export const readInvitation: Reader<InvitationReply> = (body) =>
  isRecord(body) && isText(body.email) && isText(body.endsAt) && isRole(body.role)
    ? { email: body.email, role: body.role, endsAt: body.endsAt }
    : null;

const isVariant = (value: unknown): value is PictureVariant =>
  isRecord(value) && isText(value.url) && isNumber(value.width) && isNumber(value.height);
const isPicture = (value: unknown): value is Picture =>
  isRecord(value) && isText(value.alt) && listOf(value.variants, isVariant) && isVariant(value);

const isItem = (value: unknown): value is Item =>
  isRecord(value) &&
  [
    value.id,
    value.title,
    value.content,
    value.excerpt,
    value.slug,
    value.createdAt,
    value.updatedAt,
    value.updatedBy,
  ].every(isText) &&
  isStatus(value.status) &&
  [value.publishedAt, value.startsAt, value.endsAt].every(isTextOrNull) &&
  isNumber(value.version) &&
  isNumber(value.revision) &&
  (value.featuredImage === undefined || isTextOrNull(value.featuredImage)) &&
  (value.picture === undefined || value.picture === null || isPicture(value.picture));

export const readItems = (body: unknown): Item[] | null => (listOf(body, isItem) ? body : null);

const states = ['live', 'waiting', 'building', 'failed'] as const;
export const readPublish: Reader<PublishState> = (body) => {
  if (!isRecord(body)) return null;
  const { state: said, revision, liveRevision, progress, step, reason, since, startsAt, reachedAt } = body;
  const state = states.find((one) => one === said);
  const isGood = isNumber(revision) && isNumber(liveRevision) && isNumberOrNull(progress);
  const isTimed = isText(since) && isTextOrNull(startsAt) && isTextOrNull(reachedAt);
  return state && isGood && isTimed && isText(step) && isText(reason)
    ? { state, revision, liveRevision, progress, step, reason, since, startsAt, reachedAt }
    : null;
};

/** The refusal carries the other member's newer version. */
export type Conflict = ClientError & { current: Item };

export function readErrorOrConflict(body: unknown, status: number): ClientError {
  const error = readError(body, status);
  if (status !== 409 || !isRecord(body) || !isItem(body.current)) return error;
  const conflict: Conflict = { ...error, current: body.current };
  return conflict;
}

export const conflictIn = (error: ClientError): Conflict | null =>
  'current' in error && isItem(error.current) ? { ...error, current: error.current } : null;
