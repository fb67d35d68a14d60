import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Today } from '#shared/contracts/payments/today';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { api } from '../api/api.ts';
import { type Loaded, logFailure } from '../parts/use-load.tsx';
import { isSpoken } from './SpokenChoice.tsx';
import { describeMovement } from './words.ts';

const readToday = readWith(Today);

export const fetchToday = () => api.call('/api/today', readToday);

const LIVE_MS = 20_000;
/** Shortest time (ms) between two announcements to screen readers. */
const QUIET_MS = 10_000;

export type LiveToday = Loaded<Today> & {
  /** The newest movement in words; '' until one arrives while the page is open. */
  said: string;
};

/**
 * The day's figures, polled while the page is visible; a failed request keeps the last ones. `onMoved` is called when
 * money has moved since the page opened.
 */
export function useToday(onMoved: () => void): LiveToday {
  const [value, setValue] = useState<Today | null>(null);
  const [failure, setFailure] = useState<LiveToday['failure']>(null);
  const [isReading, setReading] = useState(true);
  const [said, setSaid] = useState('');
  const known = useRef<Today | null>(null);
  const saidAt = useRef(Number.NEGATIVE_INFINITY);

  const tell = (today: Today) => {
    const [newest] = today.latest;
    const isNew = known.current && newest && !known.current.latest.some(({ id }) => id === newest.id);
    known.current = today;
    if (isNew) onMoved();
    if (!isNew || !isSpoken() || performance.now() - saidAt.current < QUIET_MS) return;
    saidAt.current = performance.now();
    setSaid(describeMovement(newest));
  };
  const read = async () => {
    setReading(true);
    const answer = await fetchToday();
    setReading(false);
    if (answer.ok) {
      tell(answer.value);
      setValue(answer.value);
      setFailure(null);
    } else {
      logFailure('Failed to fetch today', answer.error);
      setFailure({ message: answer.error.message, at: new Date() });
    }
    return answer.ok;
  };
  const onStart = useEffectEvent(read);
  useEffect(() => void onStart(), []);
  usePoll(read, LIVE_MS);
  return { value, failure, isReading, said, reload: () => void read() };
}
