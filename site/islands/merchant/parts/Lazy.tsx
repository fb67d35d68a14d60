import { Button } from '../../ui/form/Button.tsx';
import { Lazy as LazyPart } from '../../ui/routing/Lazy.tsx';
import type { LazyScreen } from '../../ui/routing/lazy-screen.ts';
import { AppError } from './AppBoundary.tsx';

/** Shows a screen as soon as its code is there, and a way out where it does not come. */
export const Lazy = <Props extends object>({ of, props }: { of: LazyScreen<Props>; props: Props }) => (
  <LazyPart of={of} props={props} failed={failed} />
);

const failed = (
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
