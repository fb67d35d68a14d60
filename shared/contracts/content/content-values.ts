/** Values of the content area for pages that load no validator. */

/** Rights of a member of the content area, in the order in which screens offer them; the `who` of each route has what they may do. */
export const roles = ['editor', 'owner'] as const;
export type Role = (typeof roles)[number];
/** For screens, and for the sentence that invites someone as one. */
export const roleNames: Record<Role, { name: string; as: string }> = {
  editor: { name: 'Editor', as: 'an editor' },
  owner: { name: 'Owner', as: 'an owner' },
};

export const articleKinds = ['post', 'page'] as const;
export const articleStatuses = ['DRAFT', 'PUBLISHED'] as const;
export const articleSortFields = ['title', 'status', 'createdAt', 'updatedAt', 'publishedAt'] as const;

/** The name of the `<meta>` in which an article's page carries its version. */
export const versionMeta = 'article-version';

export const uploadTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'application/pdf'] as const;
/** Widths in pixels of an image's narrower copies. */
export const variantWidths = [480, 960, 1600] as const;
