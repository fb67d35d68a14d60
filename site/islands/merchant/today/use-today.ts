import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Today } from '#shared/contracts/payments/today';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { api } from '../api/api.ts';
import { type LoadState, logFailure } from '../parts/use-load.tsx';
import { isAnnouncing } from './AnnouncementSwitch.tsx';
import { describeMovement } from './words.ts';

const readToday = readWith(Today);

export const fetchToday = () => api.call('/api/today', readToday);

const LIVE_MS = 20_000;
/** The minimum time (ms) between two announcements to screen readers. */
const QUIET_MS = 10_000;

export type LiveToday = LoadState<Today> & {
  /** Describes the newest movement of money. '' until one arrives while the page is open. */
  announcement: string;
};

/**
 * Polls the day's figures while the page is visible, and keeps the last ones after a failed request. `onMoved` is
 * called when money has moved since the page opened.
 */
export function useToday(onMoved: () => void): LiveToday {
  const [value, setValue] = useState<Today | null>(null);
  const [failure, setFailure] = useState<LiveToday['failure']>(null);
  const [isReading, setReading] = useState(true);
  const [announcement, setAnnouncement] = useState('');
  const previous = useRef<Today | null>(null);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);

  const update = (today: Today) => {
    const [newest] = today.latest;
    const isNew = previous.current && newest && !previous.current.latest.some(({ id }) => id === newest.id);
    previous.current = today;
    if (isNew) onMoved();
    if (!isNew || !isAnnouncing() || performance.now() - announcedAt.current < QUIET_MS) return;
    announcedAt.current = performance.now();
    setAnnouncement(describeMovement(newest));
  };
  const load = async () => {
    setReading(true);
    const answer = await fetchToday();
    setReading(false);
    if (answer.ok) {
      update(answer.value);
      setValue(answer.value);
      setFailure(null);
    } else {
      logFailure('Failed to fetch today', answer.error);
      setFailure({ message: answer.error.message, at: new Date() });
    }
    return answer.ok;
  };
  const onStart = useEffectEvent(load);
  useEffect(() => void onStart(), []);
  usePoll(load, LIVE_MS);
  return { value, failure, isReading, announcement, reload: () => void load() };
}
