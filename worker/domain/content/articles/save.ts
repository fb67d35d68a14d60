import { cleanHtml } from '#shared/article/clean-html';
import { usableSlug } from '#shared/article/slug';
import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { foldText } from '#shared/text/fold-text';
import {
  type FullArticle,
  findArticle,
  findPicture,
  listSlugsWithPrefix,
} from '#worker/data/content/articles/articles';
import { saveDraft, saveVersion } from '#worker/data/content/articles/save';
import type { Deps } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';
import { articleEvent, type EnteredTimes, mediaIdsIn, planTimes } from './schedule.ts';

export type ArticleText = EnteredTimes & {
  title: string;
  content: string;
  status: ArticleStatus;
  /** If omitted, the current excerpt stays. */
  excerpt?: string | undefined;
  /** If omitted, the current address stays; a new article's is made from the title. */
  slug?: string | undefined;
  /** The version that the edit is based on; if omitted, the save overwrites the current one. */
  version?: number | undefined;
  /** Null removes the picture, undefined keeps it. */
  pictureId?: string | null | undefined;
  /** The earlier version that this text restores. */
  restored?: number | undefined;
};

export type SaveOutcome =
  | { kind: 'saved'; article: FullArticle; isPublic: boolean }
  | { kind: 'not-found' }
  /** The writer's text is saved as their draft. */
  | { kind: 'stale'; current: FullArticle }
  | { kind: 'slug-taken' }
  /** Every try was overtaken by another save. */
  | { kind: 'busy' }
  | { kind: 'no-such-picture' }
  | { kind: 'wrong-time'; field: 'startsAt' | 'endsAt'; message: string }
  | { kind: 'too-long' }
  | { kind: 'too-deep' };

const MAX_TRIES = 10;
/** The number of tries with a numbered address (`title-2`); in later tries, the address ends in the article's id. */
const NUMBERED_TRIES = 4;
export const NEW_ID = 'new';

/** Saves a new version of an article, or a new article (`id` null). */
export async function saveArticle(
  deps: Deps,
  { user }: Member,
  { kind, id }: { kind: ArticleKind; id: string | null },
  text: ArticleText,
): Promise<SaveOutcome> {
  const cleaned = cleanHtml(text.content);
  if (cleaned.kind !== 'clean') return cleaned;
  if (text.pictureId && !(await findPicture(deps.db, text.pictureId))) return { kind: 'no-such-picture' };
  const saveId = deps.newId();
  for (let tries = 1; ; tries++) {
    const current = id === null ? null : await findArticle(deps.db, kind, id);
    if (id !== null && !current) return { kind: 'not-found' };
    if (current && text.version !== undefined && text.version !== current.version) {
      await keepAsDraft(deps, user.id, current, { ...text, content: cleaned.html });
      return { kind: 'stale', current };
    }
    const articleId = current?.id ?? deps.newId();
    const requestedSlug = text.slug === undefined ? '' : usableSlug(text.slug, kind);
    const isRequested = requestedSlug !== '';
    const slug =
      requestedSlug || current?.slug || (await freeSlug(deps, kind, articleId, text.title, tries <= NUMBERED_TRIES));
    const isPublic = text.status === 'PUBLISHED' || current?.status === 'PUBLISHED';
    const plan = planTimes(text, text.status, current, deps.now());
    if (plan.kind === 'wrong-time') return plan;
    const { schedule } = plan;
    const { status, restored } = text;
    const isAudited =
      isPublic || schedule.startsAt !== (current?.startsAt ?? null) || schedule.endsAt !== (current?.endsAt ?? null);
    const result = await saveVersion(deps.db, {
      id: articleId,
      kind,
      slug,
      title: text.title,
      status: text.status,
      schedule,
      pictureId: text.pictureId === undefined ? (current?.pictureId ?? null) : text.pictureId,
      content: cleaned.html,
      excerpt: text.excerpt ?? current?.excerpt ?? '',
      search: foldText(`${text.title} ${slug}`),
      files: mediaIdsIn(cleaned.html),
      saveId,
      author: user,
      now: deps.now(),
      baseVersion: current?.version ?? 0,
      isPublic,
      formerSlug: current && current.slug !== slug && current.publishedAt !== null ? current.slug : null,
      draftArticleId: current?.id ?? NEW_ID,
      event: isAudited ? articleEvent(deps, articleId, { kind, slug, status, schedule, restored }, current) : null,
    });
    if (result === 'slug-taken' && isRequested) return { kind: 'slug-taken' };
    if (result !== 'saved') {
      if (tries === MAX_TRIES) return { kind: 'busy' };
      // A random pause, so that simultaneous saves do not collide again.
      await deps.pause(tries * Number.parseInt(saveId.slice(tries, tries + 2), 16));
      continue;
    }
    const article = await findArticle(deps.db, kind, articleId);
    if (!article) return { kind: 'not-found' };
    deps.log.info('article-saved', { kind, articleId, version: article.version, isPublic });
    return { kind: 'saved', article, isPublic };
  }
}

/** Returns an unused address made from the title. */
async function freeSlug(
  deps: Deps,
  kind: ArticleKind,
  articleId: string,
  title: string,
  isNumbered: boolean,
): Promise<string> {
  const suffix = articleId.slice(0, 8);
  const base = usableSlug(title, kind) || `${kind}-${suffix}`;
  if (!isNumbered) return `${base}-${suffix}`;
  const taken = await listSlugsWithPrefix(deps.db, kind, base);
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number++;
  return `${base}-${number}`;
}

const keepAsDraft = (deps: Deps, userId: string, current: FullArticle, text: ArticleText) =>
  saveDraft(deps.db, {
    userId,
    kind: current.kind,
    articleId: current.id,
    title: text.title,
    slug: text.slug ?? current.slug,
    baseVersion: text.version ?? 0,
    savedAt: deps.now(),
    content: text.content,
    excerpt: text.excerpt ?? current.excerpt,
    pictureId: text.pictureId === null ? '' : (text.pictureId ?? null),
  });

/** The words of a search, normalized as in the `search` columns; ten at most. */
export const searchWords = (q: string): string[] => foldText(q).split(/\s+/).filter(Boolean).slice(0, 10);
