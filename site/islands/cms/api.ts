import * as z from 'zod/mini';
import {
  Article,
  Draft,
  Edited,
  InvitationReply,
  LoginReply,
  MeReply,
  Picture,
  PreviewReply,
  PublishState,
  Revision,
  RevisionText,
} from '#shared/contracts/content/content';
import { createApiClient, sendJson, sendRequest } from '../ui/api/api-client.ts';
import {
  type Answer,
  type ClientError,
  failedAnswer,
  isRecord,
  type Reader,
  readError,
  readWith,
  SIGNED_OUT_ERROR,
} from '../ui/api/parse-response.ts';

/** A post or a page; a page has no picture. */
export const ArticleItem = z.object({
  ...Article.shape,
  ...Edited.shape,
  featuredImage: z.optional(z.nullable(z.string())),
  picture: z.optional(z.nullable(Picture)),
});
export type ArticleItem = z.infer<typeof ArticleItem>;

const ArticleDetail = z.object({ ...ArticleItem.shape, draft: z.nullable(Draft) });
export type ArticleDetail = z.infer<typeof ArticleDetail>;

export const readDetail = readWith(ArticleDetail);
export const readDraft = readWith(Draft);
export const readRevisions = readWith(z.array(Revision));
export const readRevision = readWith(RevisionText);
export const readPreview = readWith(PreviewReply);

export const readLogin = readWith(LoginReply);
export const readMe = readWith(MeReply, ({ user }) => user);
export const readInvitation = readWith(InvitationReply);
export const readItems = readWith(z.array(ArticleItem));
export const readPublish = readWith(PublishState);
const readCurrent = readWith(z.object({ current: ArticleItem }), ({ current }) => current);

/** The error of a version conflict, with the other member's newer version. */
export type Conflict = ClientError & { current: ArticleItem };

export function readErrorOrConflict(body: unknown, status: number): ClientError {
  const error = readError(body, status);
  const current = status === 409 ? readCurrent(body) : null;
  if (!current) return error;
  const conflict: Conflict = { ...error, current };
  return conflict;
}

export function readConflict(error: ClientError): Conflict | null {
  const current = readCurrent(error);
  return current && { ...error, current };
}

/** Storage keys of this area, fixed by the product's contract. */
const TOKEN_KEY = 'cms_token';
/** Key of the token from a registration. */
const REGISTERED_KEY = 'token';
/** The screen to return to after a login. */
const RETURN_KEY = 'cms_return';

export const readToken = (): string | null => localStorage.getItem(TOKEN_KEY) || null;
export const storeToken = (token: string): void => localStorage.setItem(TOKEN_KEY, token);
export const storeRegisteredToken = (token: string): void => localStorage.setItem(REGISTERED_KEY, token);
export function dropToken(): void {
  localStorage.removeItem(TOKEN_KEY);
  localStorage.removeItem(REGISTERED_KEY);
}

/**
 * The notice on the login page after a call failed because the session had ended; '' otherwise. Promises that text is
 * kept only if this browser holds unsaved text of the open article.
 */
export function describeInterruption(): string {
  const path = sessionStorage.getItem(RETURN_KEY);
  if (path === null) return '';
  const [, kind, id = 'new'] = /^\/cms\/(post|page)s\/(?:new|edit\/([\w-]+))$/.exec(path) ?? [];
  const hasDraft = Object.keys(localStorage).some(
    (key) => key.startsWith('cms_draft:') && `${key}:`.includes(`:${kind}:${id}:`),
  );
  return hasDraft ? 'Log in again; your text is kept.' : 'Your session has ended. Log in again.';
}

export const storeReturnPath = (): void => sessionStorage.setItem(RETURN_KEY, window.location.pathname);

/** Returns and forgets the screen that the login interrupted; otherwise, the area's first screen. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(RETURN_KEY) ?? '';
  sessionStorage.removeItem(RETURN_KEY);
  return /^\/cms(?:\/[\w/-]+)?$/.test(path) && path !== '/cms/login' ? path : '/cms';
}

const browserFetch = (path: string, init: RequestInit) => fetch(path, init);

/** Sends a POST without a session. */
export const post = <T>(path: string, body: object, read: Reader<T>): Promise<Answer<T>> =>
  sendRequest({ fetch: browserFetch }, path, read, sendJson('POST', body));

/** Calls of the content area. The token is in local storage; a cookie that scripts cannot read renews it. */
export const { call, renew, freshToken } = createApiClient({
  token: readToken,
  fetch: browserFetch,
  now: () => Date.now(),
  renew: async () => {
    const answer = await post('/api/auth/refresh', {}, readLogin);
    if (answer.ok) storeToken(answer.value.token);
    return !answer.ok && answer.error.status === 401 ? failedAnswer(SIGNED_OUT_ERROR) : answer;
  },
  leave: leaveForLogin,
  readError: readErrorOrConflict,
});

/** Goes to the login, which returns the member to this screen. */
function leaveForLogin(): void {
  storeReturnPath();
  dropToken();
  window.location.assign('/cms/login');
}

/** True if the stored token is valid for the area; removes a bad one. */
export async function isTokenValid(): Promise<boolean> {
  const token = readToken();
  if (!token) return false;
  const headers = { authorization: `Bearer ${token}` };
  const answer = await sendRequest({ fetch: browserFetch }, '/api/auth/me', readMe, { headers });
  if (answer.ok && answer.value.status === 'active') return true;
  if (answer.ok || answer.error.status === 401) dropToken();
  return false;
}

/** Accepts any reply; its content is not used. */
export const readDone: Reader<true> = (body) => (body === undefined || isRecord(body) ? true : null);

export async function endSession(token: string | null): Promise<void> {
  const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
  await sendRequest({ fetch: browserFetch }, '/api/auth/logout', readDone, { method: 'POST', headers });
}

export async function logOut(): Promise<void> {
  const token = readToken();
  dropToken();
  await endSession(token);
  window.location.assign('/cms/login');
}
