import { useEffect, useState } from 'react';
import { versionOf } from '#shared/article/article-version';
import type { ArticleKind } from '#shared/contracts/content/content';
import { articlePath } from '#shared/paths';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import type { ArticleDetail } from '../api.ts';
import { usePublish } from '../use-publish.ts';

/** The article's page as visitors currently see it. */
export type LivePage = { kind: 'unknown' } | { kind: 'missing' } | { kind: 'shown'; version: number };

const PENDING_MS = 1500;
/** The interval (ms) once the page shows the saved version, which may change again. */
const DONE_MS = 20_000;

async function readLivePage(path: string): Promise<LivePage> {
  try {
    const response = await fetch(path, { cache: 'no-store', credentials: 'omit' });
    if (!response.ok) return { kind: 'missing' };
    const version = versionOf(await response.text());
    return version === undefined ? { kind: 'missing' } : { kind: 'shown', version };
  } catch {
    return { kind: 'unknown' };
  }
}

/** Polls the public page: often until it shows the saved version (or is gone, if not public), then less often. */
export function useLivePage(kind: ArticleKind, saved: ArticleDetail | null) {
  const wasPublic = saved?.publishedAt != null;
  const { state: publish, buildNow } = usePublish(wasPublic, saved?.revision);
  const [live, setLive] = useState<LivePage>({ kind: 'unknown' });
  const isPublic = saved?.status === 'PUBLISHED';
  const path = saved && wasPublic ? articlePath(kind, saved.slug) : null;
  const version = saved?.version;
  const isDone = isPublic ? live.kind === 'shown' && live.version === version : live.kind === 'missing';
  const check = async () => {
    if (!path) return true;
    setLive(await readLivePage(path));
    return true;
  };
  // After publishing or unpublishing, the last result no longer applies.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the status invalidates the result
  useEffect(() => setLive({ kind: 'unknown' }), [isPublic]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is checked anew
  useEffect(() => {
    void check();
  }, [path, version]);
  usePoll(check, path ? (isDone ? DONE_MS : PENDING_MS) : null);
  return { live, publish, retry: buildNow };
}
