/**
 * Calls of the content area and of the public site. Every call under /api/cms carries the bearer of an active account; a
 * pending one gets 403 there. Times are ISO 8601 instants in UTC. Errors have the one body of error.ts.
 */
import type { ApiError } from './error.ts';

export const articleStatuses = ['DRAFT', 'PUBLISHED'] as const;
export type ArticleStatus = (typeof articleStatuses)[number];
export type ArticleKind = 'post' | 'page';
export type Role = 'owner' | 'editor';

export const contentLimits = {
  title: 200,
  slug: 80,
  /** Bytes of a text's HTML. */
  content: 300_000,
  alt: 300,
  name: 100,
  /** Bytes of a file. */
  upload: 25_000_000,
  /** Narrower copies of an image that an upload may bring along. */
  variants: 3,
} as const;

/* ---------- accounts ---------- */

/** `pending`: the account opens nothing but /api/auth/me until an owner approves it. */
export type ContentUser = { name: string; email: string; role: Role; status: 'active' | 'pending' };

/** POST /api/auth/login: 200. 401 `Login failed`, 429 with Retry-After. An HttpOnly refresh cookie is set beside it. */
export type LoginRequest = { email: string; password: string };
export type LoginReply = { token: string; user: ContentUser };

/**
 * POST /api/auth/register: 201. `setupCode` makes the first owner, `invitation` (the part of the link behind `#invitation=`)
 * an active account; without either the account is pending. A known address gets the same answer.
 */
export type RegisterRequest = {
  name: string;
  email: string;
  password: string;
  setupCode?: string;
  invitation?: string;
};
export type RegisterReply = { token: string; user: ContentUser };

/**
 * GET /api/auth/me with the bearer: 200 or 401. A good bearer also opens the /cms pages in this browser for as long as it
 * lives. POST /api/auth/refresh without a bearer: a new token for a browser that holds the refresh cookie, or 401; the app
 * calls it on 401 and every ten minutes. POST /api/auth/logout: 204, the session is over for good.
 */
export type MeReply = { user: ContentUser };
export type RefreshReply = LoginReply;

/** POST /api/auth/forgot: 202 whatever the address. The mail leads to /cms/login#reset=… */
export type ForgotRequest = { email: string };
/** POST /api/auth/reset: 204 and every session of the account is over; 410 when the link was used or is older than an hour. */
export type ResetRequest = { reset: string; password: string };

/** POST /api/auth/invitation: whom a link /register#invitation=… is for; 410 when it was used, taken back or is over. */
export type InvitationRequest = { invitation: string };
export type InvitationReply = { email: string; role: Role; endsAt: string };

/** GET /api/cms/users, for owners (an editor gets 403 on everything under it). */
export type UsersReply = { users: UserItem[]; invitations: InvitationItem[] };
export type UserItem = ContentUser & { id: string; createdAt: string; lastLoginAt: string | null; isYou: boolean };
export type InvitationItem = {
  id: string;
  email: string;
  role: Role;
  invitedBy: string;
  createdAt: string;
  endsAt: string;
};

/** POST /api/cms/users/invitations: 201 InvitationItem; an earlier one to that address ends. DELETE …/{id} takes it back. */
export type InviteRequest = { email: string; role: Role };
/** POST /api/cms/users/{id}/approve and PUT /api/cms/users/{id}: 200 UserItem. DELETE /api/cms/users/{id}: 200 `{ id }`. */
export type RoleRequest = { role: Role };

/* ---------- posts and pages ---------- */

export type Picture = { url: string; alt: string; width: number; height: number; variants: PictureVariant[] };
export type PictureVariant = { url: string; width: number; height: number };

/** What posts and pages have in common. `content` is HTML that went through the sanitiser. */
export type Article = {
  id: string;
  title: string;
  content: string;
  status: ArticleStatus;
  slug: string;
  createdAt: string;
  updatedAt: string;
  /** When it was first published; null: never yet. */
  publishedAt: string | null;
  /** Counts up with every save; its page carries it as `<meta name="article-version">`. */
  version: number;
};
/** `featuredImage` is the address of `picture`. */
export type Post = Article & { featuredImage: string | null; picture: Picture | null };
export type Page = Article;

export const versionMeta = 'article-version';

/**
 * GET /api/public/posts, /api/public/pages: lists of published ones, newest publication first, `page` and `size` as in
 * lists.ts (100 without). …/{slug}: one, or 404 with 'Post not found' or 'Page not found'; a slug of earlier answers 301.
 */
export type PublicPost = Post;
export type PublicPage = Page;

/**
 * GET /api/cms/posts, /api/cms/pages: a list with the headers of lists.ts. Parameters `page`, `size` (1 to 100, 100 without),
 * `sort` (`-` before it for descending), `q` (words of title or slug), `status`; `view=rows` leaves `content` empty.
 */
export const articleSortFields = ['title', 'status', 'createdAt', 'updatedAt', 'publishedAt'] as const;
export type ArticleSortField = (typeof articleSortFields)[number];
export type PostItem = Post & Edited;
export type PageItem = Page & Edited;

export type Edited = {
  /** Name of whoever saved last; empty when the account is gone. */
  updatedBy: string;
  /** The site's revision since which its public face is as it is now; live when the built site has reached it. */
  revision: number;
};

/** GET /api/cms/posts/{id}, /api/cms/pages/{id}; `draft` is the caller's own unsaved text. The ETag is the version. */
export type PostDetail = PostItem & { draft: Draft | null };
export type PageDetail = PageItem & { draft: Draft | null };

/**
 * POST (201) and PUT (200) of posts: multipart with the fields of SavePost, and optionally a file `featuredImage` with
 * `featuredImageVariants`; of pages: JSON. Answer: PostDetail or PageDetail. `slug` is made from the title when left out; one
 * that is taken answers 409 'That address is already in use.' With If-Match or `version` an older one than the stored answers
 * 409 with ConflictReply, and the text that was sent is kept as the caller's draft. Without either it overwrites what is
 * there; where so many do that at once that it gets no turn, 409 with Retry-After.
 */
export type SavePage = { title: string; content: string; status: ArticleStatus; slug?: string; version?: number };
export type SavePost = SavePage & {
  /** An image of the library. The empty text takes the picture away; left out, it stays. */
  featuredImageId?: string;
  /** Alt text of a file that is sent along. */
  featuredImageAlt?: string;
};
export type ConflictReply<T extends PostItem | PageItem = PostItem | PageItem> = ApiError & { current: T };

/** DELETE of an article, a file or a draft: 200. */
export type DeletedReply = { id: string };

/**
 * The caller's unsaved text of one article: GET, PUT, DELETE /api/cms/{posts|pages}/{id}/draft, `new` for one that has no
 * id yet. Saving the article ends it. It never becomes public by itself.
 */
export type DraftRequest = {
  title: string;
  content: string;
  slug?: string;
  baseVersion?: number;
  featuredImageId?: string | null;
};
export type Draft = {
  title: string;
  content: string;
  slug: string;
  baseVersion: number;
  /** Null: the saved one. The empty text: none any more. */
  featuredImageId: string | null;
  savedAt: string;
};

/**
 * GET …/{id}/revisions: newest first, without content. GET …/{id}/revisions/{version}: one with it.
 * POST …/{id}/revisions/{version}/restore: 200, its title, content and picture as a new version of the article.
 */
export type Revision = {
  version: number;
  title: string;
  status: ArticleStatus;
  slug: string;
  savedAt: string;
  savedBy: string;
};
export type RevisionDetail = Revision & { content: string; picture: Picture | null };

/**
 * POST …/{id}/preview (`new` as above): a link that shows the caller's draft, or else the saved text, for an hour to whoever
 * holds it. GET /api/public/preview/{token} answers what it shows; 404 when it is over.
 */
export type PreviewReply = { url: string; endsAt: string };
export type PreviewedArticle = (({ kind: 'post' } & Post) | ({ kind: 'page' } & Page)) & { endsAt: string };

/* ---------- media ---------- */

/**
 * GET /api/cms/media: a list with the headers of lists.ts, newest first; parameters `page`, `size`, `q` (words of the name or
 * alt text), `type=image`. GET /api/cms/media/{id}: one. PUT /api/cms/media/{id}: AltRequest. DELETE: also where it is used.
 */
export type MediaItem = {
  id: string;
  originalName: string;
  mimeType: string;
  size: number;
  localUrl: string;
  isPublic: boolean;
  alt: string;
  /** Null for a file that is no image. */
  width: number | null;
  height: number | null;
  variants: PictureVariant[];
  createdAt: string;
  uploadedBy: string;
  /** The posts and pages that show it. */
  usedIn: MediaUse[];
};
export type MediaUse = { kind: ArticleKind; id: string; title: string; status: ArticleStatus };
export type AltRequest = { alt: string };

/**
 * POST /api/cms/media/upload: 201 MediaItem. Multipart: `file`; `isPublic`, stored as true whatever it says; `alt`;
 * `variants`, up to three narrower copies of the image made in the browser (PNG, JPEG or WebP).
 */
export const uploadTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const;
export type UploadType = (typeof uploadTypes)[number];
export const variantWidths = [480, 960, 1600] as const;

/* ---------- publishing ---------- */

/**
 * GET /api/cms/publish: how far the public site is behind what was published. POST: build now (Retry). `live` is what the
 * site's own /built.json says, not what a build claimed.
 */
export type PublishState = {
  state: 'live' | 'waiting' | 'building' | 'failed';
  /** Counts up with each change that the public sees. */
  revision: number;
  /** The revision that visitors get now. */
  liveRevision: number;
  /** 0 to 100 while building. */
  progress: number | null;
  /** What is being done, in words; empty when nothing is. */
  step: string;
  /** Why it failed, in words. */
  reason: string;
  since: string;
  /** When a waiting build begins at the latest. */
  startsAt: string | null;
};

/** The file /built.json of the built site; `revision` is what the build read from D1 (site_state) before anything else. */
export type BuiltSite = { revision: number; builtAt: string };

/** What DEPLOY_HOOK_URL is called with, as JSON by POST; a hook that cares for neither builds what it finds. */
export type HookCall = { build: string; revision: number };

/**
 * POST /api/internal/builds/{build} from whoever builds, `Authorization: Bearer <BUILD_SECRET>`; `latest` where no id came
 * along. 204; 401 with another secret, 404 for an unknown build, 409 for one that has ended and
 * for a revision below the one that was asked for.
 */
export type BuildReport =
  | { state: 'building'; progress: number; step: string }
  | { state: 'built'; revision: number }
  | { state: 'failed'; reason: string };
