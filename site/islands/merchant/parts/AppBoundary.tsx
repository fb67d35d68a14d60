import type { ReactNode } from 'react';
import { Boundary } from '#site/islands/ui/Boundary.tsx';
import { ScreenError } from '#site/islands/ui/feedback/ScreenError.tsx';

/** A plain link: the Worker ends the session and shows the homepage. */
export function LogOut() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}

export const AppError = ({ children }: { children: ReactNode }) => (
  <ScreenError start="/" extraLinks={<LogOut />}>
    {children}
  </ScreenError>
);

type Props = { children: ReactNode; wrap?: (error: ReactNode) => ReactNode };

/** Used around each screen, which keeps the navigation, and around the whole page. */
export function AppBoundary({ children, wrap = (error) => error }: Props) {
  // It is unknown here whether anything was sent.
  const error = (
    <AppError>
      This screen could not be shown. If you have just sent something, check if it was done before you send it again.
    </AppError>
  );
  return <Boundary error={wrap(error)}>{children}</Boundary>;
}
