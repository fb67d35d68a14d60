import { type RefObject, useEffect, useState } from 'react';

/** Whether a box's content is wider than the box. */
export function useOverflow(box: RefObject<HTMLElement | null>): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const outer = box.current;
    const inner = outer?.firstElementChild;
    if (!outer || !inner) return;
    const observer = new ResizeObserver(() =>
      setOver(inner.getBoundingClientRect().width > outer.getBoundingClientRect().width + 1),
    );
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, [box]);
  return isOver;
}
