import type { ReactNode } from 'react';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/notice.css';
import { Button } from '../form/Button.tsx';

type ErrorLinks = {
  /** The address of the app's first screen. */
  startPath: string;
  /** Further links after the link to the first screen. */
  extraLinks?: ReactNode;
};

/** Shows an error at an unknown address or in place of a broken screen. Its link reloads the page. */
export function ScreenError({
  startPath: start,
  extraLinks,
  action,
  children,
}: ErrorLinks & { action?: ReactNode; children: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        {action}
        <a className={action ? 'button button-secondary' : 'button button-primary'} href={start}>
          Go to the start
        </a>
        {extraLinks}
      </div>
    </div>
  );
}

/** Shows that the code of a screen could not be loaded. */
export const ScreenLoadError = (frame: ErrorLinks) => (
  <ScreenError
    {...frame}
    action={
      // The page must be reloaded, since browsers do not request a failed module again.
      <Button kind="primary" onClick={() => window.location.reload()}>
        Retry
      </Button>
    }
  >
    This screen could not be loaded. Check your connection, then press Retry.
  </ScreenError>
);
