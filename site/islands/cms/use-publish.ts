import { useCallback, useEffect, useState } from 'react';
import type { PublishState } from '#shared/contracts/content/content';
import { usePoll } from '../ui/api/use-poll.ts';
import { call, readPublish } from './api.ts';

const ACTIVE_MS = 1500;
const IDLE_MS = 20_000;

/** The state of publishing; null until the first reply. `revision`: the article's revision to follow. */
export function usePublish(isEnabled = true, revision?: number) {
  const [state, setState] = useState<PublishState | null>(null);
  const refresh = useCallback(async () => {
    const answer = await call(`/api/cms/publish${revision ? `?revision=${revision}` : ''}`, readPublish);
    if (answer.ok) setState(answer.value);
    return answer.ok;
  }, [revision]);
  useEffect(() => {
    if (isEnabled) void refresh();
  }, [refresh, isEnabled]);
  const isActive = state?.state === 'building' || state?.state === 'waiting';
  usePoll(refresh, isEnabled ? (isActive ? ACTIVE_MS : IDLE_MS) : null);

  const buildNow = useCallback(async () => {
    const answer = await call('/api/cms/publish', readPublish, { method: 'POST' });
    if (answer.ok) setState(answer.value);
    return answer;
  }, []);
  return { state, refresh, buildNow };
}
