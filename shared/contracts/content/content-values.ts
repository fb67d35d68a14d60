/** Values of the content area for pages that load no validator. */

/** Roles in the content area, in display order. Each route declares which of them may call it. */
export const roles = ['editor', 'owner'] as const;
export type Role = (typeof roles)[number];
/** Display names; `withArticle` is for the sentence of an invitation. */
export const roleNames: Record<Role, { name: string; withArticle: string }> = {
  editor: { name: 'Editor', withArticle: 'an editor' },
  owner: { name: 'Owner', withArticle: 'an owner' },
};

export const articleKinds = ['post', 'page'] as const;
export const articleStatuses = ['DRAFT', 'PUBLISHED'] as const;
/** Status filters of a list. A scheduled article is a draft that will be published automatically. */
export const articleListStatuses = ['DRAFT', 'SCHEDULED', 'PUBLISHED'] as const;
export const articleSortFields = ['title', 'status', 'createdAt', 'updatedAt', 'publishedAt'] as const;

/** The name of the `<meta>` with the version of an article page. */
export const versionMeta = 'article-version';

export const uploadTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const;
/** Widths in pixels of an image's narrower copies. */
export const variantWidths = [480, 960, 1600] as const;
