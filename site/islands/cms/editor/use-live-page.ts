import { useEffect, useState } from 'react';
import { type ArticleKind, versionMeta } from '../../../../shared/contracts/content.ts';
import { articlePath } from '../../../../shared/paths.ts';
import { usePoll } from '../../ui/use-poll.ts';
import type { Detail } from '../answers.ts';
import { usePublish } from '../use-publish.ts';

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

/** Whether the version that is saved is the one on the site, by the site's own page; watched until it is. */
export function useLivePage(kind: ArticleKind, saved: Detail | null) {
  const wasPublic = saved?.publishedAt != null;
  const { state: publish, ask, buildNow } = usePublish(wasPublic);
  const [live, setLive] = useState<LivePage>({ kind: 'unknown' });
  const path = saved && saved.status === 'PUBLISHED' ? articlePath(kind, saved.slug) : null;
  const version = saved?.version;
  const isThere = live.kind === 'shown' && live.version === version;
  const look = async () => {
    if (!path) return true;
    setLive(await readLivePage(path));
    return true;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each version is looked for anew
  useEffect(() => {
    void look();
    if (wasPublic) void ask();
  }, [path, version]);
  usePoll(look, path && !isThere ? WATCH_MS : null);
  return { live, publish, retry: buildNow };
}
