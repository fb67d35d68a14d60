import * as z from 'zod/mini';
import type { ApiError } from '../error.ts';
import { Article, Draft, Edited, MediaItem, Picture, Revision } from './content.ts';

/** `featuredImage` is the URL of `picture`. */
export const Post = z.extend(Article, { featuredImage: z.nullable(z.string()), picture: z.nullable(Picture) });
export type Post = z.infer<typeof Post>;
export type Page = Article;

/**
 * GET /api/public/posts, /api/public/pages: published articles, newest first, with `page` and `size` as in
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
 * POST (201) and PUT (200) of an article, body ArticleBody, response PostDetail or PageDetail. 409 'That address is
 * already in use.' if `slug` is taken. If If-Match or `version` is older than the stored version: 409 with
 * ConflictReply, and the text is kept as the caller's draft. Without either, the stored text is overwritten, or 409
 * with Retry-After if too many saves compete.
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
 * up to three narrower copies of the image made in the browser (PNG, JPEG or WebP). 409 SameFileReply: the library
 * already has a file with these bytes, and nothing was stored.
 */
export const SameFile = z.object({ same: MediaItem });
export type SameFileReply = ApiError & z.infer<typeof SameFile>;
