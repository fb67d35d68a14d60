import * as z from 'zod/mini';
import { articleKinds, type articleSortFields, articleStatuses, roles, type uploadTypes } from './content-values.ts';

/**
 * Calls of the content area and of the public site. Calls under /api/cms require the bearer token of an active account;
 * a pending one gets 403. Times are ISO 8601 in UTC. Errors have the body of error.ts.
 */

const Status = z.enum(articleStatuses);
const Kind = z.enum(articleKinds);
const RoleName = z.enum(roles);
export type ArticleStatus = z.infer<typeof Status>;
export type ArticleKind = z.infer<typeof Kind>;
export type Role = z.infer<typeof RoleName>;

/* ---------- accounts ---------- */

/** `pending`: the account may call only /api/auth/me until an owner approves it. */
export const ContentUser = z.object({
  name: z.string(),
  email: z.string(),
  role: RoleName,
  status: z.enum(['active', 'pending']),
  /** True for an owner who must first use a passkey; only in the response of /api/auth/me. */
  needsPasskey: z.optional(z.boolean()),
});
export type ContentUser = z.infer<typeof ContentUser>;

/** POST /api/auth/login, body LoginBody: 200, sets the refresh cookie. 401 `Login failed`, 429 with Retry-After. */
export const LoginReply = z.object({ token: z.string(), user: ContentUser });
export type LoginReply = z.infer<typeof LoginReply>;

/** POST /api/auth/register, body RegisterBody: 201, also for a known address. */
export type RegisterReply = LoginReply;

/**
 * GET /api/auth/me with the bearer token: 200 or 401. A valid token also opens the /cms pages in this browser until it
 * expires. POST /api/auth/refresh without a bearer token: a new token for a browser with the refresh cookie, or 401;
 * the app calls it on 401 and every ten minutes. POST /api/auth/logout: 204, and the session ends.
 */
export const MeReply = z.object({ user: ContentUser });
export type MeReply = z.infer<typeof MeReply>;
export type RefreshReply = LoginReply;

/** POST /api/auth/invitation, body InvitationBody: the invited person. 410 if the link was used, revoked or expired. */
export const InvitationReply = z.object({ email: z.string(), role: RoleName, endsAt: z.string() });
export type InvitationReply = z.infer<typeof InvitationReply>;

/** POST /api/cms/users/{id}/approve, PUT /api/cms/users/{id}, body RoleBody: 200. DELETE: 200 `{ id }`. */
export const UserItem = z.object({
  ...ContentUser.shape,
  id: z.string(),
  createdAt: z.string(),
  lastLoginAt: z.nullable(z.string()),
  isYou: z.boolean(),
});
export type UserItem = z.infer<typeof UserItem>;

/** POST /api/cms/users/invitations, body InviteBody: 201, replaces an earlier invitation. DELETE …/{id} revokes. */
export const InvitationItem = z.object({
  id: z.string(),
  email: z.string(),
  role: RoleName,
  invitedBy: z.string(),
  createdAt: z.string(),
  endsAt: z.string(),
});
export type InvitationItem = z.infer<typeof InvitationItem>;

/** GET /api/cms/users, for owners (an editor gets 403 on everything under it). */
export const UsersReply = z.object({ users: z.array(UserItem), invitations: z.array(InvitationItem) });
export type UsersReply = z.infer<typeof UsersReply>;

/* ---------- posts and pages ---------- */

export const PictureVariant = z.object({ url: z.string(), width: z.number(), height: z.number() });
export type PictureVariant = z.infer<typeof PictureVariant>;
export const Picture = z.object({ ...PictureVariant.shape, alt: z.string(), variants: z.array(PictureVariant) });
export type Picture = z.infer<typeof Picture>;

/** The fields of both posts and pages. `content` is sanitized HTML. */
export const Article = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  /** Excerpt in lists; if empty, lists show the start of the text. */
  excerpt: z.string(),
  status: Status,
  slug: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** First publication; null if never published. */
  publishedAt: z.nullable(z.string()),
  /** Increases with every save; its page has it as `<meta name="article-version">`. */
  version: z.number(),
});
export type Article = z.infer<typeof Article>;
/**
 * GET /api/cms/posts, /api/cms/pages: a list with the headers of list-values.ts. Parameters `page`, `size` (1 to 100,
 * default 100), `sort` (leading `-` for descending), `q` (words of title or slug), `status`; `view=rows` leaves
 * `content` empty.
 */
export type ArticleSortField = (typeof articleSortFields)[number];
export const Edited = z.object({
  /** Name of the last editor; empty if the account was deleted. */
  updatedBy: z.string(),
  /** The site revision of the last public change; live once the built site has reached it. */
  revision: z.number(),
  /** Scheduled publication of a draft, or null. */
  startsAt: z.nullable(z.string()),
  /** Scheduled end of publication, or null. */
  endsAt: z.nullable(z.string()),
});
export type Edited = z.infer<typeof Edited>;
/**
 * GET /api/cms/posts?view=trash, /api/cms/pages?view=trash: articles deleted in the last 30 days, newest first.
 * POST /api/cms/posts/{id}/bring-back, /api/cms/pages/{id}/bring-back: restores as a draft; PostDetail or PageDetail.
 */
export const Trashed = z.object({ id: z.string(), title: z.string(), slug: z.string(), trashedAt: z.string() });
export type Trashed = z.infer<typeof Trashed>;

/**
 * The caller's unsaved text of one article: GET, PUT, DELETE /api/cms/{posts|pages}/{id}/draft, `new` for an article
 * without an id; body of PUT: DraftBody. Saving the article deletes it. It is never published.
 */
export const Draft = z.object({
  title: z.string(),
  content: z.string(),
  excerpt: z.string(),
  slug: z.string(),
  baseVersion: z.number(),
  /** Null means the saved picture, and an empty text no picture. */
  featuredImageId: z.nullable(z.string()),
  savedAt: z.string(),
});
export type Draft = z.infer<typeof Draft>;

/**
 * GET …/{id}/revisions: newest first, without content. GET …/{id}/revisions/{version}: one, with content.
 * POST …/{id}/revisions/{version}/restore: 200; saves its title, content and picture as a new version of the article.
 */
export const Revision = z.object({
  version: z.number(),
  title: z.string(),
  status: Status,
  slug: z.string(),
  savedAt: z.string(),
  savedBy: z.string(),
});
export type Revision = z.infer<typeof Revision>;
/** The text of a version, for comparison with the current text. */
export const RevisionText = z.object({ title: z.string(), content: z.string() });
/**
 * POST …/{id}/preview (`new` as above): a link that shows the caller's draft, or else the saved text, to anyone for an
 * hour. GET /api/public/preview/{token} returns the content; 404 once it has expired.
 */
export const PreviewReply = z.object({ url: z.string(), endsAt: z.string() });
export type PreviewReply = z.infer<typeof PreviewReply>;
/* ---------- media ---------- */

export const MediaUse = z.object({ kind: Kind, id: z.string(), title: z.string(), status: Status });
export type MediaUse = z.infer<typeof MediaUse>;

/**
 * GET /api/cms/media: a list with the headers of list-values.ts, newest first; parameters `page`, `size`, `q` (words of
 * the name or alt text), `type=image`. GET /api/cms/media/{id}: one. PUT: AltBody. DELETE: even if the file is in use.
 */
export const MediaItem = z.object({
  id: z.string(),
  originalName: z.string(),
  mimeType: z.string(),
  size: z.number(),
  localUrl: z.string(),
  isPublic: z.boolean(),
  alt: z.string(),
  /** Null for a file that is not an image. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  variants: z.array(PictureVariant),
  createdAt: z.string(),
  uploadedBy: z.string(),
  /** The posts and pages that contain it. */
  usedIn: z.array(MediaUse),
});
export type MediaItem = z.infer<typeof MediaItem>;

export type UploadType = (typeof uploadTypes)[number];

/* ---------- publishing ---------- */

/**
 * GET /api/cms/publish: the publishing state of the public site. POST: build now (Retry). `live` is read from the
 * site's own /built.json, not from a build report. With `?revision=`, `reachedAt` is the time of the first build that
 * has it.
 */
export const PublishState = z.object({
  state: z.enum(['live', 'waiting', 'building', 'failed']),
  /** Increases with each public change. */
  revision: z.number(),
  /** The revision of the live site. */
  liveRevision: z.number(),
  /** 0 to 100 while building, otherwise null. */
  progress: z.nullable(z.number()),
  /** Description of the current step; empty if no build is running. */
  step: z.string(),
  /** Description of the failure. */
  reason: z.string(),
  since: z.string(),
  /** Latest start of a waiting build. */
  startsAt: z.nullable(z.string()),
  /** Null if no known build has it, or if no revision was requested. */
  reachedAt: z.nullable(z.string()),
});
export type PublishState = z.infer<typeof PublishState>;

/** The file /built.json of the built site; the build reads `revision` from D1 (site_state) before anything else. */
export type BuiltSite = { revision: number; builtAt: string };

/** JSON body of the POST to DEPLOY_HOOK_URL; a hook may ignore both fields and build the current state. */
export type HookCall = { build: string; revision: number };
