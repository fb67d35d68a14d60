import { useEffect, useState } from 'react';
import type { AuditView } from '#shared/contracts/audit';
import { setSearch, useSearch } from '../routing/router.tsx';
import { readTrailAddress, type TrailCalls, type TrailQuery, writeTrailAddress } from './trail.ts';

export type TrailView = {
  query: TrailQuery;
  /** The last answer; it stays while another one is read. */
  view: AuditView | null;
  isReading: boolean;
  failure: { message: string; isForbidden: boolean } | null;
  show(query: TrailQuery): void;
  reload(): void;
};

/** A trail as the address asks for it; the answer of an outdated request is dropped. */
export function useTrail(calls: TrailCalls): TrailView {
  const search = useSearch();
  const [reloads, setReloads] = useState(0);
  const [view, setView] = useState<AuditView | null>(null);
  const [failure, setFailure] = useState<TrailView['failure']>(null);
  const [isReading, setReading] = useState(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn asks again
  useEffect(() => {
    let isOvertaken = false;
    setReading(true);
    void calls.fetchTrail(readTrailAddress(search)).then((answer) => {
      if (isOvertaken) return;
      setReading(false);
      setFailure(answer.ok ? null : { message: answer.error.message, isForbidden: answer.error.status === 403 });
      if (answer.ok) setView(answer.value);
    });
    return () => {
      isOvertaken = true;
    };
  }, [calls, search, reloads]);
  return {
    query: readTrailAddress(search),
    view,
    isReading,
    failure,
    show: (query) => setSearch(writeTrailAddress(query)),
    reload: () => setReloads((before) => before + 1),
  };
}
