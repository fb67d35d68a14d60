import * as z from 'zod/mini';
import { articleKinds, type articleSortFields, articleStatuses, roles, type uploadTypes } from './content-values.ts';

/**
 * Calls of the content area and of the public site. Every call under /api/cms carries the bearer of an active account;
 * a pending one gets 403 there. Times are ISO 8601 instants in UTC. Errors have the body of error.ts.
 */

const Status = z.enum(articleStatuses);
const Kind = z.enum(articleKinds);
const RoleName = z.enum(roles);
export type ArticleStatus = z.infer<typeof Status>;
export type ArticleKind = z.infer<typeof Kind>;
export type Role = z.infer<typeof RoleName>;

/* ---------- accounts ---------- */

/** `pending`: the account opens nothing but /api/auth/me until an owner approves it. */
export const ContentUser = z.object({
  name: z.string(),
  email: z.string(),
  role: RoleName,
  status: z.enum(['active', 'pending']),
  /** An owner who can do nothing until they have shown a passkey; only in the answer of /api/auth/me. */
  needsPasskey: z.optional(z.boolean()),
});
export type ContentUser = z.infer<typeof ContentUser>;

/** POST /api/auth/login, body LoginBody: 200. 401 `Login failed`, 429 with Retry-After. An HttpOnly refresh cookie is set beside it. */
export const LoginReply = z.object({ token: z.string(), user: ContentUser });
export type LoginReply = z.infer<typeof LoginReply>;

/** POST /api/auth/register, body RegisterBody: 201. A known address gets the same answer. */
export type RegisterReply = LoginReply;

/**
 * GET /api/auth/me with the bearer: 200 or 401. A good bearer also opens the /cms pages in this browser for as long as
 * it lives. POST /api/auth/refresh without a bearer: a new token for a browser that holds the refresh cookie, or 401;
 * the app calls it on 401 and every ten minutes. POST /api/auth/logout: 204 and the session ends.
 */
export const MeReply = z.object({ user: ContentUser });
export type MeReply = z.infer<typeof MeReply>;
export type RefreshReply = LoginReply;

/** POST /api/auth/invitation, body InvitationBody: whom a link is for; 410 when it was used, taken back or is over. */
export const InvitationReply = z.object({ email: z.string(), role: RoleName, endsAt: z.string() });
export type InvitationReply = z.infer<typeof InvitationReply>;

/** POST /api/cms/users/{id}/approve and PUT /api/cms/users/{id}, body RoleBody: 200 with it. DELETE /api/cms/users/{id}: 200 `{ id }`. */
export const UserItem = z.object({
  ...ContentUser.shape,
  id: z.string(),
  createdAt: z.string(),
  lastLoginAt: z.nullable(z.string()),
  isYou: z.boolean(),
});
export type UserItem = z.infer<typeof UserItem>;

/** POST /api/cms/users/invitations, body InviteBody: 201 with it; an earlier one to that address ends. DELETE …/{id} takes it back. */
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

/** The fields of both posts and pages. `content` is HTML that went through the sanitiser. */
export const Article = z.object({
  id: z.string(),
  title: z.string(),
  content: z.string(),
  /** What lists show of it; empty: the beginning of its text. */
  excerpt: z.string(),
  status: Status,
  slug: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
  /** When it was first published; null: never yet. */
  publishedAt: z.nullable(z.string()),
  /** Counts up with every save; its page carries it as `<meta name="article-version">`. */
  version: z.number(),
});
export type Article = z.infer<typeof Article>;
/**
 * GET /api/cms/posts, /api/cms/pages: a list with the headers of lists.ts. Parameters `page`, `size` (1 to 100, default
 * 100), `sort` (`-` before it for descending), `q` (words of title or slug), `status`; `view=rows` leaves `content`
 * empty.
 */
export type ArticleSortField = (typeof articleSortFields)[number];
export const Edited = z.object({
  /** Name of whoever saved last; empty when the account is gone. */
  updatedBy: z.string(),
  /** The site's revision since which its public face is as it is now; live when the built site has reached it. */
  revision: z.number(),
  /** When a draft goes live by itself; null: it does not. */
  startsAt: z.nullable(z.string()),
  /** When it leaves the public site by itself. */
  endsAt: z.nullable(z.string()),
});
export type Edited = z.infer<typeof Edited>;
/**
 * GET /api/cms/posts?view=trash, /api/cms/pages?view=trash: what was deleted within 30 days, the newest first.
 * POST /api/cms/posts/{id}/bring-back, /api/cms/pages/{id}/bring-back: PostDetail or PageDetail; it is a draft now.
 */
export const Trashed = z.object({ id: z.string(), title: z.string(), slug: z.string(), trashedAt: z.string() });
export type Trashed = z.infer<typeof Trashed>;

/**
 * The caller's unsaved text of one article: GET, PUT, DELETE /api/cms/{posts|pages}/{id}/draft, `new` for one that has no
 * id yet; body of PUT: DraftBody. Saving the article ends it. It never becomes public by itself.
 */
export const Draft = z.object({
  title: z.string(),
  content: z.string(),
  excerpt: z.string(),
  slug: z.string(),
  baseVersion: z.number(),
  /** Null: the saved one. The empty text: none any more. */
  featuredImageId: z.nullable(z.string()),
  savedAt: z.string(),
});
export type Draft = z.infer<typeof Draft>;

/**
 * GET …/{id}/revisions: newest first, without content. GET …/{id}/revisions/{version}: one with it.
 * POST …/{id}/revisions/{version}/restore: 200, its title, content and picture as a new version of the article.
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
/** What of a version is compared with the text of today. */
export const RevisionText = z.object({ title: z.string(), content: z.string() });
/**
 * POST …/{id}/preview (`new` as above): a link that shows the caller's draft, or else the saved text, for an hour to
 * anyone who has it. GET /api/public/preview/{token} returns what it shows; 404 once it has expired.
 */
export const PreviewReply = z.object({ url: z.string(), endsAt: z.string() });
export type PreviewReply = z.infer<typeof PreviewReply>;
/* ---------- media ---------- */

export const MediaUse = z.object({ kind: Kind, id: z.string(), title: z.string(), status: Status });
export type MediaUse = z.infer<typeof MediaUse>;

/**
 * GET /api/cms/media: a list with the headers of lists.ts, newest first; parameters `page`, `size`, `q` (words of the name or
 * alt text), `type=image`. GET /api/cms/media/{id}: one. PUT /api/cms/media/{id}: AltBody. DELETE: also where it is used.
 */
export const MediaItem = z.object({
  id: z.string(),
  originalName: z.string(),
  mimeType: z.string(),
  size: z.number(),
  localUrl: z.string(),
  isPublic: z.boolean(),
  alt: z.string(),
  /** Null for a file that is no image. */
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  variants: z.array(PictureVariant),
  createdAt: z.string(),
  uploadedBy: z.string(),
  /** The posts and pages that show it. */
  usedIn: z.array(MediaUse),
});
export type MediaItem = z.infer<typeof MediaItem>;

export type UploadType = (typeof uploadTypes)[number];

/* ---------- publishing ---------- */

/**
 * GET /api/cms/publish: how far the public site is behind. POST: build now (Retry). `live` is read from the site's own
 * /built.json, not from a build's report. With `?revision=`, an article's: `reachedAt` is when a build first had that one.
 */
export const PublishState = z.object({
  state: z.enum(['live', 'waiting', 'building', 'failed']),
  /** Counts up with each change that the public sees. */
  revision: z.number(),
  /** The revision that visitors get now. */
  liveRevision: z.number(),
  /** 0 to 100 while building. */
  progress: z.nullable(z.number()),
  /** The running step in words; empty when no build runs. */
  step: z.string(),
  /** Why it failed, in words. */
  reason: z.string(),
  since: z.string(),
  /** When a waiting build begins at the latest. */
  startsAt: z.nullable(z.string()),
  /** Null: no build had it yet, none of those that are still known, or none was asked for. */
  reachedAt: z.nullable(z.string()),
});
export type PublishState = z.infer<typeof PublishState>;

/** The file /built.json of the built site; `revision` is the first thing that the build reads from D1 (site_state). */
export type BuiltSite = { revision: number; builtAt: string };

/** JSON body of the POST to DEPLOY_HOOK_URL; a hook may ignore both fields and build the current state. */
export type HookCall = { build: string; revision: number };
