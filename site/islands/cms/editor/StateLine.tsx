import { describeSaveStatus, describeSite } from './article-state.ts';
import type { OpenArticle } from './use-article.ts';
import type { useLivePage } from './use-live-page.ts';

type Props = { article: OpenArticle; site: ReturnType<typeof useLivePage> };

/** One line for the whole state of an article: what is saved, what is live and what is scheduled. */
export function StateLine({ article: { saved, isDirty, draftState }, site: { live, publish } }: Props) {
  const { text, isAtRisk, isFrequent } = describeSaveStatus(saved, isDirty, draftState);
  return (
    <p className={isAtRisk ? 'editor-state editor-state-bad' : 'editor-state'}>
      <span role={isFrequent ? undefined : 'status'}>{text}</span>{' '}
      <span role="status">{describeSite({ saved, live, publish }, isDirty)}</span>
    </p>
  );
}
