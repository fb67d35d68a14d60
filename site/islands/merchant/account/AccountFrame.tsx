import { type ReactNode, useEffect, useRef } from 'react';
import type { StaffRight } from '#shared/contracts/staff/team-values';
import { Toasts } from '#site/islands/ui/feedback/Toasts.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { accountScreens } from '../common/navigation.ts';
import { RequireRight } from '../common/RequireRight.tsx';
import '#site/styles/areas/merchant/account/account.css';

type Props = { title: string; right?: StaffRight; children: ReactNode };

/** The frame of an Account screen: its heading, and links to the other screens. */
export function AccountFrame({ title, right, children }: Props) {
  return (
    <div className="app-wide account">
      <AccountNav />
      <h1 tabIndex={-1}>{title}</h1>
      {right ? (
        <RequireRight right={right} action="see this">
          {children}
        </RequireRight>
      ) : (
        children
      )}
      <Toasts />
    </div>
  );
}

export function AccountNav() {
  const nav = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen, the row of links scrolls, and the current link may be out of view. The braces discard the
    // result, since newer browsers return a promise here, which is not a cleanup function.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav className="account-nav" aria-label="Account" ref={nav}>
      <ul>
        {accountScreens.map(
          ({ name, path, right }) =>
            hasRight(right) && (
              <li key={path}>
                <AppLink href={path}>{name}</AppLink>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}

/** Sections in two columns. In a narrow window, the second column is below the first. */
export const Columns = ({ first, second }: { first: ReactNode; second: ReactNode }) => (
  <div className="account-columns">
    <div className="account-grid">
      <div className="account-column">{first}</div>
      <div className="account-column">{second}</div>
    </div>
  </div>
);

export const LoadingText = () => (
  <p role="status" className="app-quiet">
    Loading...
  </p>
);

/** Scrolls to the section in the URL’s hash once the sections are rendered. */
export function useSectionAtHash(isReady: boolean): void {
  useEffect(() => {
    if (isReady) document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [isReady]);
}
