import * as z from 'zod/mini';
import type { ApiError } from '../error.ts';
import { Article, Draft, Edited, MediaItem, Picture, Revision } from './content.ts';

/** `featuredImage` is the address of `picture`. */
export const Post = z.extend(Article, { featuredImage: z.nullable(z.string()), picture: z.nullable(Picture) });
export type Post = z.infer<typeof Post>;
export type Page = Article;

/**
 * GET /api/public/posts, /api/public/pages: lists of published ones, newest publication first, `page` and `size` as in
 * lists.ts (default size 100). …/{slug}: one, or 404 with 'Post not found' or 'Page not found'; a former slug gets 301.
 */
export type PublicPost = Post;
export type PublicPage = Page;

export const PostItem = z.extend(Post, Edited.shape);
export type PostItem = z.infer<typeof PostItem>;
export const PageItem = z.extend(Article, Edited.shape);
export type PageItem = z.infer<typeof PageItem>;

/** GET /api/cms/posts/{id}, /api/cms/pages/{id}; `draft` is the caller's own unsaved text. The ETag is the version. */
export const PostDetail = z.extend(PostItem, { draft: z.nullable(Draft) });
export type PostDetail = z.infer<typeof PostDetail>;
export const PageDetail = z.extend(PageItem, { draft: z.nullable(Draft) });
export type PageDetail = z.infer<typeof PageDetail>;

/**
 * POST (201) and PUT (200) of an article, body ArticleBody, answer PostDetail or PageDetail. 409 'That address is already in
 * use.' where `slug` is taken. With If-Match or `version` an older one than the stored answers 409 with ConflictReply, and the
 * text that was sent is kept as the caller's draft. Without either it overwrites what is there; where so many do that at once
 * that it gets no turn, 409 with Retry-After.
 */
export const Conflict = z.object({ current: z.union([PostItem, PageItem]) });
export type ConflictReply = ApiError & z.infer<typeof Conflict>;

/** DELETE of an article, a file or a draft: 200. */
export const DeletedReply = z.object({ id: z.string() });
export type DeletedReply = z.infer<typeof DeletedReply>;

export const RevisionDetail = z.extend(Revision, {
  content: z.string(),
  excerpt: z.string(),
  picture: z.nullable(Picture),
});
export type RevisionDetail = z.infer<typeof RevisionDetail>;

export const PreviewedArticle = z.discriminatedUnion('kind', [
  z.extend(Post, { kind: z.literal('post'), endsAt: z.string() }),
  z.extend(Article, { kind: z.literal('page'), endsAt: z.string() }),
]);
export type PreviewedArticle = z.infer<typeof PreviewedArticle>;

/**
 * POST /api/cms/media/upload: 201 MediaItem. Multipart: `file`; `isPublic`, always stored as true; `alt`; `variants`,
 * up to three narrower copies of the image made in the browser (PNG, JPEG or WebP). 409 SameFileReply: the library has a
 * file with these bytes, and nothing was stored.
 */
export const SameFile = z.object({ same: MediaItem });
export type SameFileReply = ApiError & z.infer<typeof SameFile>;
