import { useCallback, useEffect, useState } from 'react';
import type { PublishState } from '#shared/contracts/content/content';
import { usePoll } from '../ui/api/use-poll.ts';
import { call, readPublish } from './api.ts';

const MOVING_MS = 1500;
const RESTING_MS = 20_000;

/** The state of publishing; null until the first reply. `revision`: of the article to follow. */
export function usePublish(isWanted = true, revision?: number) {
  const [state, setState] = useState<PublishState | null>(null);
  const ask = useCallback(async () => {
    const answer = await call(`/api/cms/publish${revision ? `?revision=${revision}` : ''}`, readPublish);
    if (answer.ok) setState(answer.value);
    return answer.ok;
  }, [revision]);
  useEffect(() => {
    if (isWanted) void ask();
  }, [ask, isWanted]);
  const isMoving = state?.state === 'building' || state?.state === 'waiting';
  usePoll(ask, isWanted ? (isMoving ? MOVING_MS : RESTING_MS) : null);

  const buildNow = useCallback(async () => {
    const answer = await call('/api/cms/publish', readPublish, { method: 'POST' });
    if (answer.ok) setState(answer.value);
    return answer;
  }, []);
  return { state, ask, buildNow };
}
