import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Today } from '#shared/contracts/payments/today';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { api } from '../api/api.ts';
import { type LoadState, logFailure } from '../common/use-load.tsx';
import { areAnnouncementsOn } from './AnnouncementSwitch.tsx';
import { describeMovement } from './words.ts';

const readToday = readWith(Today);

export const fetchToday = () => api.call('/api/today', readToday);

const POLL_MS = 20_000;
/** The minimum time (ms) between two announcements to screen readers. */
const ANNOUNCEMENT_GAP_MS = 10_000;

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
  const [isLoading, setLoading] = useState(true);
  const [announcement, setAnnouncement] = useState('');
  const previous = useRef<Today | null>(null);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);

  const showToday = (today: Today) => {
    const [newest] = today.latest;
    const isNew = previous.current && newest && !previous.current.latest.some(({ id }) => id === newest.id);
    previous.current = today;
    if (isNew) onMoved();
    if (!isNew || !areAnnouncementsOn() || performance.now() - announcedAt.current < ANNOUNCEMENT_GAP_MS) return;
    announcedAt.current = performance.now();
    setAnnouncement(describeMovement(newest));
  };
  const load = async () => {
    setLoading(true);
    const answer = await fetchToday();
    setLoading(false);
    if (answer.ok) {
      showToday(answer.value);
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
  usePoll(load, POLL_MS);
  return { value, failure, isLoading, announcement, reload: () => void load() };
}
