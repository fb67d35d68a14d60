import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { contentLimits } from '#shared/limits';
import { formatBytes } from '#shared/text/format-bytes';

/** Texts of this area. The server's message follows an error text. */
type Texts = {
  singular: string;
  plural: string;
  fetchOne: string;
  fetchMany: string;
  save: string;
  remove: string;
  emptyText: string;
  deleteQuestion: string;
};

export const texts: Record<ArticleKind, Texts> = {
  post: {
    singular: 'post',
    plural: 'posts',
    fetchOne: 'Failed to fetch post',
    fetchMany: 'Failed to fetch posts',
    save: 'Failed to save post',
    remove: 'Failed to delete post',
    emptyText: 'No posts found',
    deleteQuestion: 'Are you sure you want to delete this post?',
  },
  page: {
    singular: 'page',
    plural: 'pages',
    fetchOne: 'Failed to fetch page',
    fetchMany: 'Failed to fetch pages',
    save: 'Failed to save page',
    remove: 'Failed to delete page',
    emptyText: 'No pages found',
    deleteQuestion: 'Are you sure you want to delete this page?',
  },
};

export const mediaTexts = {
  fetchMany: 'Failed to fetch media files',
  upload: 'Failed to upload file',
  /** The size limit of a file. */
  sizeLimit: `up to ${formatBytes(contentLimits.upload)}`,
  remove: 'Failed to delete file',
  emptyText: 'No files found',
  deleteQuestion: 'Are you sure you want to delete this file?',
} as const;

/** The label of the save button. `saved`: the saved status, null before the first save. */
export function saveLabel(saved: ArticleStatus | null, chosen: ArticleStatus, isScheduled: boolean): string {
  if (chosen === 'PUBLISHED') return saved === 'PUBLISHED' ? 'Update' : 'Publish';
  if (saved === 'PUBLISHED') return 'Unpublish';
  return isScheduled ? 'Schedule' : 'Save draft';
}
