import { useEffect } from 'react';

/**
 * Tells styles how much of the window's foot an on-screen keyboard covers, as `--keyboard` in pixels: a browser makes the
 * window no lower for it, so what is fixed to the foot would lie behind it.
 */
export function useKeyboardInset(): void {
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const { style } = document.documentElement;
    const tell = () => {
      // Zooming in by two fingers makes the view lower, too.
      const covered = view.scale === 1 ? Math.max(0, window.innerHeight - view.height - view.offsetTop) : 0;
      style.setProperty('--keyboard', `${Math.round(covered)}px`);
    };
    tell();
    view.addEventListener('resize', tell);
    view.addEventListener('scroll', tell);
    return () => {
      view.removeEventListener('resize', tell);
      view.removeEventListener('scroll', tell);
      style.removeProperty('--keyboard');
    };
  }, []);
}
