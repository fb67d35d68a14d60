import type {
  ContentUser,
  Draft,
  InvitationReply,
  LoginReply,
  MediaItem,
  MediaUse,
  PageDetail,
  PageItem,
  Picture,
  PictureVariant,
  PostDetail,
  PostItem,
  PreviewReply,
  PublishState,
  Revision,
  UsersReply,
} from '../../../shared/contracts/content.ts';
import { articleStatuses } from '../../../shared/contracts/content.ts';
import { type ClientError, isRecord, isText, isTextOrNull, type Reader, readError } from '../ui/api/parse-response.ts';

/** Readers of what the Worker answers the content area. */

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isNumberOrNull = (value: unknown): value is number | null => value === null || isNumber(value);
const listOf = <T>(value: unknown, isOne: (one: unknown) => one is T): value is T[] =>
  Array.isArray(value) && value.every(isOne);
const isStatus = (value: unknown) => articleStatuses.some((status) => status === value);
const isRole = (value: unknown) => value === 'owner' || value === 'editor';

const isUser = (value: unknown): value is ContentUser =>
  isRecord(value) &&
  isText(value.name) &&
  isText(value.email) &&
  isRole(value.role) &&
  (value.status === 'active' || value.status === 'pending');

export const readLogin: Reader<LoginReply> = (body) =>
  isRecord(body) && isText(body.token) && isUser(body.user) ? { token: body.token, user: body.user } : null;

export const readMe: Reader<ContentUser> = (body) => (isRecord(body) && isUser(body.user) ? body.user : null);

export const readInvitation: Reader<InvitationReply> = (body) =>
  isRecord(body) && isText(body.email) && isText(body.endsAt) && (body.role === 'owner' || body.role === 'editor')
    ? { email: body.email, role: body.role, endsAt: body.endsAt }
    : null;

const isUserItem = (value: unknown): value is UsersReply['users'][number] =>
  isRecord(value) &&
  isText(value.id) &&
  isText(value.createdAt) &&
  isTextOrNull(value.lastLoginAt) &&
  typeof value.isYou === 'boolean' &&
  isUser(value);
const isInvitation = (value: unknown): value is UsersReply['invitations'][number] =>
  isRecord(value) &&
  [value.id, value.email, value.invitedBy, value.createdAt, value.endsAt].every(isText) &&
  isRole(value.role);

export const readUsers: Reader<UsersReply> = (body) =>
  isRecord(body) && listOf(body.users, isUserItem) && listOf(body.invitations, isInvitation)
    ? { users: body.users, invitations: body.invitations }
    : null;

const isVariant = (value: unknown): value is PictureVariant =>
  isRecord(value) && isText(value.url) && isNumber(value.width) && isNumber(value.height);
const isPicture = (value: unknown): value is Picture =>
  isRecord(value) && isText(value.alt) && listOf(value.variants, isVariant) && isVariant(value);
const isDraft = (value: unknown): value is Draft =>
  isRecord(value) &&
  [value.title, value.content, value.slug, value.savedAt].every(isText) &&
  isTextOrNull(value.featuredImageId) &&
  isNumber(value.baseVersion);

/** A post, or a page, which is a post without its picture. */
export type Item = PageItem & Partial<Pick<PostItem, 'picture' | 'featuredImage'>>;
export type Detail = PageDetail & Partial<Pick<PostDetail, 'picture' | 'featuredImage'>>;

const isItem = (value: unknown): value is Item =>
  isRecord(value) &&
  [value.id, value.title, value.content, value.slug, value.createdAt, value.updatedAt, value.updatedBy].every(isText) &&
  isStatus(value.status) &&
  isTextOrNull(value.publishedAt) &&
  isNumber(value.version) &&
  isNumber(value.revision) &&
  (value.picture === undefined || value.picture === null || isPicture(value.picture));

export const readItems = (body: unknown): Item[] | null => (listOf(body, isItem) ? body : null);
export const readItem: Reader<Item> = (body) => (isItem(body) ? body : null);
export const readDetail: Reader<Detail> = (body) => {
  const draft = isRecord(body) ? body.draft : undefined;
  return isItem(body) && (draft === null || isDraft(draft)) ? { ...body, draft } : null;
};
export const readDraft: Reader<Draft> = (body) => (isDraft(body) ? body : null);

const isRevision = (value: unknown): value is Revision =>
  isRecord(value) &&
  [value.title, value.slug, value.savedAt, value.savedBy].every(isText) &&
  isStatus(value.status) &&
  isNumber(value.version);
export const readRevisions: Reader<Revision[]> = (body) => (listOf(body, isRevision) ? body : null);

export const readPreview: Reader<PreviewReply> = (body) =>
  isRecord(body) && isText(body.url) && isText(body.endsAt) ? { url: body.url, endsAt: body.endsAt } : null;

const isUse = (value: unknown): value is MediaUse =>
  isRecord(value) &&
  isText(value.id) &&
  isText(value.title) &&
  isStatus(value.status) &&
  (value.kind === 'post' || value.kind === 'page');
const isMedia = (value: unknown): value is MediaItem =>
  isRecord(value) &&
  [value.id, value.originalName, value.mimeType, value.localUrl, value.alt, value.createdAt, value.uploadedBy].every(
    isText,
  ) &&
  isNumber(value.size) &&
  typeof value.isPublic === 'boolean' &&
  isNumberOrNull(value.width) &&
  isNumberOrNull(value.height) &&
  listOf(value.variants, isVariant) &&
  listOf(value.usedIn, isUse);
export const readMediaList = (body: unknown): MediaItem[] | null => (listOf(body, isMedia) ? body : null);
export const readMedia: Reader<MediaItem> = (body) => (isMedia(body) ? body : null);

const states = ['live', 'waiting', 'building', 'failed'] as const;
export const readPublish: Reader<PublishState> = (body) => {
  if (!isRecord(body)) return null;
  const { state: said, revision, liveRevision, progress, step, reason, since, startsAt } = body;
  const state = states.find((one) => one === said);
  const isGood = isNumber(revision) && isNumber(liveRevision) && isNumberOrNull(progress) && isTextOrNull(startsAt);
  return state && isGood && isText(step) && isText(reason) && isText(since)
    ? { state, revision, liveRevision, progress, step, reason, since, startsAt }
    : null;
};

/** Somebody else's newer text comes along with the refusal. */
export type Conflict = ClientError & { current: Item };

export function readErrorOrConflict(body: unknown, status: number): ClientError {
  const fault = readError(body, status);
  if (status !== 409 || !isRecord(body) || !isItem(body.current)) return fault;
  const conflict: Conflict = { ...fault, current: body.current };
  return conflict;
}

export const conflictIn = (fault: ClientError): Conflict | null =>
  'current' in fault && isItem(fault.current) ? { ...fault, current: fault.current } : null;
