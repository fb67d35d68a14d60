import { useRef, useState } from 'react';
import { operator } from '../../../shared/operator.ts';
import { Icon } from '../ui/Icon.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { AppLink } from './router.tsx';

/** The head of every screen; the links come with the shell. */
export function TopBar({ hasLinks }: { hasLinks: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const menu = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    <header className="app-bar">
      <AppLink href="/" className="app-home" aria-label={`${operator.name}, home`} onClick={close}>
        <Wordmark />
      </AppLink>
      {hasLinks && (
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
            <li>
              <AppLink href="/userinfo" onClick={close}>
                User Info
              </AppLink>
            </li>
            <li className="app-links-last">
              <a href="/logout">Logout</a>
            </li>
          </ul>
        </nav>
      )}
    </header>
  );
}
