import '#site/styles/parts/page/icon.css';

// Icon shapes from Lucide (ISC license), drawn on a grid of 24 by 24.
const shapes = {
  alert: 'M12 8v4M12 16h.01M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0z',
  arrowBack: 'M9 14 4 9l5-5M4 9h10.5a5.5 5.5 0 0 1 0 11H11',
  arrowDown: 'M12 5v14M19 12l-7 7-7-7',
  arrowUp: 'm5 12 7-7 7 7M12 19V5',
  check: 'M20 6 9 17l-5-5',
  chevronDown: 'm6 9 6 6 6-6',
  circleCheck: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM9 12l2 2 4-4',
  clock: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM12 6v6l4 2',
  download: 'M12 15V3M21 15v4a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-4M7 10l5 5 5-5',
  draft: 'M17 3a2.85 2.83 0 1 1 4 4L7.5 20.5 2 22l1.5-5.5z',
  first: 'm17 18-6-6 6-6M7 6v12',
  help: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3M12 17h.01',
  half: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM12 2v20M16 4v16M20 7v10',
  info: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0zM12 16v-4M12 8h.01',
  last: 'm7 18 6-6-6-6M17 6v12',
  minus: 'M5 12h14',
  next: 'm9 18 6-6-6-6',
  previous: 'm15 18-6-6 6-6',
  search: 'm21 21-4.34-4.34M19 11a8 8 0 1 1-16 0 8 8 0 0 1 16 0z',
  warn: 'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4M12 17h.01',
  x: 'M18 6 6 18M6 6l12 12',
} as const;

export type IconName = keyof typeof shapes;

/** A decorative icon. Its meaning must also be in the text next to it. */
export function Icon({ name, size = '' }: { name: IconName; size?: '' | 'sm' | 'xs' }) {
  return (
    <svg className={size ? `icon icon-${size}` : 'icon'} viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
