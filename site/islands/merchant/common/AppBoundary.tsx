import type { ReactNode } from 'react';
import { ErrorBoundary } from '#site/islands/ui/Boundary.tsx';
import { ScreenError } from '#site/islands/ui/feedback/ScreenError.tsx';

/** A link to the Worker, which ends the session and shows the homepage. */
export function LogOutLink() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}

export const AppError = ({ children }: { children: ReactNode }) => (
  <ScreenError startPath="/" extraLinks={<LogOutLink />}>
    {children}
  </ScreenError>
);

type Props = { children: ReactNode; wrap?: (error: ReactNode) => ReactNode };

/** Shows an error in place of a screen that fails to render. It wraps each screen, and also the whole page. */
export function AppBoundary({ children, wrap = (error) => error }: Props) {
  // The text is general, since it is not known here whether the user has sent something.
  const error = (
    <AppError>
      This screen could not be shown. If you have just sent something, check if it was done before you send it again.
    </AppError>
  );
  return <ErrorBoundary error={wrap(error)}>{children}</ErrorBoundary>;
}
