import type { ReactNode } from 'react';
import { ScreenBoundary, ScreenError } from '#site/islands/ui/feedback/ScreenBoundary.tsx';

/** A plain link: the Worker ends the session and shows the homepage. */
export function LogOut() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}

export const AppError = ({ children }: { children: ReactNode }) => (
  <ScreenError start="/" more={<LogOut />}>
    {children}
  </ScreenError>
);

type Props = { children: ReactNode; wrap?: (error: ReactNode) => ReactNode };

/** One around each screen keeps the navigation, one wraps the page. */
export function AppBoundary({ children, wrap = (error) => error }: Props) {
  const error = <AppError>This screen could not be shown. Nothing was sent.</AppError>;
  return <ScreenBoundary error={wrap(error)}>{children}</ScreenBoundary>;
}
