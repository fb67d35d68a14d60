import { useEffect, useState } from 'react';
import type { ArticleKind } from '../../../../shared/contracts/content.ts';
import { versionMeta } from '../../../../shared/contracts/content-values.ts';
import { articlePath } from '../../../../shared/paths.ts';
import { usePoll } from '../../ui/api/use-poll.ts';
import { usePublish } from '../use-publish.ts';
import type { Detail } from './parse-response.ts';

/** What a visitor gets at an article's address now. */
export type LivePage = { kind: 'unknown' } | { kind: 'missing' } | { kind: 'shown'; version: number };

const WATCH_MS = 1500;
// Read as text: a browser that reads a page applies its styles to this one's content policy.
const VERSION = new RegExp(`<meta name="${versionMeta}" content="(\\d+)"`);

async function readLivePage(path: string): Promise<LivePage> {
  try {
    const response = await fetch(path, { cache: 'no-store', credentials: 'omit' });
    if (!response.ok) return { kind: 'missing' };
    const version = VERSION.exec(await response.text())?.[1];
    return version === undefined ? { kind: 'missing' } : { kind: 'shown', version: Number(version) };
  } catch {
    return { kind: 'unknown' };
  }
}

/** Whether the site's own page shows what is saved, or is gone with its status; watched until it is so. */
export function useLivePage(kind: ArticleKind, saved: Detail | null) {
  const wasPublic = saved?.publishedAt != null;
  const { state: publish, ask, buildNow } = usePublish(wasPublic);
  const [live, setLive] = useState<LivePage>({ kind: 'unknown' });
  const isPublic = saved?.status === 'PUBLISHED';
  const path = saved && wasPublic ? articlePath(kind, saved.slug) : null;
  const version = saved?.version;
  const isDone = isPublic ? live.kind === 'shown' && live.version === version : live.kind === 'missing';
  const look = async () => {
    if (!path) return true;
    setLive(await readLivePage(path));
    return true;
  };
  // What was seen before says nothing about what is asked now: is it there, or is it gone?
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status alone makes it another question
  useEffect(() => setLive({ kind: 'unknown' }), [isPublic]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is looked for anew
  useEffect(() => {
    void look();
    if (wasPublic) void ask();
  }, [path, version]);
  usePoll(look, path && !isDone ? WATCH_MS : null);
  return { live, publish, retry: buildNow };
}
