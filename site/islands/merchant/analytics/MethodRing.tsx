import { useState } from 'react';
import { type Count, shareOf, totalOf } from './words.ts';
import '#site/styles/parts/page/ring.css';

const SIZE = 200;
/** A ring from radius 54 to 86, in a viewBox of 200. */
const RADIUS = 70;
const THICKNESS = 32;
const AROUND = 2 * Math.PI * RADIUS;
/** A gap, so that two greens never touch. */
const GAP = 2;

/** Payments by method: a ring whose middle shows the selected one, and a legend. */
export function MethodRing({ methods }: { methods: Count[] }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const total = totalOf(methods);
  const shown = pointed === null ? undefined : methods[pointed];
  let before = 0;
  const slices = methods.map(({ count }) => {
    const length = (count / total) * AROUND;
    const slice = { length, start: before };
    before += length;
    return slice;
  });
  return (
    <div className="ring">
      <div className="ring-plot">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true">
          {total === 0 && <circle className="ring-none" cx={100} cy={100} r={RADIUS} strokeWidth={THICKNESS} />}
          {slices.map(({ length, start }, index) => (
            <circle
              key={methods[index]?.name}
              className={`ring-slice chart-${index + 1}${pointed === null || pointed === index ? '' : ' ring-quiet'}`}
              cx={100}
              cy={100}
              r={RADIUS}
              strokeWidth={THICKNESS}
              strokeDasharray={`${methods.length > 1 ? Math.max(length - GAP, length / 2) : length} ${AROUND}`}
              strokeDashoffset={-start}
              onPointerEnter={() => setPointed(index)}
              onPointerLeave={() => setPointed(null)}
            />
          ))}
        </svg>
        {total > 0 && (
          <p className="ring-middle">
            <strong>{shown ? shareOf(shown.count, total) : total.toLocaleString('en-US')}</strong>
            <span>{shown ? shown.name : total === 1 ? 'payment' : 'payments'}</span>
          </p>
        )}
      </div>
      <ul className="ring-legend" aria-label="Payment methods">
        {methods.map(({ name, count }, index) => (
          <li key={name} onPointerEnter={() => setPointed(index)} onPointerLeave={() => setPointed(null)}>
            <span className={`ring-swatch chart-${index + 1}`} aria-hidden="true" />
            <span className="ring-name">{name}</span>
            <span className="ring-count">
              {count.toLocaleString('en-US')} <span className="ring-share">{shareOf(count, total)}</span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
