import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { deleteArticle } from '#worker/data/content/articles/articles';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** Delete an article for good; answers the status that it had. Undefined: there is none. */
export async function removeArticle(
  deps: Deps,
  kind: ArticleKind,
  id: string,
): Promise<{ status: ArticleStatus } | undefined> {
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'article.deleted', subject: [kind, id] });
  const gone = await deleteArticle(deps.db, kind, id, deps.now(), event);
  if (gone) deps.log.info('article-deleted', { kind, articleId: id, userId: deps.actor.id });
  return gone;
}
