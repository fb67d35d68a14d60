import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { foldText } from '#shared/text/fold-text';
import {
  type FullArticle,
  findArticle,
  findTrashedArticle,
  trashArticle,
  untrashArticle,
} from '#worker/data/content/articles/articles';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { formerSlug } from './present.ts';

/** Moves an article to the trash, where it stays for 30 days. Returns its former status; undefined if there is none. */
export async function removeArticle(
  deps: Deps,
  kind: ArticleKind,
  id: string,
): Promise<{ status: ArticleStatus } | undefined> {
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'article.deleted', subject: [kind, id] });
  const removedArticle = await trashArticle(deps.db, kind, id, deps.now(), event);
  if (removedArticle) deps.log.info('article-deleted', { kind, articleId: id, userId: deps.actor.id });
  return removedArticle;
}

/** Restores an article as a draft, at its own address if that is still free. Null if it is not in the trash. */
export async function restoreArticle(deps: Deps, kind: ArticleKind, id: string): Promise<FullArticle | null> {
  const trashed = await findTrashedArticle(deps.db, kind, id);
  if (!trashed) return null;
  const original = formerSlug(trashed.slug);
  for (const slug of [original, `${original}-${id.slice(0, 8)}`]) {
    const event = auditEvent(deps, {
      accountId: INSTALLATION,
      action: 'article.restored',
      subject: [kind, id],
      after: { slug, status: 'DRAFT', version: trashed.version },
    });
    const search = foldText(`${trashed.title} ${slug}`);
    if ((await untrashArticle(deps.db, { kind, id, slug, search }, event)) === 'restored') break;
  }
  deps.log.info('article-restored', { kind, articleId: id, userId: deps.actor.id });
  return findArticle(deps.db, kind, id);
}
