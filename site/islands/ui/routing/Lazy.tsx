import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import type { LazyScreen } from './lazy-screen.ts';

type Load<Props> = { kind: 'loading' | 'failed' } | { kind: 'loaded'; Screen: ComponentType<Props> };

type LazyProps<Props> = {
  screen: LazyScreen<Props>;
  props: Props;
  /** The content if the code cannot be loaded. */
  failure: ReactNode;
};

/** Shows a screen when its code has loaded. */
export function Lazy<Props extends object>({ screen: lazyScreen, props, failure: failed }: LazyProps<Props>) {
  const [state, setState] = useState<Load<Props>>(() => {
    const Screen = lazyScreen.loaded();
    return Screen ? { kind: 'loaded', Screen } : { kind: 'loading' };
  });
  useEffect(() => {
    let isUnmounted = false;
    const updateState = (next: Load<Props>) => !isUnmounted && setState(next);
    lazyScreen.load().then(
      (Screen) => updateState({ kind: 'loaded', Screen }),
      () => updateState({ kind: 'failed' }),
    );
    return () => {
      isUnmounted = true;
    };
  }, [lazyScreen]);

  if (state.kind === 'loaded') return <state.Screen {...props} />;
  if (state.kind === 'loading') {
    return (
      <p role="status" className="app-quiet app-waiting">
        Loading...
      </p>
    );
  }
  return failed;
}
