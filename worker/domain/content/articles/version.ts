import type { FullArticle } from '#worker/data/content/articles/articles';
import type { Schedule } from '#worker/data/content/articles/save';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** What every new version of an article brings along, a writer's or the clock's. */

type After = Pick<FullArticle, 'kind' | 'slug' | 'status'> & { schedule: Schedule };

/** The event of a change that visitors see, or will by the clock. */
export function articleEvent(deps: Deps, id: string, after: After, current: FullArticle | null) {
  const wasPublic = current?.status === 'PUBLISHED';
  const isPublic = after.status === 'PUBLISHED';
  const seen = isPublic ? (wasPublic ? 'article.edited' : 'article.published') : 'article.unpublished';
  const version = current?.version ?? 0;
  return auditEvent(deps, {
    accountId: INSTALLATION,
    action: isPublic || wasPublic ? seen : 'article.scheduled',
    subject: [after.kind, id],
    ...(current && { before: { slug: current.slug, status: current.status, version, ...timesIn(current) } }),
    after: { slug: after.slug, status: after.status, version: version + 1, ...timesIn(after.schedule) },
  });
}

const timesIn = ({ startsAt, endsAt }: Schedule) => ({
  ...(startsAt !== null && { startsAt: new Date(startsAt).toISOString() }),
  ...(endsAt !== null && { endsAt: new Date(endsAt).toISOString() }),
});

/** Ids of the files that a text shows. */
export const filesIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/\/media\/([0-9a-f]{32})/g), ([, id = '']) => id)),
];
