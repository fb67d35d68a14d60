/** The address that a trashed article had. */
export const formerSlug = (slug: string): string => slug.slice(slug.lastIndexOf('~') + 1);
