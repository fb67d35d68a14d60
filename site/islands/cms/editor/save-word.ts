import type { ArticleStatus } from '#shared/contracts/content/content';

/** What saving does, as its button says it. `was`: the saved status, null before the first save. */
export function saveWord(was: ArticleStatus | null, next: ArticleStatus, isPlanned: boolean): string {
  if (next === 'PUBLISHED') return was === 'PUBLISHED' ? 'Update' : 'Publish';
  if (was === 'PUBLISHED') return 'Unpublish';
  return isPlanned ? 'Schedule' : 'Save draft';
}
