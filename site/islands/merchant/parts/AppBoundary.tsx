import { Component, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/notice.css';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Lazy as LazyPart } from '#site/islands/ui/routing/Lazy.tsx';
import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';

/** A plain link: the Worker ends the session and shows the homepage. */
export function LogOut() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}

/** Shown at an unknown address, and in place of a screen that broke. Its link reloads the page. */
export function AppError({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        {action}
        <a className={action ? 'button button-secondary' : 'button button-primary'} href="/">
          Go to the start
        </a>
        <LogOut />
      </div>
    </div>
  );
}

type Props = { children: ReactNode; wrap?: (error: ReactNode) => ReactNode };

/** Shows an error in place of broken children: one around each screen keeps the navigation, one wraps the page. */
export class AppBoundary extends Component<Props, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    const { children, wrap } = this.props;
    if (!this.state.isBroken) return children;
    const error = <AppError>This screen could not be shown. Nothing was sent.</AppError>;
    return wrap ? wrap(error) : error;
  }
}

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

/** Loaded when the browser is idle, or on the first outage, since few visits meet one. */
export const apiErrorPart = lazyScreen(() => import('./ApiErrorPart.tsx').then((code) => code.ApiErrorPart));

/** Loads an optional part after the rest of the screen; null until then, or if it cannot be loaded. */
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
