import type { Article, Draft, Edited, PageItem, Picture, Post, PostItem } from '#shared/contracts/content/content';
import { mediaPath } from '#shared/paths';
import type { FullArticle, PictureRow } from '#worker/data/content/articles/articles';
import type { DraftRow } from '#worker/data/content/articles/drafts';

/** Rows in the API's field names. */

export const iso = (at: number): string => new Date(at).toISOString();

export const presentPicture = ({ key, alt, width, height, variants }: PictureRow): Picture => ({
  url: mediaPath(key),
  alt,
  width,
  height,
  variants: variants.map((variant) => ({ url: mediaPath(variant.key), width: variant.width, height: variant.height })),
});

export const presentPage = (row: FullArticle): Article => ({
  id: row.id,
  title: row.title,
  content: row.content,
  status: row.status,
  slug: row.slug,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  publishedAt: row.publishedAt === null ? null : iso(row.publishedAt),
  version: row.version,
});

export const presentPost = (row: FullArticle): Post => ({
  ...presentPage(row),
  featuredImage: row.picture && mediaPath(row.picture.key),
  picture: row.picture && presentPicture(row.picture),
});

const edited = ({ updatedBy, revision }: FullArticle): Edited => ({ updatedBy, revision });

export const presentItem = (row: FullArticle): PostItem | PageItem => ({
  ...(row.kind === 'post' ? presentPost(row) : presentPage(row)),
  ...edited(row),
});

export const presentDraft = (row: DraftRow): Draft => ({
  title: row.title,
  content: row.content,
  slug: row.slug,
  baseVersion: row.baseVersion,
  featuredImageId: row.pictureId,
  savedAt: iso(row.savedAt),
});
