import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import type { ArticleBody } from '#shared/contracts/content/content-request';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import type { Featured } from './load-article.ts';
import type { Times } from './panels/ScheduleFields.tsx';
import type { DraftText } from './use-draft.ts';

export const AS_SAVED: Featured = { kind: 'as-saved' };
/** As drafts and forms name it: null keeps the saved picture, '' removes it. */
export const idOf = (featured: Featured): string | null =>
  featured.kind === 'chosen' ? featured.picture.id : featured.kind === 'removed' ? '' : null;

type Sent = Omit<DraftText, 'baseVersion'> & Times & { status: ArticleStatus; version: number | undefined };

/** A page is sent as JSON, a post as a form. Without a slug, the server makes one from the title. */
export function bodyOf(kind: ArticleKind, sent: Sent): RequestInit {
  const { title, content, excerpt, slug, status, version, featuredImageId } = sent;
  const times = { startsAt: sent.startsAt ?? '', endsAt: sent.endsAt ?? '' };
  const fields = {
    ...{ title, content, excerpt, status, ...times },
    ...(slug ? { slug } : {}),
    ...(version === undefined ? {} : { version }),
  };
  if (kind === 'page') return sendJson<ArticleBody>('POST', fields);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value));
  if (featuredImageId !== null) form.set('featuredImageId', featuredImageId);
  return { body: form };
}
