import { useRef, useState } from 'react';
import type { ContentUser } from '../../../shared/contracts/content.ts';
import { operator } from '../../../shared/operator.ts';
import { Icon } from '../ui/Icon.tsx';
import { AppLink, usePath } from '../ui/router.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { logOut } from './api.ts';
import '../../styles/parts/button.css';

const links = [
  { name: 'Dashboard', path: '/cms', ownersOnly: false },
  { name: 'Posts', path: '/cms/posts', ownersOnly: false },
  { name: 'Pages', path: '/cms/pages', ownersOnly: false },
  { name: 'Media', path: '/cms/media', ownersOnly: false },
  { name: 'Users', path: '/cms/users', ownersOnly: true },
];

/** The head of every screen, with whom it is open for. */
export function TopBar({ user }: { user: ContentUser | null }) {
  const [isOpen, setOpen] = useState(false);
  const at = usePath();
  const menu = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  const isHere = (path: string) => at === path || (path !== '/cms' && at.startsWith(`${path}/`));
  return (
    <header className="app-bar">
      <AppLink href="/cms" className="app-home" aria-label={`${operator.name}, dashboard`} onClick={close}>
        <Wordmark />
      </AppLink>
      <nav
        aria-label="Main"
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen) return;
          close();
          menu.current?.focus();
        }}
      >
        <button
          type="button"
          className="button button-secondary app-menu"
          ref={menu}
          aria-expanded={isOpen}
          aria-controls="app-links"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
          <Icon name="chevronDown" size="sm" />
        </button>
        <ul id="app-links" className={isOpen ? 'app-links app-links-open' : 'app-links'}>
          {links
            .filter(({ ownersOnly }) => !ownersOnly || user?.role === 'owner')
            .map(({ name, path }) => (
              <li key={path}>
                <AppLink href={path} isHere={isHere(path)} onClick={close}>
                  {name}
                </AppLink>
              </li>
            ))}
          <li className="app-links-last cms-welcome">{user && `Welcome, ${user.name}`}</li>
          <li>
            <button type="button" className="cms-logout" onClick={() => void logOut()}>
              Logout
            </button>
          </li>
        </ul>
      </nav>
    </header>
  );
}
