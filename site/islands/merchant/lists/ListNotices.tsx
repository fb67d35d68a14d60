import { useEffect } from 'react';
import { fetchAhead, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { Lazy } from '../parts/Lazy.tsx';
import type { List } from './use-list.ts';

const listNotice = lazyScreen(() => import('./ListNotice.tsx').then((code) => code.ListNotice));

/** What is to say above a list, if there is anything: most looks at a list meet nothing, so its words come later. */
export function ListNotices({ noun, list }: { noun: string; list: List<unknown> }) {
  useEffect(() => fetchAhead(listNotice), []);
  const { failure, info } = list;
  return failure || info?.isStale || info?.copying ? <Lazy of={listNotice} props={{ noun, list }} /> : null;
}
