import { type ComponentType, useEffect, useState } from 'react';
import { ScreenLoadError } from '#site/islands/ui/feedback/ScreenError.tsx';
import { Lazy as LazyPart } from '#site/islands/ui/routing/Lazy.tsx';
import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { LogOutLink } from './AppBoundary.tsx';

const loadError = <ScreenLoadError startPath="/" extraLinks={<LogOutLink />} />;

/** Shows a screen when its code has loaded, or a Retry button if the code cannot be loaded. */
export const Lazy = <Props extends object>({ screen, props }: { screen: LazyScreen<Props>; props: Props }) => (
  <LazyPart screen={screen} props={props} failure={loadError} />
);

/** The screen for an outage. It loads when the browser is idle or on the first outage. */
export const apiErrorPart = lazyScreen(() => import('./ApiErrorPart.tsx').then((code) => code.ApiErrorScreen));

/** Loads an optional part of a screen after the rest. Returns null before that, or if it cannot be loaded. */
export function useLazyPart<Props>(part: LazyScreen<Props>, isEnabled = true) {
  const [Part, setPart] = useState<ComponentType<Props> | null>(() => part.loaded());
  useEffect(() => {
    if (isEnabled)
      part.load().then(
        (code) => setPart(() => code),
        () => undefined,
      );
  }, [part, isEnabled]);
  return Part;
}
