import { useState } from 'react';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { readAppView } from '../parts/app-view.ts';
import { Lazy } from '../parts/Lazy.tsx';

const firstHour = lazyScreen(() => import('./FirstHour.tsx').then((code) => code.FirstHour));

/** Where the list stands on the dashboard. It keeps the list's height, so that nothing below moves when that comes. */
export function FirstHourPlace() {
  const [isNew] = useState(() => readAppView().isNew);
  if (!isNew) return null;
  return (
    <div className="first-hour-place">
      <Lazy of={firstHour} props={{ level: 3 }} />
    </div>
  );
}
