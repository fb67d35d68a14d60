import type { ArticleStatus } from '../../../../shared/contracts/content/content.ts';

/** What saving does, as its button says it. `was`: the saved status, null before the first save. */
export function saveWord(was: ArticleStatus | null, next: ArticleStatus): string {
  if (next === 'PUBLISHED') return was === 'PUBLISHED' ? 'Update' : 'Publish';
  return was === 'PUBLISHED' ? 'Unpublish' : 'Save draft';
}
