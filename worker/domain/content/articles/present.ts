import type { Article, Draft, Edited, Picture, Trashed } from '#shared/contracts/content/content';
import type { PageItem, Post, PostItem } from '#shared/contracts/content/content-answers';
import { mediaPath } from '#shared/paths';
import type { FullArticle, PictureRow } from '#worker/data/content/articles/articles';
import type { DraftRow } from '#worker/data/content/articles/save';

/** The address of a trashed article before it was trashed. */
export const formerSlug = (slug: string): string => slug.slice(slug.lastIndexOf('~') + 1);

// The functions below present rows with the field names of the API.

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
  excerpt: row.excerpt,
  status: row.status,
  slug: row.slug,
  createdAt: iso(row.createdAt),
  updatedAt: iso(row.updatedAt),
  publishedAt: isoOrNull(row.publishedAt),
  version: row.version,
});

export const presentPost = (row: FullArticle): Post => ({
  ...presentPage(row),
  featuredImage: row.picture && mediaPath(row.picture.key),
  picture: row.picture && presentPicture(row.picture),
});

const isoOrNull = (at: number | null) => (at === null ? null : iso(at));
const editFields = ({ updatedBy, revision, startsAt, endsAt }: FullArticle): Edited => ({
  updatedBy,
  revision,
  startsAt: isoOrNull(startsAt),
  endsAt: isoOrNull(endsAt),
});

export const presentItem = (row: FullArticle): PostItem | PageItem => ({
  ...(row.kind === 'post' ? presentPost(row) : presentPage(row)),
  ...editFields(row),
});

export const presentTrashed = (row: FullArticle): Trashed => ({
  id: row.id,
  title: row.title,
  slug: formerSlug(row.slug),
  trashedAt: iso(row.trashedAt ?? 0),
});

export const presentDraft = (row: DraftRow): Draft => ({
  title: row.title,
  content: row.content,
  excerpt: row.excerpt,
  slug: row.slug,
  baseVersion: row.baseVersion,
  featuredImageId: row.pictureId,
  savedAt: iso(row.savedAt),
});
