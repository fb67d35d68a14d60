import type { ArticleStatus } from '#shared/contracts/content/content';
import { type FullArticle, findArticleById } from '#worker/data/content/articles/articles';
import { type Schedule, saveVersion } from '#worker/data/content/articles/save';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** The fields that every new version of an article sets, whether a writer or the schedule makes it. */
type VersionFields = Pick<FullArticle, 'kind' | 'slug' | 'status'> & {
  schedule: Schedule;
  /** The earlier version that this one restores. */
  restored?: number | undefined;
};

/** Creates the audit event for a change that visitors see now or at a scheduled time. */
export function articleEvent(deps: Deps, id: string, fields: VersionFields, current: FullArticle | null) {
  const wasPublic = current?.status === 'PUBLISHED';
  const isPublic = fields.status === 'PUBLISHED';
  const visibleAction = isPublic ? (wasPublic ? 'article.edited' : 'article.published') : 'article.unpublished';
  const version = current?.version ?? 0;
  return auditEvent(deps, {
    accountId: INSTALLATION,
    action: isPublic || wasPublic ? visibleAction : 'article.scheduled',
    subject: [fields.kind, id],
    ...(current && { before: { slug: current.slug, status: current.status, version, ...isoTimesOf(current) } }),
    after: {
      slug: fields.slug,
      status: fields.status,
      version: version + 1,
      restored: fields.restored,
      // A removed time is null in the event.
      ...(current?.startsAt != null && { startsAt: null }),
      ...(current?.endsAt != null && { endsAt: null }),
      ...isoTimesOf(fields.schedule),
    },
  });
}

const isoTimesOf = ({ startsAt, endsAt }: Schedule) => ({
  ...(startsAt !== null && { startsAt: new Date(startsAt).toISOString() }),
  ...(endsAt !== null && { endsAt: new Date(endsAt).toISOString() }),
});

/** Ids of the media files in a text. */
export const mediaIdsIn = (html: string): string[] => [
  ...new Set(Array.from(html.matchAll(/\/media\/([0-9a-f]{32})/g), ([, id = '']) => id)),
];

/** Times entered by a writer: null means no time, undefined keeps the current one. */
export type EnteredTimes = { startsAt?: number | null | undefined; endsAt?: number | null | undefined };

type PlanOutcome =
  | { kind: 'planned'; schedule: Schedule }
  | { kind: 'wrong-time'; field: keyof Schedule; message: string };

/**
 * Plans the times after a save. Only a draft has a start, and only an article that is or becomes public has an end. A
 * new time must be in the future; an unchanged one may have passed, since the schedule may be late.
 */
export function planTimes(
  times: EnteredTimes,
  status: ArticleStatus,
  current: FullArticle | null,
  now: number,
): PlanOutcome {
  const previous: Schedule = { startsAt: current?.startsAt ?? null, endsAt: current?.endsAt ?? null };
  const startsAt = status === 'DRAFT' ? timeAfterSave(times.startsAt, previous.startsAt) : null;
  const isUnpublished = status === 'DRAFT' && current?.status === 'PUBLISHED';
  const isToBePublic = status === 'PUBLISHED' || startsAt !== null;
  const endsAt = isToBePublic ? timeAfterSave(times.endsAt, isUnpublished ? null : previous.endsAt) : null;
  const isPast = (time: number | null, previousTime: number | null) =>
    time !== null && time !== previousTime && time <= now;
  const wrongTime = (field: keyof Schedule, message: string): PlanOutcome => ({ kind: 'wrong-time', field, message });
  if (isPast(startsAt, previous.startsAt)) return wrongTime('startsAt', 'Please choose a start that is still to come.');
  if (isPast(endsAt, previous.endsAt)) return wrongTime('endsAt', 'Please choose an end that is still to come.');
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt) {
    return wrongTime('endsAt', 'Please choose an end that is after the start.');
  }
  return { kind: 'planned', schedule: { startsAt, endsAt } };
}

const timeAfterSave = (time: number | null | undefined, previous: number | null) =>
  time === undefined ? previous : time;

const SCHEDULER = { id: '', name: 'Schedule' };

/**
 * Publishes an article whose start is due and unpublishes one whose end is due. If the schedule was down, both may be
 * due. Each change is saved as a new version. If a concurrent save wins, the next run checks again.
 */
export async function applySchedule(deps: Deps, articleId: string): Promise<void> {
  for (;;) {
    const article = await findArticleById(deps.db, articleId);
    const now = deps.now();
    const next = article && dueChangeOf(article, now);
    if (!article || !next) return;
    const event = articleEvent(deps, article.id, { ...article, ...next }, article);
    const isSaved = await saveVersion(deps.db, {
      ...article,
      ...next,
      files: mediaIdsIn(article.content),
      saveId: deps.newId(),
      author: SCHEDULER,
      now,
      baseVersion: article.version,
      isPublic: true,
      formerSlug: null,
      draftArticleId: article.id,
      event,
    });
    if (isSaved !== 'saved') return;
    deps.log.info('article-schedule-carried-out', { kind: article.kind, articleId, status: next.status });
  }
}

function dueChangeOf(
  { startsAt, endsAt }: FullArticle,
  now: number,
): { status: ArticleStatus; schedule: Schedule } | null {
  if (startsAt !== null) return startsAt <= now ? { status: 'PUBLISHED', schedule: { startsAt: null, endsAt } } : null;
  return endsAt !== null && endsAt <= now ? { status: 'DRAFT', schedule: { startsAt: null, endsAt: null } } : null;
}
