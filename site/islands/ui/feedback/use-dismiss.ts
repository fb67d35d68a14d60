import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Closes an open part on Escape, on a press outside, and when the focus leaves it. */
export function useDismiss(
  part: RefObject<HTMLElement | null>,
  isOpen: boolean,
  close: (by: 'escape' | 'leaving') => void,
) {
  const onClose = useEffectEvent(close);
  useEffect(() => {
    const element = part.current;
    if (!isOpen || !element) return;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose('escape');
    };
    const onLeave = ({ target }: Event) => {
      if (target instanceof Node && !element.contains(target)) onClose('leaving');
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onLeave);
    document.addEventListener('focusin', onLeave);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onLeave);
      document.removeEventListener('focusin', onLeave);
    };
  }, [part, isOpen]);
}
