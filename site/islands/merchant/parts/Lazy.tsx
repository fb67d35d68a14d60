import { Button } from '#site/islands/ui/form/Button.tsx';
import { Lazy as LazyPart } from '#site/islands/ui/routing/Lazy.tsx';
import type { LazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppError } from './AppBoundary.tsx';

/** Shows a screen once its code is loaded, or a retry if it cannot be loaded. */
export const Lazy = <Props extends object>({ of, props }: { of: LazyScreen<Props>; props: Props }) => (
  <LazyPart of={of} props={props} failed={failed} />
);

const failed = (
  <AppError
    action={
      // Reload the page: a browser does not ask again for a module that failed.
      <Button kind="primary" onClick={() => window.location.reload()}>
        Retry
      </Button>
    }
  >
    This screen could not be loaded. Check your connection, then press Retry.
  </AppError>
);
