import type { Face } from './sale-words.ts';

/** A circle from the top, clockwise, within 200 by 200. */
export const RING = 'M100 6a94 94 0 1 1 0 188a94 94 0 1 1 0-188';

/** One shape for each face, so that colour is never all that tells them apart. */
const shapes: Record<Exclude<Face, 'waiting'>, { isFilled: boolean; sign: string }> = {
  paid: { isFilled: true, sign: 'm58 103 30 30 58-62' },
  declined: { isFilled: true, sign: 'm64 64 72 72m0-72-72 72' },
  unknown: { isFilled: true, sign: 'M72 76a28 28 0 1 1 41 25c-10 5-13 12-13 24m0 23v.1' },
  'timed-out': { isFilled: false, sign: '' },
  ended: { isFilled: false, sign: 'M66 100h68' },
};

/** Decorative: the words beside it carry the meaning. */
export function Mark({ face }: { face: Exclude<Face, 'waiting'> }) {
  const { isFilled, sign } = shapes[face];
  return (
    <svg className="counter-mark" viewBox="0 0 200 200" aria-hidden="true">
      {isFilled ? (
        <circle className="counter-fill" cx="100" cy="100" r="100" />
      ) : (
        <path className="counter-ring" d={RING} />
      )}
      {sign && <path className="counter-sign" d={sign} pathLength={1} />}
    </svg>
  );
}
