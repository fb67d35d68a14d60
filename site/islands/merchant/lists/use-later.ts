import { type ComponentType, useEffect, useState } from 'react';
import type { LazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** A part without whose code the screen is whole: it comes after the rest, or not at all. */
export function useLater<Props>(part: LazyScreen<Props>, isWanted = true) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(() => part.loaded());
  useEffect(() => {
    if (isWanted)
      part.load().then(
        (code) => setPart(() => code),
        () => undefined,
      );
  }, [part, isWanted]);
  return Part;
}
