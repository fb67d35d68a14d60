import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { eventStatement, eventStatements, type NewEvent, type TextEvent } from '#worker/data/audit/events';
import type { Db } from '#worker/data/db';
import { IN_TRASH, NOT_IN_TRASH } from './articles.ts';

const FOUND = `kind = ?1 AND id = ?2 AND ${NOT_IN_TRASH('slug')}`;

/**
 * Move an article into the trash: a draft without an address or times, which leaves the public site with the next build.
 * Answers the status that it had; undefined: there is none.
 */
export async function trashArticle({ $client }: Db, kind: ArticleKind, id: string, now: number, event: NewEvent) {
  const prepare = (sql: string, ...more: unknown[]) => $client.prepare(sql).bind(kind, id, ...more);
  const [before] = await $client.batch<{ status: ArticleStatus }>([
    prepare(`SELECT status FROM articles WHERE ${FOUND}`),
    eventStatements(
      $client,
      event,
      `SELECT id AS subject_id, json_object('slug', slug, 'status', status, 'version', version) AS before, '' AS after
FROM articles WHERE kind = ?11 AND id = ?12 AND ${NOT_IN_TRASH('slug')}`,
      [kind, id],
    ),
    prepare(
      `UPDATE site_state SET revision = revision + 1, changed_at = ?3
WHERE EXISTS (SELECT 1 FROM articles WHERE ${FOUND} AND status = 'PUBLISHED')`,
      now,
    ),
    prepare('DELETE FROM article_drafts WHERE kind = ?1 AND article_id = ?2'),
    prepare(`DELETE FROM article_schedules WHERE article_id = (SELECT id FROM articles WHERE ${FOUND})`),
    prepare(
      `UPDATE articles SET slug = '~' || id || '~' || slug, status = 'DRAFT', trashed_at = ?3 WHERE ${FOUND}`,
      now,
    ),
  ]);
  return before?.results[0];
}

/** Take an article out of the trash, as a draft at this address. `slug-taken`: another one has it by now. */
export async function untrashArticle(
  { $client }: Db,
  { kind, id, slug, search }: { kind: ArticleKind; id: string; slug: string; search: string },
  event: TextEvent,
): Promise<'restored' | 'not-found' | 'slug-taken'> {
  try {
    const [restored] = await $client.batch([
      $client
        .prepare(
          `UPDATE articles SET slug = ?3, search = ?4, trashed_at = NULL
WHERE kind = ?1 AND id = ?2 AND ${IN_TRASH('slug')} RETURNING id`,
        )
        .bind(kind, id, slug, search),
      eventStatement($client, event),
    ]);
    return restored?.results.length ? 'restored' : 'not-found';
  } catch (cause) {
    if (/UNIQUE constraint failed: articles\.kind, articles\.slug/.test(String(cause))) return 'slug-taken';
    throw cause;
  }
}
