import { type ComponentType, useEffect, useState } from 'react';
import { Button } from '../ui/Button.tsx';
import { AppError } from './AppBoundary.tsx';
import type { Chunk } from './chunk.ts';

type Load<Props> = { kind: 'loading' | 'failed' } | { kind: 'loaded'; Screen: ComponentType<Props> };

/** Shows a screen as soon as its code is there. */
export function Lazy<Props extends object>({ of: chunk, props }: { of: Chunk<Props>; props: Props }) {
  const [state, setState] = useState<Load<Props>>(() => {
    const Screen = chunk.loaded();
    return Screen ? { kind: 'loaded', Screen } : { kind: 'loading' };
  });
  useEffect(() => {
    let isGone = false;
    const settle = (next: Load<Props>) => !isGone && setState(next);
    chunk.load().then(
      (Screen) => settle({ kind: 'loaded', Screen }),
      () => settle({ kind: 'failed' }),
    );
    return () => {
      isGone = true;
    };
  }, [chunk]);

  if (state.kind === 'loaded') return <state.Screen {...props} />;
  if (state.kind === 'loading') {
    return (
      <p role="status" className="app-quiet app-waiting">
        Loading...
      </p>
    );
  }
  return (
    <AppError
      action={
        // A browser does not ask twice for a module that it could not get, as long as the page is the same.
        <Button kind="primary" onClick={() => window.location.reload()}>
          Retry
        </Button>
      }
    >
      This screen could not be loaded. Check your connection, then press Retry.
    </AppError>
  );
}
