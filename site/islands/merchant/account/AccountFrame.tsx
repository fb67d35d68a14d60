import { type ReactNode, useEffect, useRef } from 'react';
import { Toasts } from '../../ui/feedback/Toasts.tsx';
import { AppLink } from '../../ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { ForRole } from '../parts/ForRole.tsx';
import { accountParts } from './account-parts.ts';
import '../../../styles/areas/merchant/account.css';

type Props = { title: string; least?: 'manager' | 'admin'; children: ReactNode };

/** A part of Account: its heading, and the way to the others. */
export function AccountFrame({ title, least, children }: Props) {
  return (
    <div className="app-wide account">
      <AccountNav />
      <h1 tabIndex={-1}>{title}</h1>
      {least ? (
        <ForRole least={least} act="see this">
          {children}
        </ForRole>
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
    // On a narrow screen the row scrolls, and the current part may be far along. Nothing is returned: the newest browsers
    // answer a promise here.
    nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, []);
  return (
    <nav className="account-nav" aria-label="Account" ref={nav}>
      <ul>
        {accountParts.map(
          ({ name, path, least }) =>
            may(least) && (
              <li key={path}>
                <AppLink href={path}>{name}</AppLink>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}
